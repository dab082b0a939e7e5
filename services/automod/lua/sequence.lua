-- One call handles messages of many members, so keys are arguments. This needs one Redis, not Redis Cluster.
--
-- ARGV: expiry in milliseconds, most messages kept, most ids returned; then for each judged message a JSON array of
-- the key of the member's sequence and the ids of the member's latest messages, oldest first, the judged one last. Ids
-- without a number get the next ones. Returns for each judged message the ids up to its number, latest first, without
-- ids that are less, and so older, than the first one given.
local answers = {}
for argument = 4, #ARGV do
  local ids = cjson.decode(ARGV[argument])
  local key = ids[1]
  redis.call("ZREMRANGEBYRANK", key, 0, -ARGV[2] - 1)
  local last = redis.call("ZREVRANGE", key, 0, 0, "WITHSCORES")[2]
  local number = last and tonumber(last) or 0
  for index = 2, #ids do
    if not redis.call("ZSCORE", key, ids[index]) then
      number = number + 1
      redis.call("ZADD", key, number, ids[index])
    end
  end
  redis.call("PEXPIRE", key, ARGV[1])
  local judged = redis.call("ZSCORE", key, ids[#ids])
  local sequence = {}
  for _, id in ipairs(redis.call("ZREVRANGEBYSCORE", key, judged, "-inf", "LIMIT", 0, ARGV[3])) do
    if id >= ids[2] then sequence[#sequence + 1] = id end
  end
  answers[#answers + 1] = sequence
end
return answers
