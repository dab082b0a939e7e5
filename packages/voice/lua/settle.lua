-- ARGV: for each announced change its JSON text, the key of what it is about, and the version that was announced (0
-- for "gone"). Confirms those that are still the truth; returns for each "settled", or the truth as JSON ("null" for
-- gone).
local answers = {}
for index = 1, #ARGV, 3 do
  local text = redis.call("GET", ARGV[index + 1])
  local version = text and cjson.decode(text).version or 0
  if version == tonumber(ARGV[index + 2]) then
    redis.call("ZREM", "voice:unsaid", ARGV[index])
    answers[#answers + 1] = "settled"
  else
    answers[#answers + 1] = text or "null"
  end
end
return answers
