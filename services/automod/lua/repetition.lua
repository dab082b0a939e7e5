-- KEYS[1]: the messages of a member with one text. ARGV: the judgement, when it was sent in microseconds or "" for now,
-- expiry in milliseconds, most messages kept; then any number of windows in milliseconds. Counts the message once,
-- however often it is judged. Returns for each window how many messages there are in it up to this one.
local time = redis.call("TIME")
local sentAt = ARGV[2] ~= "" and ARGV[2] or string.format("%.0f", time[1] * 1000000 + time[2])
redis.call("ZADD", KEYS[1], "NX", sentAt, ARGV[1])
redis.call("ZREMRANGEBYRANK", KEYS[1], 0, -ARGV[4] - 1)
redis.call("PEXPIRE", KEYS[1], ARGV[3])
local at = tonumber(redis.call("ZSCORE", KEYS[1], ARGV[1]) or sentAt)
local counts = {}
for index = 5, #ARGV do
  counts[#counts + 1] = redis.call(
    "ZCOUNT", KEYS[1], string.format("(%.0f", at - ARGV[index] * 1000), string.format("%.0f", at))
end
return counts
