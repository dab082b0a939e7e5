-- ARGV: expiry of sequences in milliseconds; then for each ticket the key of the text, the judgement, the keys of the
-- member's messages in flight and of their sequence, and the message; "-" for none. The key of an unlocked text stays,
-- empty, until it expires: the next message with the text gets `used` and reads the database, which may have this one
-- by now. The script numbers an approved message and ends its approval at once, so every judgement finds it as one of
-- the two.
for at = 2, #ARGV, 5 do
  local textKey, judgement, inFlightKey, sequenceKey, message = unpack(ARGV, at, at + 4)
  if textKey ~= "-" and redis.call("GET", textKey) == judgement then redis.call("SET", textKey, "", "KEEPTTL") end
  if inFlightKey ~= "-" then
    if message ~= "-" and not redis.call("ZSCORE", sequenceKey, message) then
      local last = redis.call("ZREVRANGE", sequenceKey, 0, 0, "WITHSCORES")[2]
      redis.call("ZADD", sequenceKey, (last and tonumber(last) or 0) + 1, message)
      redis.call("PEXPIRE", sequenceKey, ARGV[1])
    end
    local sentAt = redis.call("ZSCORE", inFlightKey, "approved:" .. judgement)
    if sentAt then
      redis.call("ZREM", inFlightKey, "approved:" .. judgement)
      redis.call("ZADD", inFlightKey, sentAt, judgement)
    end
  end
end
