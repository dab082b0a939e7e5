-- ARGV: own lease, lease time, time of transitions, most users, length of a grace. Ends expired graces, each
-- exactly once. A process whose lease is too young to evict others ends only those that began since it has held the
-- lease. Returns their number, and the users who are not connected any more.
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
