-- ARGV: time of transitions; then per connection: lease, user, connection, grace of its user in milliseconds.
-- Returns per connection "1" when its user is not connected any more, else "0".
local answers = {}
for index = 2, #ARGV, 4 do
  local lease, user, connection, graceMs = unpack(ARGV, index, index + 3)
  redis.call("SREM", "presence:lease:" .. lease, user .. " " .. connection)
  answers[#answers + 1] = removeConnection(user, connection, ARGV[1], graceMs, false) and "1" or "0"
end
return answers
