-- ARGV: own lease, lease time, grace; then users who are connected according to PostgreSQL. Begins a repairing transition
-- for those who are not and have none to save. Returns these users.
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
