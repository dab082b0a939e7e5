-- ARGV: channel.
for _, user in ipairs(redis.call("ZRANGE", "voice:channel:" .. ARGV[1], 0, -1)) do endState(loadState(user)) end
return changes
