-- The keys of voice in Redis. Only these scripts change them:
--
-- - `voice:user:<user>`: the user's state as JSON; missing when they are in no channel
-- - `voice:channel:<channel>`: sorted set of the users in it, by joined_at in milliseconds
-- - `voice:server:<server>`: set of the users in any of its channels
-- - `go-live:<channel>`: the broadcast as JSON; exists only while its broadcaster is in the channel
-- - `voice:checks`: sorted set of the servers with voice states, by when their rights were last checked, in
--   milliseconds
-- - `voice:version`: counter that numbers every change
-- - `voice:unsaid`: sorted set of the unpublished changes (JSON), by the millisecond in which they were made, or last
--   returned by `claim`
--
-- `unpublishedMax` is defined before this text.
--
-- The scripts compute keys from stored values, such as the channel that a user is in, and cannot declare them. This
-- needs one Redis, with or without replicas, not Redis Cluster.

local function load(key)
  local text = redis.call("GET", key)
  return text and cjson.decode(text) or nil
end
local function loadState(user) return load("voice:user:" .. user) end
local function usersIn(kind, id)
  if kind == "server" then return redis.call("SMEMBERS", "voice:server:" .. id) end
  return redis.call("ZRANGE", "voice:channel:" .. id, 0, -1)
end
local function now()
  local time = redis.call("TIME")
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function nextVersion() return redis.call("INCR", "voice:version") end

-- An error once `unpublishedMax` changes are unpublished. It refuses the changes that a user can repeat without limit:
-- joins, updates and broadcasts. Ends are not refused, as there is at most one for each beginning.
local function full()
  return redis.call("ZCARD", "voice:unsaid") >= unpublishedMax
    and redis.error_reply("UNPUBLISHEDFULL Too many changes wait to be published.") or nil
end

local changes = {}
-- The version makes the text unique, so that two equal changes are two members of the set.
local function record(change)
  change.version = change.version or nextVersion()
  local text = cjson.encode(change)
  redis.call("ZADD", "voice:unsaid", now(), text)
  changes[#changes + 1] = text
end

local function saveState(state, previous)
  state.version = nextVersion()
  redis.call("SET", "voice:user:" .. state.user_id, cjson.encode(state))
  redis.call("ZADD", "voice:channel:" .. state.channel_id, state.joined_at, state.user_id)
  redis.call("SADD", "voice:server:" .. state.server_id, state.user_id)
  redis.call("ZADD", "voice:checks", "NX", now(), state.server_id)
  record({ kind = "voice", version = state.version, user_id = state.user_id, username = state.username,
    previous = previous or cjson.null, state = state })
end
local function channelOf(state) return { server_id = state.server_id, channel_id = state.channel_id } end
local function removeState(state)
  redis.call("ZREM", "voice:channel:" .. state.channel_id, state.user_id)
  redis.call("SREM", "voice:server:" .. state.server_id, state.user_id)
  if redis.call("EXISTS", "voice:server:" .. state.server_id) == 0 then
    redis.call("ZREM", "voice:checks", state.server_id)
  end
end

local function stopSession(session)
  redis.call("DEL", "go-live:" .. session.channel_id)
  record({ kind = "go_live", server_id = session.server_id, channel_id = session.channel_id,
    broadcaster_id = session.broadcaster_id, session = cjson.null })
end
local function stopBroadcastOf(state)
  local session = load("go-live:" .. state.channel_id)
  if session and session.broadcaster_id == state.user_id then stopSession(session) end
end
local function endState(state)
  stopBroadcastOf(state)
  removeState(state)
  redis.call("DEL", "voice:user:" .. state.user_id)
  record({ kind = "voice", user_id = state.user_id, username = state.username,
    previous = channelOf(state), state = cjson.null })
end
