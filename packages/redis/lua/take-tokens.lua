-- Each key has the time at which its bucket is full again, and expires at that time, so a missing key is a full bucket.
-- Times are in microseconds, by the clock of Redis, which is the same for all processes.
-- ARGV: the number of keys of one take; then three for each key: interval between two tokens in microseconds, burst, cost. A
-- negative cost returns tokens. The keys are those of one take after the other. A take has tokens from all of its buckets or
-- from none. Returns the present time, then for each key 1 if it has the tokens, else 0, and the time at which it is full.
local time = redis.call("TIME")
local now = time[1] * 1000000 + time[2]
local size = tonumber(ARGV[1])
local reply = {now}
for first = 1, #KEYS, size do
  local after, all = {}, true
  for i = first, first + size - 1 do
    local interval, burst, cost = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
    local capacity = interval * burst
    local full = tonumber(redis.call("GET", KEYS[i]) or now)
    local current = math.min(math.max(full, now), now + capacity)
    after[i] = math.max(current + cost * interval, now)
    local allowed = after[i] - now <= capacity
    all = all and allowed
    reply[2 * i] = allowed and 1 or 0
    reply[2 * i + 1] = current
  end
  if all then
    for i = first, first + size - 1 do
      reply[2 * i + 1] = after[i]
      if after[i] > now then
        redis.call("SET", KEYS[i], string.format("%.0f", after[i]), "PX", math.ceil((after[i] - now) / 1000))
      else
        redis.call("DEL", KEYS[i])
      end
    end
  end
end
return reply
