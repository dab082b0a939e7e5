-- ARGV: grace; then per connection: lease, user, connection. Returns per connection "1" for a user's last.
local answers = {}
for index = 2, #ARGV, 3 do
  local user, connection = ARGV[index + 1], ARGV[index + 2]
  redis.call("SREM", "presence:lease:" .. ARGV[index], user .. " " .. connection)
  answers[#answers + 1] = removeConnection(user, connection, ARGV[1]) and "1" or "0"
end
return answers
