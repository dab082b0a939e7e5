-- KEYS: the messages of a member in flight. Returns 1 if any of them is approved and not released, else 0.
for _, judgement in ipairs(redis.call("ZRANGE", KEYS[1], 0, -1)) do
  if judgement:sub(1, 9) == "approved:" then return 1 end
end
return 0
