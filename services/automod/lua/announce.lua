-- ARGV: for each sending the key of its text, its judgement, the key of the member's sendings, the most others with
-- which it is cleared, and the milliseconds for which it is remembered. A key is "-" when its rule does not apply.
-- Reserves the text unless another sending holds it. Returns for each the state of the text before the call, and 1 if
-- it is cleared, else 0.
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answers = {}
for at = 1, #ARGV, 5 do
  local textKey, judgement, sendingsKey, othersMax, rememberedMs = unpack(ARGV, at, at + 4)
  local text, cleared = "fresh", 0
  if textKey ~= "-" then
    local holder = redis.call("GET", textKey)
    if holder then text = holder == "" and "seen" or "held" end
    if text ~= "held" then redis.call("SET", textKey, judgement, "PX", rememberedMs) end
  end
  if sendingsKey ~= "-" then
    redis.call("ZREMRANGEBYSCORE", sendingsKey, "-inf", now - rememberedMs)
    redis.call("ZREM", sendingsKey, judgement, "cleared:" .. judgement)
    if redis.call("ZCARD", sendingsKey) <= tonumber(othersMax) then cleared = 1 end
    redis.call("ZADD", sendingsKey, now, (cleared == 1 and "cleared:" or "") .. judgement)
    redis.call("PEXPIRE", sendingsKey, rememberedMs)
  end
  answers[#answers + 1] = { text, cleared }
end
return answers
