import { defineScript } from "@parley/redis";

/**
 * Everything about voice in Redis, changed by these scripts alone:
 *
 * - `voice:user:<user>`: the user's state as JSON; missing when they are in no channel
 * - `voice:channel:<channel>`: sorted set of the users in it, by joined_at in milliseconds
 * - `voice:server:<server>`: set of the users in any of its channels
 * - `go-live:<channel>`: the broadcast as JSON; exists only while its broadcaster is in the channel
 * - `voice:checks`: sorted set of the servers with voice states, by when their rights were last checked, in milliseconds
 * - `voice:version`: counter that numbers every change
 * - `voice:unsaid`: sorted set of the changes (JSON) that are not confirmed as announced, by the time they were made
 *
 * Which channel a user is in is known only inside a script, so keys are computed there: this needs one Redis (with
 * replicas, if you like), not Redis Cluster.
 */
const prelude = `
local function load(key)
  local text = redis.call("GET", key)
  return text and cjson.decode(text) or nil
end
local function loadState(user) return load("voice:user:" .. user) end
local function now()
  local time = redis.call("TIME")
  return time[1] * 1000 + math.floor(time[2] / 1000)
end
local function nextVersion() return redis.call("INCR", "voice:version") end

local changes = {}
-- The version makes the text unique: two equal changes are two members of the set.
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
local function placeOf(state) return { server_id = state.server_id, channel_id = state.channel_id } end
local function takeOut(state)
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
  takeOut(state)
  redis.call("DEL", "voice:user:" .. state.user_id)
  record({ kind = "voice", user_id = state.user_id, username = state.username,
    previous = placeOf(state), state = cjson.null })
end
`;

const define = (name: string, lua: string) =>
  defineScript({ name: `voice-${name}`, keyCount: 0, lua: prelude + lua, reply: (raw) => raw });

