-- ARGV: "channel" or "server", its id. Returns the states in it, those of a channel in the order of joined_at.
local states = {}
for _, user in ipairs(usersIn(ARGV[1], ARGV[2])) do states[#states + 1] = redis.call("GET", "voice:user:" .. user) end
return states
