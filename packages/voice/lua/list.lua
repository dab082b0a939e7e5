-- ARGV: channel. Returns the states in the order of joined_at.
local states = {}
for _, user in ipairs(redis.call("ZRANGE", "voice:channel:" .. ARGV[1], 0, -1)) do
  states[#states + 1] = redis.call("GET", "voice:user:" .. user)
end
return states
