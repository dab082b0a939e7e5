import { defineScript } from "@parley/redis";

/**
 * Everything about presence in Redis, changed by these scripts alone:
 *
 * - `presence:leases`: sorted set of the leases of gateway processes, by the millisecond in which they expire
 * - `presence:steady`: hash, per lease the millisecond since which it has been held without interruption
 * - `presence:condemned`: set of expired or released leases whose connections are being removed. Such a lease is never
 *   renewed: its process registers its connections under a new one
 * - `presence:lease:<lease>`: set of `<user> <connection>` that the process holds
 * - `presence:connections:<user>`: sorted set of connections, oldest first; the user is connected while it exists
 * - `presence:transition:<user>`: hash of the user's last transition (0 → 1 or 1 → 0), until PostgreSQL has it:
 *   `version`; `ended`, the version of the last 1 → 0, whose voice state must end; `late`, 1 once the process that made it was too slow;
 *   `repair`, see below
 * - `presence:unsaved`: sorted set of the users with a transition, by the millisecond from which any process may save it
 * - `presence:version`: the last version given out. Versions are microseconds, so they keep growing over an emptied Redis
 *
 * A transition with `repair` 1 reconciles PostgreSQL with Redis (a lease was lost, Redis was emptied) and is no change by
 * itself: the status changes only if PostgreSQL has the opposite.
 *
 * Which users a dead process held is known only inside a script, so keys are computed there: this needs one Redis (with
 * replicas, if you like), not Redis Cluster. All times are Redis' own.
 */
const prelude = `
local function micros()
  local time = redis.call("TIME")
  return time[1] * 1000000 + time[2]
end
local function now() return math.floor(micros() / 1000) end
local function nextVersion()
  local last = tonumber(redis.call("GET", "presence:version") or "0")
  local version = string.format("%.0f", math.max(last + 1, micros()))
  redis.call("SET", "presence:version", version)
  return version
end
local function beginTransition(user, online, repair, graceMs)
  local key, version = "presence:transition:" .. user, nextVersion()
  redis.call("HSET", key, "version", version, "repair", repair, "late", "0")
  if not online then redis.call("HSET", key, "ended", version) end
  redis.call("ZADD", "presence:unsaved", now() + graceMs, user)
end
local function isConnected(user) return redis.call("EXISTS", "presence:connections:" .. user) == 1 end
local function removeConnection(user, connection, graceMs)
  if redis.call("ZREM", "presence:connections:" .. user, connection) == 0 or isConnected(user) then return false end
  beginTransition(user, false, "0", graceMs)
  return true
end
local function revoke(lease)
  redis.call("ZREM", "presence:leases", lease)
  redis.call("HDEL", "presence:steady", lease)
  if redis.call("EXISTS", "presence:lease:" .. lease) == 1 then redis.call("SADD", "presence:condemned", lease) end
end
-- After an outage of Redis every lease looks expired, and an emptied Redis has no connections. A process may evict others
-- only once it has held its own lease for a lease's length: by then every living process has renewed its own.
local function mayEvict(lease, leaseMs)
  local expiry, since = redis.call("ZSCORE", "presence:leases", lease), redis.call("HGET", "presence:steady", lease)
  local time = now()
  return expiry and since and tonumber(expiry) >= time and time - tonumber(since) >= tonumber(leaseMs)
end
`;

const define = (name: string, lua: string) =>
  defineScript({ name: `presence-${name}`, keyCount: 0, lua: prelude + lua, reply: (raw) => raw });

