-- ARGV: user. Returns the state, or nothing.
return { redis.call("GET", "voice:user:" .. ARGV[1]) or nil }