/** Scripts that change something return the changes as JSON texts; none when there was nothing to change. */
export const scripts = {
  /** ARGV: user, username, server, channel. */
  join: define(
    "join",
    `
local user, username, server, channel = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local old = loadState(user)
if old then
  if old.channel_id ~= channel then stopBroadcastOf(old) end
  takeOut(old)
end
saveState({
  user_id = user, username = username, server_id = server, channel_id = channel,
  self_mute = false, self_deaf = false, self_video = false, self_screen = false,
  server_mute = old ~= nil and old.server_mute, server_deaf = old ~= nil and old.server_deaf,
  joined_at = now(),
}, old and placeOf(old))
return changes`,
  ),
  /** ARGV: user, channel, flags as a JSON object. */
  update: define(
    "update",
    `
local state = loadState(ARGV[1])
if not state or state.channel_id ~= ARGV[2] then return changes end
for flag, value in pairs(cjson.decode(ARGV[3])) do state[flag] = value end
saveState(state, placeOf(state))
return changes`,
  ),
  /** ARGV: user; then, each "" for any: channel, server, latest joined_at in milliseconds. */
  leave: define(
    "leave",
    `
local state = loadState(ARGV[1])
if not state then return changes end
if ARGV[2] ~= "" and state.channel_id ~= ARGV[2] then return changes end
if ARGV[3] ~= "" and state.server_id ~= ARGV[3] then return changes end
if ARGV[4] ~= "" and state.joined_at > tonumber(ARGV[4]) then return changes end
endState(state)
return changes`,
  ),
  /** ARGV: channel. */
  clearChannel: define(
    "clear-channel",
    `
for _, user in ipairs(redis.call("ZRANGE", "voice:channel:" .. ARGV[1], 0, -1)) do endState(loadState(user)) end
return changes`,
  ),
  /** ARGV: server. */
  clearServer: define(
    "clear-server",
    `
for _, user in ipairs(redis.call("SMEMBERS", "voice:server:" .. ARGV[1])) do endState(loadState(user)) end
return changes`,
  ),
  /** ARGV: channel. Returns the states in the order of joined_at. */
  list: define(
    "list",
    `
local states = {}
for _, user in ipairs(redis.call("ZRANGE", "voice:channel:" .. ARGV[1], 0, -1)) do
  states[#states + 1] = redis.call("GET", "voice:user:" .. user)
end
return states`,
  ),
  /** ARGV: server. Returns the states in its channels. */
  listServer: define(
    "list-server",
    `
local states = {}
for _, user in ipairs(redis.call("SMEMBERS", "voice:server:" .. ARGV[1])) do
  states[#states + 1] = redis.call("GET", "voice:user:" .. user)
end
return states`,
  ),
  /**
   * ARGV: age in milliseconds, most servers. Returns servers with voice states whose rights were not checked for so long,
   * and keeps others off them.
   */
  dueChecks: define(
    "due-checks",
    `
local time, due = now(), {}
for _, server in ipairs(redis.call("ZRANGEBYSCORE", "voice:checks", "-inf", time - ARGV[1], "LIMIT", 0, ARGV[2])) do
  redis.call("ZADD", "voice:checks", time, server)
  due[#due + 1] = server
end
return due`,
  ),
  /** ARGV: user. Returns the state, or nothing. */
  read: define("read", `return { redis.call("GET", "voice:user:" .. ARGV[1]) or nil }`),
  /** ARGV: two users. Returns the channel that both are in, or nothing. */
  share: define(
    "share",
    `
local a, b = loadState(ARGV[1]), loadState(ARGV[2])
if ARGV[1] == ARGV[2] or not a or not b or a.channel_id ~= b.channel_id then return {} end
return { a.channel_id }`,
  ),
  /** ARGV: user, channel, quality. Returns "not_in_channel", "taken", or "started" and the change. */
  startGoLive: define(
    "start-go-live",
    `
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
return { "started", changes[1] }`,
  ),
  /** ARGV: channel. Returns the session, or nothing. */
  readGoLive: define("read-go-live", `return { redis.call("GET", "go-live:" .. ARGV[1]) or nil }`),
  /** ARGV: user, channel. Returns "none", "not_broadcaster", or "stopped" and the change. */
  stopGoLive: define(
    "stop-go-live",
    `
local session = load("go-live:" .. ARGV[2])
if not session then return { "none" } end
if session.broadcaster_id ~= ARGV[1] then return { "not_broadcaster" } end
stopSession(session)
return { "stopped", changes[1] }`,
  ),
  /**
   * ARGV: for each announced change its JSON text, the key of what it is about, and the version that was announced (0
   * for "gone"). Confirms those that are still the truth; returns for each "settled", or the truth as JSON ("null" for
   * gone).
   */
  settle: define(
    "settle",
    `
local answers = {}
for index = 1, #ARGV, 3 do
  local text = redis.call("GET", ARGV[index + 1])
  local version = text and cjson.decode(text).version or 0
  if version == tonumber(ARGV[index + 2]) then
    redis.call("ZREM", "voice:unsaid", ARGV[index])
    answers[#answers + 1] = "settled"
  else
    answers[#answers + 1] = text or "null"
  end
end
return answers`,
  ),
  /** ARGV: age in milliseconds, most changes. Returns unconfirmed changes of that age, and keeps others off them. */
  unsaid: define(
    "unsaid",
    `
local time = now()
local texts = redis.call("ZRANGEBYSCORE", "voice:unsaid", "-inf", time - ARGV[1], "LIMIT", 0, ARGV[2])
for _, text in ipairs(texts) do redis.call("ZADD", "voice:unsaid", time, text) end
return texts`,
  ),
  /**
   * ARGV: most unconfirmed changes; then for each announcement its kind, channel and user. Returns for each "" when it is
   * true or somebody is about to announce what became of it; otherwise what is true instead, as JSON ("null" for nothing).
   */
  lost: define(
    "lost",
    `
local answers, unsaid = {}, nil
local function isUnsaid(subject)
  if redis.call("ZCARD", "voice:unsaid") > tonumber(ARGV[1]) then return true end
  if not unsaid then
    unsaid = {}
    for _, text in ipairs(redis.call("ZRANGE", "voice:unsaid", 0, -1)) do
      local change = cjson.decode(text)
      unsaid[change.kind == "voice" and "voice:user:" .. change.user_id or "go-live:" .. change.channel_id] = true
    end
  end
  return unsaid[subject]
end
for index = 2, #ARGV, 3 do
  local channel, user = ARGV[index + 1], ARGV[index + 2]
  local subject, isTrue
  if ARGV[index] == "voice" then
    subject = "voice:user:" .. user
    local state = load(subject)
    isTrue = state and state.channel_id == channel
  else
    subject = "go-live:" .. channel
    local session = load(subject)
    isTrue = session and session.broadcaster_id == user
  end
  answers[#answers + 1] = (isTrue or isUnsaid(subject)) and "" or redis.call("GET", subject) or "null"
end
return answers`,
  ),
} as const;

/** Key of what a change is about, for the script `settle`. */
export const subjectKey = {
  voice: (userId: string) => `voice:user:${userId}`,
  go_live: (channelId: string) => `go-live:${channelId}`,
} as const;
