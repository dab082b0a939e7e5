-- ARGV: time of transitions; then per user: user, version that was saved or refused, version that PostgreSQL has. Deletes the
-- transitions that are saved. Returns the users who still have one: a later transition, or a new one made here because
-- PostgreSQL has a higher version (Redis was emptied and its clock set back), which the version of the new one exceeds.
local answers = {}
for index = 2, #ARGV, 3 do
  local user, version, stored = ARGV[index], ARGV[index + 1], ARGV[index + 2]
  local key = "presence:transition:" .. user
  local current = redis.call("HGET", key, "version")
  if current == version and tonumber(stored) <= tonumber(version) then
    redis.call("DEL", key)
    redis.call("ZREM", "presence:unsaved", user)
  elseif current then
    if current == version then
      local last = tonumber(redis.call("GET", "presence:version") or "0")
      redis.call("SET", "presence:version", string.format("%.0f", math.max(last, tonumber(stored))))
      beginTransition(user, isConnected(user), redis.call("HGET", key, "repair"), ARGV[1])
    end
    answers[#answers + 1] = user
  end
end
return answers
