-- ARGV: lease, lease time, "1" to create it. Returns "lost" if it does not exist, else "held" and its connections'
-- number.
local lease, time = ARGV[1], now()
local expiry = redis.call("ZSCORE", "presence:leases", lease)
if not expiry and ARGV[3] ~= "1" then return { "lost" } end
if not expiry or tonumber(expiry) < time then redis.call("HSET", "presence:steady", lease, time) end
redis.call("ZADD", "presence:leases", time + ARGV[2], lease)
return { "held", tostring(redis.call("SCARD", "presence:lease:" .. lease)) }
