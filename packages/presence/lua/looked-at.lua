-- ARGV: user, channel, and so on. Returns for each of these pairs "1" when a connection of the user shows the channel, else "0".
local time, held, views, answers = now(), {}, {}, {}
local function isHeld(lease)
  if held[lease] == nil then
    local expiry = redis.call("ZSCORE", "presence:leases", lease)
    held[lease] = (expiry and tonumber(expiry) >= time) and true or false
  end
  return held[lease]
end
local function viewOf(user)
  local shown = {}
  for _, view in ipairs(redis.call("HVALS", "presence:view:" .. user)) do
    local lease, channels = string.match(view, "^([^\n]*)\n(.*)$")
    if isHeld(lease) then shown[#shown + 1] = channels end
  end
  return table.concat(shown, " ")
end
for index = 1, #ARGV, 2 do
  local user, channel = ARGV[index], ARGV[index + 1]
  views[user] = views[user] or viewOf(user)
  answers[#answers + 1] = string.find(views[user], channel, 1, true) and "1" or "0"
end
return answers
