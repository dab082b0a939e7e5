-- ARGV: user, username, server, channel.
if full() then return full() end
local user, username, server, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local old = loadState(user)
if old then
  if old.channel_id ~= channel then stopBroadcastOf(old) end
  removeState(old)
end
saveState({
  user_id = user, username = username, server_id = server, channel_id = channel,
  self_mute = false, self_deaf = false, self_video = false, self_screen = false,
  server_mute = old ~= nil and old.server_mute, server_deaf = old ~= nil and old.server_deaf,
  joined_at = now(),
}, old and channelOf(old))
return changes
