-- ARGV: expiry of arrivals in milliseconds; then for each ticket the key of the text, the judgement, the keys of the
-- member's sendings and arrivals, and the message; "-" for none. The key of a settled text stays, empty, until it
-- expires: the next sending of the text gets `seen` and reads the database, which may have the message by now. The
-- script adds the arrival of a cleared message and ends its clearance at once, so every judgement finds it as one of
-- the two.
for at = 2, #ARGV, 5 do
  local textKey, judgement, sendingsKey, arrivalsKey, message = unpack(ARGV, at, at + 4)
  if textKey ~= "-" and redis.call("GET", textKey) == judgement then redis.call("SET", textKey, "", "KEEPTTL") end
  if sendingsKey ~= "-" then
    if message ~= "-" and not redis.call("ZSCORE", arrivalsKey, message) then
      local last = redis.call("ZREVRANGE", arrivalsKey, 0, 0, "WITHSCORES")[2]
      redis.call("ZADD", arrivalsKey, (last and tonumber(last) or 0) + 1, message)
      redis.call("PEXPIRE", arrivalsKey, ARGV[1])
    end
    local sentAt = redis.call("ZSCORE", sendingsKey, "cleared:" .. judgement)
    if sentAt then
      redis.call("ZREM", sendingsKey, "cleared:" .. judgement)
      redis.call("ZADD", sendingsKey, sentAt, judgement)
    end
  end
end
