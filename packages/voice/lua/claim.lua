-- ARGV: sorted set by milliseconds, age in milliseconds, most members. Returns members of this age, and sets their time
-- to the present, so that no other call returns them before they have it again.
local time = now()
local members = redis.call("ZRANGEBYSCORE", ARGV[1], "-inf", time - ARGV[2], "LIMIT", 0, ARGV[3])
for _, member in ipairs(members) do redis.call("ZADD", ARGV[1], time, member) end
return members
