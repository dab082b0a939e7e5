-- ARGV: channel. Returns the session, or nothing.
return { redis.call("GET", "go-live:" .. ARGV[1]) or nil }
