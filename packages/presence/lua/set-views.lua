-- ARGV: lease; then per connection: user, connection, channels that it shows, separated by spaces. It skips connections
-- that are not registered under the lease: their registration brings their channels.
local lease = ARGV[1]
for index = 2, #ARGV, 3 do
  local user, connection, channels = unpack(ARGV, index, index + 2)
  if redis.call("SISMEMBER", "presence:lease:" .. lease, user .. " " .. connection) == 1 then
    setView(user, connection, lease, channels)
  end
end
return {}
