-- ARGV: for each announced change its JSON text, the key of its state, and the announced version (0 for an end).
-- Confirms those changes whose version Redis still has. Returns for each "settled", or the present state as JSON
-- ("null" for none).
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
