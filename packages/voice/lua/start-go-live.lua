-- ARGV: user, channel, quality. Returns "not_in_channel", "taken", or "started" and the change.
if full() then return full() end
local state = loadState(ARGV[1])
if not state or state.channel_id ~= ARGV[2] then return { "not_in_channel" } end
local key = "go-live:" .. ARGV[2]
local running = load(key)
if running and running.broadcaster_id ~= ARGV[1] then return { "taken" } end
local session = { server_id = state.server_id, channel_id = ARGV[2], broadcaster_id = ARGV[1], quality = ARGV[3],
  started_at = now(), version = nextVersion() }
redis.call("SET", key, cjson.encode(session))
record({ kind = "go_live", version = session.version, server_id = state.server_id, channel_id = ARGV[2],
  broadcaster_id = ARGV[1], session = session })
return { "started", changes[1] }
