-- ARGV: most unconfirmed changes; then for each announcement its kind, channel and user. Returns for each "" when Redis
-- has this state, or an unconfirmed change of the same subject, whose announcement follows; else the present state as
-- JSON ("null" for none). If more changes are unconfirmed, they are not read, and every subject counts as having one.
local answers, unsaid = {}, nil
local function isUnsaid(subject)
  if redis.call("ZCARD", "voice:unsaid") > tonumber(ARGV[1]) then return true end
  if not unsaid then
    unsaid = {}
    for _, text in ipairs(redis.call("ZRANGE", "voice:unsaid", 0, -1)) do
      local change = cjson.decode(text)
      unsaid[change.kind == "voice" and "voice:user:" .. change.user_id or "go-live:" .. change.channel_id] = true
    end
  end
  return unsaid[subject]
end
for index = 2, #ARGV, 3 do
  local channel, user = ARGV[index + 1], ARGV[index + 2]
  local subject, isTrue
  if ARGV[index] == "voice" then
    subject = "voice:user:" .. user
    local state = load(subject)
    isTrue = state and state.channel_id == channel
  else
    subject = "go-live:" .. channel
    local session = load(subject)
    isTrue = session and session.broadcaster_id == user
  end
  answers[#answers + 1] = (isTrue or isUnsaid(subject)) and "" or redis.call("GET", subject) or "null"
end
return answers
