-- Returns the number of connections under leases that have not expired.
local total = 0
for _, lease in ipairs(redis.call("ZRANGEBYSCORE", "presence:leases", now(), "+inf")) do
  total = total + redis.call("SCARD", "presence:lease:" .. lease)
end
return { tostring(total) }
