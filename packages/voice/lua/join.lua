-- ARGV: user, username, server, channel, most users in the channel (0 for any number), keys of the state as a JSON object.
-- Returns "full" where there is no room.
if full() then return full() end
local user, username, server, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local limit, keys = tonumber(ARGV[5]), cjson.decode(ARGV[6])
local old = loadState(user)
local isInside = old and old.channel_id == channel
if limit > 0 and not isInside and redis.call("ZCARD", "voice:channel:" .. channel) >= limit then return { "full" } end
if old then
  if old.channel_id ~= channel then stopBroadcastOf(old) end
  removeState(old)
end
local state = {
  user_id = user, username = username, server_id = server, channel_id = channel,
  self_mute = false, self_deaf = false, self_video = false, self_screen = false,
  server_mute = old ~= nil and old.server_mute, server_deaf = old ~= nil and old.server_deaf,
  joined_at = now(),
}
for key, value in pairs(keys) do state[key] = value end
saveState(state, old and channelOf(old))
return changes
