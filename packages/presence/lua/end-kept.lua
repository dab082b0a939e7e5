-- ARGV: user, grace, milliseconds within which the loss of a connection is noticed. Removes the user from
-- `presence:kept`; connections that are registered now do not keep the user connected when they are lost. Returns the
-- user if they are thereby not connected any more.
local user, graceMs, noticedWithinMs = ARGV[1], ARGV[2], ARGV[3]
local wasKept = redis.call("ZREM", "presence:kept", user) == 1
if hasConnection(user) then
  redis.call("SET", "presence:revoked:" .. user, "1", "PX", noticedWithinMs)
elseif wasKept then
  beginTransition(user, false, "0", graceMs)
  return { user }
end
return {}
