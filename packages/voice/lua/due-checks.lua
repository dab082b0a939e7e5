-- ARGV: age in milliseconds, most servers. Returns servers with voice states whose rights were not checked for so long,
-- and keeps others off them.
local time, due = now(), {}
for _, server in ipairs(redis.call("ZRANGEBYSCORE", "voice:checks", "-inf", time - ARGV[1], "LIMIT", 0, ARGV[2])) do
  redis.call("ZADD", "voice:checks", time, server)
  due[#due + 1] = server
end
return due
