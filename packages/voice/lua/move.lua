-- ARGV: user, server, channel, "1" when the user lacks SPEAK there. Moves the user from any channel of the server; returns
-- "absent" when they are in none, else "moved" and the changes.
local old = loadState(ARGV[1])
if not old or old.server_id ~= ARGV[2] then return { "absent" } end
if old.channel_id ~= ARGV[3] then
  stopBroadcastOf(old)
  removeState(old)
  local previous = channelOf(old)
  old.channel_id, old.joined_at, old.moved = ARGV[3], now(), true
  old.suppressed = ARGV[4] == "1" and true or nil
  saveState(old, previous)
end
table.insert(changes, 1, "moved")
return changes
