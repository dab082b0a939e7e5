-- ARGV: users. Returns per user: version ("" without a transition), ended or "", repair, late, connected.
local answers = {}
for _, user in ipairs(ARGV) do
  local fields = redis.call("HMGET", "presence:transition:" .. user, "version", "ended", "repair", "late")
  answers[#answers + 1] = fields[1] or ""
  answers[#answers + 1] = fields[2] or ""
  answers[#answers + 1] = fields[3] or "0"
  answers[#answers + 1] = fields[4] or "0"
  answers[#answers + 1] = isConnected(user) and "1" or "0"
end
return answers