export const scripts = {
  /**
   * ARGV: lease, lease time, "1" to open it. Returns "lost", or "held" and the number of connections under it.
   */
  renew: define(
    "renew",
    `
local lease, time = ARGV[1], now()
local expiry = redis.call("ZSCORE", "presence:leases", lease)
if not expiry and ARGV[3] ~= "1" then return { "lost" } end
if not expiry or tonumber(expiry) < time then redis.call("HSET", "presence:steady", lease, time) end
redis.call("ZADD", "presence:leases", time + ARGV[2], lease)
return { "held", tostring(redis.call("SCARD", "presence:lease:" .. lease)) }`,
  ),
  /** ARGV: lease. Releases it: its connections are removed by the next reaping, at once. */
  close: define("close", `revoke(ARGV[1]) return {}`),
  /**
   * ARGV: lease, repair, most connections per user, grace; then per connection: user, connection, order ("" for a new
   * one), lease under which it was registered before (or ""). Returns "lost", or "held" and per connection: order, "1"
   * if the user has a transition to save, the evicted connections separated by spaces.
   */
  register: define(
    "register",
    `
local lease, repair, connectionsMax, graceMs = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
if not redis.call("ZSCORE", "presence:leases", lease) then return { "lost" } end
local answers = { "held" }
for index = 5, #ARGV, 4 do
  local user, connection, order, previousLease = ARGV[index], ARGV[index + 1], ARGV[index + 2], ARGV[index + 3]
  local key = "presence:connections:" .. user
  local wasConnected = isConnected(user)
  local known = redis.call("ZSCORE", key, connection)
  if known then
    order = known
  else
    if order == "" then order = nextVersion() end
    redis.call("ZADD", key, order, connection)
  end
  local entry = user .. " " .. connection
  if previousLease ~= "" and previousLease ~= lease then redis.call("SREM", "presence:lease:" .. previousLease, entry) end
  redis.call("SADD", "presence:lease:" .. lease, entry)
  if not wasConnected then beginTransition(user, true, repair, graceMs) end
  local evicted = {}
  for _ = 1, redis.call("ZCARD", key) - connectionsMax do evicted[#evicted + 1] = redis.call("ZPOPMIN", key)[1] end
  answers[#answers + 1] = order
  answers[#answers + 1] = tostring(redis.call("EXISTS", "presence:transition:" .. user))
  answers[#answers + 1] = table.concat(evicted, " ")
end
return answers`,
  ),
  /** ARGV: grace; then per connection: lease, user, connection. Returns per connection "1" for a user's last. */
  unregister: define(
    "unregister",
    `
local answers = {}
for index = 2, #ARGV, 3 do
  local user, connection = ARGV[index + 1], ARGV[index + 2]
  redis.call("SREM", "presence:lease:" .. ARGV[index], user .. " " .. connection)
  answers[#answers + 1] = removeConnection(user, connection, ARGV[1]) and "1" or "0"
end
return answers`,
  ),
  /**
   * ARGV: own lease, lease time, grace, most connections. Removes connections of dead processes, each exactly once.
   * Returns how many, and the users whose last one was among them.
   */
  reap: define(
    "reap",
    `
if not mayEvict(ARGV[1], ARGV[2]) then return { "0" } end
for _, lease in ipairs(redis.call("ZRANGEBYSCORE", "presence:leases", "-inf", "(" .. now())) do revoke(lease) end
local left, answers = tonumber(ARGV[4]), { "0" }
for _, lease in ipairs(redis.call("SMEMBERS", "presence:condemned")) do
  local entries = left > 0 and redis.call("SPOP", "presence:lease:" .. lease, left) or {}
  left = left - #entries
  for _, entry in ipairs(entries) do
    local user, connection = string.match(entry, "^(%S+) (%S+)$")
    if removeConnection(user, connection, ARGV[3]) then answers[#answers + 1] = user end
  end
  if redis.call("EXISTS", "presence:lease:" .. lease) == 0 then redis.call("SREM", "presence:condemned", lease) end
end
answers[1] = tostring(ARGV[4] - left)
return answers`,
  ),
  /**
   * ARGV: own lease, lease time, grace; then users who are connected according to PostgreSQL. Begins a repairing transition
   * for those who are not and have none to save. Returns these users.
   */
  audit: define(
    "audit",
    `
local answers = {}
if not mayEvict(ARGV[1], ARGV[2]) then return answers end
for index = 4, #ARGV do
  local user = ARGV[index]
  if not isConnected(user) and redis.call("EXISTS", "presence:transition:" .. user) == 0 then
    beginTransition(user, false, "1", ARGV[3])
    answers[#answers + 1] = user
  end
end
return answers`,
  ),
  /** ARGV: grace, most users. Returns users whose transition is overdue, and claims them for the grace. */
  claimOverdue: define(
    "claim-overdue",
    `
local time = now()
local users = redis.call("ZRANGEBYSCORE", "presence:unsaved", "-inf", time, "LIMIT", 0, ARGV[2])
for _, user in ipairs(users) do
  redis.call("ZADD", "presence:unsaved", time + ARGV[1], user)
  redis.call("HSET", "presence:transition:" .. user, "late", "1")
end
return users`,
  ),
  /** ARGV: users. Returns per user: version ("" without a transition), ended or "", repair, late, connected. */
  transitions: define(
    "transitions",
    `
local answers = {}
for _, user in ipairs(ARGV) do
  local fields = redis.call("HMGET", "presence:transition:" .. user, "version", "ended", "repair", "late")
  answers[#answers + 1] = fields[1] or ""
  answers[#answers + 1] = fields[2] or ""
  answers[#answers + 1] = fields[3] or "0"
  answers[#answers + 1] = fields[4] or "0"
  answers[#answers + 1] = isConnected(user) and "1" or "0"
end
return answers`,
  ),
  /**
   * ARGV: grace; then per user: user, version that was saved or refused, version that PostgreSQL has. Forgets transitions
   * that are saved. Returns the users with one left: it began meanwhile, or PostgreSQL has a version from the future
   * (Redis was emptied and its clock set back), which this transition has to surpass.
   */
  markSaved: define(
    "mark-saved",
    `
local answers = {}
for index = 2, #ARGV, 3 do
  local user, version, stored = ARGV[index], ARGV[index + 1], ARGV[index + 2]
  local key = "presence:transition:" .. user
  local current = redis.call("HGET", key, "version")
  if current == version and tonumber(stored) <= tonumber(version) then
    redis.call("DEL", key)
    redis.call("ZREM", "presence:unsaved", user)
  elseif current then
    if current == version then
      local last = tonumber(redis.call("GET", "presence:version") or "0")
      redis.call("SET", "presence:version", string.format("%.0f", math.max(last, tonumber(stored))))
      beginTransition(user, isConnected(user), redis.call("HGET", key, "repair"), ARGV[1])
    end
    answers[#answers + 1] = user
  end
end
return answers`,
  ),
  /** ARGV: lease or "", user. Returns "lost" if the lease is, else "unsaved" if the user has a transition, else "clear". */
  inspect: define(
    "inspect",
    `
if ARGV[1] ~= "" and not redis.call("ZSCORE", "presence:leases", ARGV[1]) then return { "lost" } end
return { redis.call("EXISTS", "presence:transition:" .. ARGV[2]) == 1 and "unsaved" or "clear" }`,
  ),
  /** Returns the number of connections of all living processes. */
  count: define(
    "count",
    `
local total = 0
for _, lease in ipairs(redis.call("ZRANGEBYSCORE", "presence:leases", now(), "+inf")) do
  total = total + redis.call("SCARD", "presence:lease:" .. lease)
end
return { tostring(total) }`,
  ),
} as const;
