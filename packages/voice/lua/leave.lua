-- ARGV: user; then channel, server and latest joined_at in milliseconds, each "" for any.
local state = loadState(ARGV[1])
if not state then return changes end
if ARGV[2] ~= "" and state.channel_id ~= ARGV[2] then return changes end
if ARGV[3] ~= "" and state.server_id ~= ARGV[3] then return changes end
if ARGV[4] ~= "" and state.joined_at > tonumber(ARGV[4]) then return changes end
endState(state)
return changes
