-- ARGV: age in milliseconds, most servers. Returns servers with voice states whose last check of rights has this age,
-- and records a check of them, so that no other call returns them before they have it again.
local time, due = now(), {}
for _, server in ipairs(redis.call("ZRANGEBYSCORE", "voice:checks", "-inf", time - ARGV[1], "LIMIT", 0, ARGV[2])) do
  redis.call("ZADD", "voice:checks", time, server)
  due[#due + 1] = server
end
return due
