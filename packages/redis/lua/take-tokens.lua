-- Each key has the time at which its bucket is full again, and expires at that time, so a missing key is a full bucket.
-- Times are in microseconds, by the clock of Redis, which is the same for all processes.
-- ARGV, three for each key: interval between two tokens in microseconds, burst, cost. A negative cost returns tokens.
-- Tokens are taken from all buckets or from none. Returns the present time, then for each key 1 if it has the tokens,
-- else 0, and the time at which it is full.
local time = redis.call("TIME")
local now = time[1] * 1000000 + time[2]
local reply, after, all = {now}, {}, true
for i, key in ipairs(KEYS) do
  local interval, burst, cost = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i])
  local capacity = interval * burst
  local full = tonumber(redis.call("GET", key) or now)
  local current = math.min(math.max(full, now), now + capacity)
  after[i] = math.max(current + cost * interval, now)
  local allowed = after[i] - now <= capacity
  all = all and allowed
  reply[2 * i] = allowed and 1 or 0
  reply[2 * i + 1] = current
end
if not all then
  return reply
end
for i, key in ipairs(KEYS) do
  reply[2 * i + 1] = after[i]
  if after[i] > now then
    redis.call("SET", key, string.format("%.0f", after[i]), "PX", math.ceil((after[i] - now) / 1000))
  else
    redis.call("DEL", key)
  end
end
return reply
