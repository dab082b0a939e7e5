-- The keys of presence in Redis. Only these scripts change them:
--
-- - `presence:leases`: sorted set of the leases of gateway processes, by the millisecond in which they expire
-- - `presence:steady`: hash, per lease the millisecond since which it has been renewed without interruption
-- - `presence:condemned`: set of expired or released leases whose connections are being removed. Such a lease is never
--   renewed; a process that still runs registers its connections under a new one
-- - `presence:lease:<lease>`: set of `<user> <connection>`, the connections of the process
-- - `presence:connections:<user>`: sorted set of connections, oldest first; the user is connected while the key
--   exists. The names of numbered ones end with `:numbered`. Connections `<id>#<shard>` are in
--   `presence:connections:<user>#<shard>` instead; while that key exists, this one has the entry `#<shard>`, after all
--   connections. So the connections of each shard are counted separately
-- - `presence:kept`: sorted set of users by the end of their grace, the millisecond until which they count as connected
--   because a numbered connection (docs/protocol/continuing.md#19.4) was lost; the user may have others. Every registration of a
--   connection removes its user
-- - `presence:revoked:<user>`: exists after the user's sessions have ended, while the loss of a connection that was
--   registered then may still be noticed: none of them has a grace. A new connection deletes the key
-- - `presence:view:<user>`: hash, per connection of the user that shows channels its lease, a line feed, and the ids of
--   these channels, separated by spaces. An entry counts until its lease expires
-- - `presence:transition:<user>`: hash of the user's last transition (0 → 1 or 1 → 0), until PostgreSQL has it:
--   `version`; `ended`, the version of the last 1 → 0, whose voice state must end; `late`, 1 once `claim-overdue` has
--   returned it;
--   `repair`, see below
-- - `presence:unsaved`: sorted set of the users with a transition, by the millisecond from which any process may save
--   it
-- - `presence:version`: the last version. Versions are at least the time in microseconds, so they also grow after
--   Redis was emptied
--
-- A transition with `repair` 1 reconciles PostgreSQL with Redis (a lease was lost, Redis was emptied) and is no change
-- by itself: the status changes only if PostgreSQL has the opposite.
--
-- The scripts compute keys from stored values, such as the users under a lease, and cannot declare them. This needs one
-- Redis, with or without replicas, not Redis Cluster. All times are by the clock of Redis.

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
local function beginTransition(user, online, repair, transitionMs)
  local key, version = "presence:transition:" .. user, nextVersion()
  redis.call("HSET", key, "version", version, "repair", repair, "late", "0")
  if not online then redis.call("HSET", key, "ended", version) end
  redis.call("ZADD", "presence:unsaved", now() + transitionMs, user)
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
local function setView(user, connection, lease, channels)
  local key = "presence:view:" .. user
  if channels == "" then redis.call("HDEL", key, connection) else redis.call("HSET", key, connection, lease .. "\n" .. channels) end
end
-- The last connection of a user, if it has no grace, also ends that of an earlier one, but not if its
-- process died (`died`): all connections of a dead process ended at the same time, so none of them is the later one.
-- Returns whether the user is thereby not connected any more.
local function removeConnection(user, connection, transitionMs, graceMs, died)
  local key, shard = connectionsKey(user, connection), shardOf(connection)
  setView(user, connection, "", "")
  if redis.call("ZREM", key, connection) == 0 then return false end
  if shard and redis.call("EXISTS", key) == 0 then redis.call("ZREM", "presence:connections:" .. user, shard) end
  if tonumber(graceMs) > 0 and redis.call("EXISTS", "presence:revoked:" .. user) == 0 then
    redis.call("ZADD", "presence:kept", "GT", now() + graceMs, user)
  elseif not died and not hasConnection(user) then
    redis.call("ZREM", "presence:kept", user)
  end
  if isConnected(user) then return false end
  beginTransition(user, false, "0", transitionMs)
  return true
end
local function expireLease(lease)
  redis.call("ZREM", "presence:leases", lease)
  redis.call("HDEL", "presence:steady", lease)
  if redis.call("EXISTS", "presence:lease:" .. lease) == 1 then redis.call("SADD", "presence:condemned", lease) end
end
-- After an outage of Redis every lease has expired, and an emptied Redis has no connections. A process may evict others
-- only once it has held its own lease for the length of a lease: by then every running process has renewed its own.
local function heldSince(lease)
  local expiry, since = redis.call("ZSCORE", "presence:leases", lease), redis.call("HGET", "presence:steady", lease)
  return expiry and since and tonumber(expiry) >= now() and tonumber(since)
end
local function mayEvict(lease, leaseMs)
  local since = heldSince(lease)
  return since and now() - since >= tonumber(leaseMs)
end
