-- ARGV: user, grace, for how long connections that are registered now may be noticed to be lost. The user is not connected
-- any more unless a connection says so, and none of these keeps them when it is lost. Returns the user if that ended it.
local user, graceMs, noticedWithinMs = ARGV[1], ARGV[2], ARGV[3]
local wasKept = redis.call("ZREM", "presence:kept", user) == 1
if hasConnection(user) then
  redis.call("SET", "presence:revoked:" .. user, "1", "PX", noticedWithinMs)
elseif wasKept then
  beginTransition(user, false, "0", graceMs)
  return { user }
end
return {}
