-- ARGV: for each message the key of its text, its judgement, the key of the member's messages in flight, the most
-- others with which it is approved, and the milliseconds for which it is remembered. A key is "-" when its rule does
-- not apply. Locks the text unless another message has locked it. Returns for each the state of the text before the
-- call, and 1 if the message is approved, else 0.
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answers = {}
for at = 1, #ARGV, 5 do
  local textKey, judgement, inFlightKey, othersMax, rememberedMs = unpack(ARGV, at, at + 4)
  local text, approved = "new", 0
  if textKey ~= "-" then
    local holder = redis.call("GET", textKey)
    if holder then text = holder == "" and "used" or "locked" end
    if text ~= "locked" then redis.call("SET", textKey, judgement, "PX", rememberedMs) end
  end
  if inFlightKey ~= "-" then
    redis.call("ZREMRANGEBYSCORE", inFlightKey, "-inf", now - rememberedMs)
    redis.call("ZREM", inFlightKey, judgement, "approved:" .. judgement)
    if redis.call("ZCARD", inFlightKey) <= tonumber(othersMax) then approved = 1 end
    redis.call("ZADD", inFlightKey, now, (approved == 1 and "approved:" or "") .. judgement)
    redis.call("PEXPIRE", inFlightKey, rememberedMs)
  end
  answers[#answers + 1] = { text, approved }
end
return answers
