-- Each key is a list of the latest attempts, newest first, at most as many as its limit, each `<milliseconds>:<id>` by
-- the clock of Redis. ARGV: window in milliseconds, id, the limit of each key. Returns 0 when the attempt was counted,
-- else the milliseconds after which there is room for one.
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = tonumber(ARGV[1])
local wait = 0
for index, key in ipairs(KEYS) do
  local oldest = redis.call("LINDEX", key, ARGV[2 + index] - 1)
  if oldest then wait = math.max(wait, tonumber(oldest:match("^%d+")) + window - now) end
end
if wait > 0 then return wait end
for index, key in ipairs(KEYS) do
  redis.call("LPUSH", key, string.format("%.0f:%s", now, ARGV[2]))
  redis.call("LTRIM", key, 0, ARGV[2 + index] - 1)
  redis.call("PEXPIRE", key, window)
end
return 0
