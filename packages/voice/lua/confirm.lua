-- ARGV: for each published change its JSON text, the key of its state, and the published version (0 for an end). Takes
-- those changes whose version Redis still has out of `voice:unsaid`. Returns for each "confirmed", or the present state
-- as JSON ("null" for none).
local answers = {}
for index = 1, #ARGV, 3 do
  local text = redis.call("GET", ARGV[index + 1])
  local version = text and cjson.decode(text).version or 0
  if version == tonumber(ARGV[index + 2]) then
    redis.call("ZREM", "voice:unsaid", ARGV[index])
    answers[#answers + 1] = "confirmed"
  else
    answers[#answers + 1] = text or "null"
  end
end
return answers
