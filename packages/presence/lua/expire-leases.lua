-- ARGV: own lease, lease time, time of transitions, most connections, grace of the users of numbered ones. Removes
-- connections of expired and released leases, each exactly once. Returns their number, and the users who are not
-- connected any more. Does nothing while the own lease is too young to evict others.
if not mayEvict(ARGV[1], ARGV[2]) then return { "0" } end
for _, lease in ipairs(redis.call("ZRANGEBYSCORE", "presence:leases", "-inf", "(" .. now())) do expireLease(lease) end
local left, answers = tonumber(ARGV[4]), { "0" }
for _, lease in ipairs(redis.call("SMEMBERS", "presence:condemned")) do
  local entries = left > 0 and redis.call("SPOP", "presence:lease:" .. lease, left) or {}
  left = left - #entries
  for _, entry in ipairs(entries) do
    local user, connection = string.match(entry, "^(%S+) (%S+)$")
    local graceMs = string.match(connection, ":numbered$") and ARGV[5] or 0
    if removeConnection(user, connection, ARGV[3], graceMs, true) then answers[#answers + 1] = user end
  end
  if redis.call("EXISTS", "presence:lease:" .. lease) == 0 then redis.call("SREM", "presence:condemned", lease) end
end
answers[1] = tostring(ARGV[4] - left)
return answers
