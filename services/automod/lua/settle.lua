-- ARGV: expiry of arrivals; then groups of text key, judgement, sendings key, arrivals key, message. A text that is let go
-- of stays known: whoever asked the database before must ask it again. A cleared message arrives before it stops being
-- under way, so that nobody can miss it.
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
