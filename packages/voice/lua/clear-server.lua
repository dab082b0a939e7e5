-- ARGV: server.
for _, user in ipairs(redis.call("SMEMBERS", "voice:server:" .. ARGV[1])) do endState(loadState(user)) end
return changes
