-- ARGV: user, channel, flags as a JSON object.
if full() then return full() end
local state = loadState(ARGV[1])
if not state or state.channel_id ~= ARGV[2] then return changes end
for flag, value in pairs(cjson.decode(ARGV[3])) do state[flag] = value end
saveState(state, channelOf(state))
return changes
