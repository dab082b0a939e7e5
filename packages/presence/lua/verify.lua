-- ARGV: own lease, lease time, time of transitions; then users who are connected according to PostgreSQL. Begins a transition to
-- offline with `repair` 1 for those who are not connected in Redis and have no transition. Returns these users. Does
-- nothing while the own lease is too young to evict others.
local answers = {}
if not mayEvict(ARGV[1], ARGV[2]) then return answers end
for index = 4, #ARGV do
  local user = ARGV[index]
  if not isConnected(user) and redis.call("EXISTS", "presence:transition:" .. user) == 0 then
    beginTransition(user, false, "1", ARGV[3])
    answers[#answers + 1] = user
  end
end
return answers
