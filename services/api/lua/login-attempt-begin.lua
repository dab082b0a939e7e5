-- Each key is a list of the latest attempts, newest first, at most as many as its limit, each `<milliseconds>:<id>` by
-- the clock of Redis. ARGV: window in milliseconds, id, the limit of each key. Returns {0, 0} when the attempt was counted,
-- else the milliseconds after which there is room for one, and the number of the key that has to be waited for.
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local window = tonumber(ARGV[1])
local wait = 0
local full = 0
for index, key in ipairs(KEYS) do
  local oldest = redis.call("LINDEX", key, ARGV[2 + index] - 1)
  local keyWait = oldest and tonumber(oldest:match("^%d+")) + window - now or 0
  if keyWait > wait then
    wait = keyWait
    full = index
  end
end
if wait > 0 then return {wait, full} end
for index, key in ipairs(KEYS) do
  redis.call("LPUSH", key, string.format("%.0f:%s", now, ARGV[2]))
  redis.call("LTRIM", key, 0, ARGV[2 + index] - 1)
  redis.call("PEXPIRE", key, window)
end
return {0, 0}
