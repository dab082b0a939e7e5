-- ARGV: age in milliseconds, most changes. Returns unconfirmed changes of that age, and keeps others off them.
local time = now()
local texts = redis.call("ZRANGEBYSCORE", "voice:unsaid", "-inf", time - ARGV[1], "LIMIT", 0, ARGV[2])
for _, text in ipairs(texts) do redis.call("ZADD", "voice:unsaid", time, text) end
return texts
