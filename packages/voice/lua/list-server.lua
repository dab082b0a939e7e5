-- ARGV: server. Returns the states in its channels.
local states = {}
for _, user in ipairs(redis.call("SMEMBERS", "voice:server:" .. ARGV[1])) do
  states[#states + 1] = redis.call("GET", "voice:user:" .. user)
end
return states
