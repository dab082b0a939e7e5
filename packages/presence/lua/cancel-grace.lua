-- ARGV: user, time of transitions, milliseconds within which the loss of a connection is noticed. Ends the user's
-- grace; connections that are registered now have none when they are lost. Returns the user if they are thereby not
-- connected any more.
local user, transitionMs, noticedWithinMs = ARGV[1], ARGV[2], ARGV[3]
local hadGrace = redis.call("ZREM", "presence:kept", user) == 1
if hasConnection(user) then
  redis.call("SET", "presence:revoked:" .. user, "1", "PX", noticedWithinMs)
elseif hadGrace then
  beginTransition(user, false, "0", transitionMs)
  return { user }
end
return {}
