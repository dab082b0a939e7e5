-- ARGV: own lease, lease time, grace, most users, for how long numbered connections keep their users connected. Ends what
-- was kept for long enough, once each. A process whose lease is too young to evict ends what began under it. Returns how
-- many it ended, and the users who are not connected any more.
local since, answers = heldSince(ARGV[1]), { "0" }
if not since then return answers end
local from = mayEvict(ARGV[1], ARGV[2]) and "-inf" or since + ARGV[5]
local users = redis.call("ZRANGEBYSCORE", "presence:kept", from, now(), "LIMIT", 0, ARGV[4])
for _, user in ipairs(users) do
  redis.call("ZREM", "presence:kept", user)
  if not hasConnection(user) then
    beginTransition(user, false, "0", ARGV[3])
    answers[#answers + 1] = user
  end
end
answers[1] = tostring(#users)
return answers
