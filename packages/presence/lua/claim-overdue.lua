-- ARGV: time of transitions, most users. Returns users whose transition is overdue, and postpones it by that time, so
-- that no other call returns them meanwhile.
local time = now()
local users = redis.call("ZRANGEBYSCORE", "presence:unsaved", "-inf", time, "LIMIT", 0, ARGV[2])
for _, user in ipairs(users) do
  redis.call("ZADD", "presence:unsaved", time + ARGV[1], user)
  redis.call("HSET", "presence:transition:" .. user, "late", "1")
end
return users
