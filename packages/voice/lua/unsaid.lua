-- ARGV: age in milliseconds, most changes. Returns unconfirmed changes of this age, and sets their time to the
-- present, so that no other call returns them before they have it again.
local time = now()
local texts = redis.call("ZRANGEBYSCORE", "voice:unsaid", "-inf", time - ARGV[1], "LIMIT", 0, ARGV[2])
for _, text in ipairs(texts) do redis.call("ZADD", "voice:unsaid", time, text) end
return texts
