-- ARGV: user, server, channel ("" for any), keys as a JSON object, null for a key that goes. Sets keys of the user's state
-- in the server, if one of them differs.
local state = loadState(ARGV[1])
if not state or state.server_id ~= ARGV[2] then return changes end
if ARGV[3] ~= "" and state.channel_id ~= ARGV[3] then return changes end
local differs = false
for key, value in pairs(cjson.decode(ARGV[4])) do
  if value == cjson.null then value = nil end
  if state[key] ~= value then
    state[key] = value
    differs = true
  end
end
if differs then saveState(state, channelOf(state)) end
return changes
