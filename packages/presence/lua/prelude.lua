-- Everything about presence in Redis, changed by these scripts alone:
--
-- - `presence:leases`: sorted set of the leases of gateway processes, by the millisecond in which they expire
-- - `presence:steady`: hash, per lease the millisecond since which it has been held without interruption
-- - `presence:condemned`: set of expired or released leases whose connections are being removed. Such a lease is never
--   renewed: its process registers its connections under a new one
-- - `presence:lease:<lease>`: set of `<user> <connection>` that the process holds
-- - `presence:connections:<user>`: sorted set of connections, oldest first; the user is connected while it exists. The
--   names of numbered ones end with `:numbered`. Connections `<id>#<shard>` are in `presence:connections:<user>#<shard>`
--   instead, and this one has the entry `#<shard>`, after all connections, while that one exists: so the connections of
--   each shard are counted apart
-- - `presence:kept`: sorted set of users by the millisecond until which they count as connected without a connection,
--   because a numbered one (docs/interface.md#19.4) was lost; its user may have others. Whoever connects leaves it
-- - `presence:revoked:<user>`: exists while those of the user's connections that were registered when their sessions ended
--   may still be removed: none of them keeps the user connected. Whoever connects anew removes it
-- - `presence:transition:<user>`: hash of the user's last transition (0 → 1 or 1 → 0), until PostgreSQL has it:
--   `version`; `ended`, the version of the last 1 → 0, whose voice state must end; `late`, 1 once the process that made it was too slow;
--   `repair`, see below
-- - `presence:unsaved`: sorted set of the users with a transition, by the millisecond from which any process may save it
-- - `presence:version`: the last version given out. Versions are microseconds, so they keep growing over an emptied Redis
--
-- A transition with `repair` 1 reconciles PostgreSQL with Redis (a lease was lost, Redis was emptied) and is no change by
-- itself: the status changes only if PostgreSQL has the opposite.
--
-- Which users a dead process held is known only inside a script, so keys are computed there: this needs one Redis (with
-- replicas, if you like), not Redis Cluster. All times are Redis' own.

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
local function hasConnection(user) return redis.call("EXISTS", "presence:connections:" .. user) == 1 end
local function isConnected(user) return hasConnection(user) or redis.call("ZSCORE", "presence:kept", user) end
local function shardOf(connection) return string.match(connection, "#%d+") end
local function connectionsKey(user, connection)
  return "presence:connections:" .. user .. (shardOf(connection) or "")
end
local function addConnection(user, connection, order)
  redis.call("ZADD", connectionsKey(user, connection), order, connection)
  local shard = shardOf(connection)
  if shard then redis.call("ZADD", "presence:connections:" .. user, "+inf", shard) end
end
-- All connections of a dead process ended at once, so none of them is the last one that could end what another one kept.
local function removeConnection(user, connection, graceMs, keepMs, died)
  local key, shard = connectionsKey(user, connection), shardOf(connection)
  if redis.call("ZREM", key, connection) == 0 then return false end
  if shard and redis.call("EXISTS", key) == 0 then redis.call("ZREM", "presence:connections:" .. user, shard) end
  if tonumber(keepMs) > 0 and redis.call("EXISTS", "presence:revoked:" .. user) == 0 then
    redis.call("ZADD", "presence:kept", "GT", now() + keepMs, user)
  elseif not died and not hasConnection(user) then
    redis.call("ZREM", "presence:kept", user)
  end
  if isConnected(user) then return false end
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
local function heldSince(lease)
  local expiry, since = redis.call("ZSCORE", "presence:leases", lease), redis.call("HGET", "presence:steady", lease)
  return expiry and since and tonumber(expiry) >= now() and tonumber(since)
end
local function mayEvict(lease, leaseMs)
  local since = heldSince(lease)
  return since and now() - since >= tonumber(leaseMs)
end
