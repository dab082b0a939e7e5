-- KEYS: the sendings of a member. Returns 1 if any of them is cleared and not settled, else 0.
for _, judgement in ipairs(redis.call("ZRANGE", KEYS[1], 0, -1)) do
  if judgement:sub(1, 8) == "cleared:" then return 1 end
end
return 0
