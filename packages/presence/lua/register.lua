-- ARGV: lease, repair, most connections per user, time of transitions; then per connection: user, connection, order ("" for a new
-- one), lease under which it was registered before (or ""), channels that it shows. Returns "lost" if the lease does not exist, else "held"
-- and per connection: order, "1" if the user has a transition to save, the evicted connections separated by spaces.
local lease, repair, connectionsMax, transitionMs = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
if not redis.call("ZSCORE", "presence:leases", lease) then return { "lost" } end
local answers = { "held" }
for index = 5, #ARGV, 5 do
  local user, connection, order, previousLease, channels = unpack(ARGV, index, index + 4)
  local key = connectionsKey(user, connection)
  local wasConnected = isConnected(user)
  local known = redis.call("ZSCORE", key, connection)
  if known then
    order = known
  else
    if order == "" then
      order = nextVersion()
      redis.call("DEL", "presence:revoked:" .. user)
    end
    addConnection(user, connection, order)
  end
  local entry = user .. " " .. connection
  if previousLease ~= "" and previousLease ~= lease then redis.call("SREM", "presence:lease:" .. previousLease, entry) end
  redis.call("SADD", "presence:lease:" .. lease, entry)
  setView(user, connection, lease, channels)
  redis.call("ZREM", "presence:kept", user)
  if not wasConnected then beginTransition(user, true, repair, transitionMs) end
  local evicted = {}
  for _ = 1, redis.call("ZCOUNT", key, "-inf", "(+inf") - connectionsMax do evicted[#evicted + 1] = redis.call("ZPOPMIN", key)[1] end
  answers[#answers + 1] = order
  answers[#answers + 1] = tostring(redis.call("EXISTS", "presence:transition:" .. user))
  answers[#answers + 1] = table.concat(evicted, " ")
end
return answers
