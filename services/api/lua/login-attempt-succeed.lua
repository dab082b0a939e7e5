-- Removes an attempt from the lists. ARGV: its id.
for _, key in ipairs(KEYS) do
  for _, attempt in ipairs(redis.call("LRANGE", key, 0, -1)) do
    if attempt:sub(-#ARGV[1]) == ARGV[1] then redis.call("LREM", key, 1, attempt) end
  end
end
