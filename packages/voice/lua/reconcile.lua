-- ARGV: most unpublished changes; then for each announcement its kind, channel and user. Returns for each "" when Redis
-- has this state, or an unpublished change of it, whose announcement follows; else the present state as JSON ("null"
-- for none). If more changes are unpublished, they are not read, and every state counts as having one.
local answers, unpublished = {}, nil
local function isUnpublished(key)
  if redis.call("ZCARD", "voice:unsaid") > tonumber(ARGV[1]) then return true end
  if not unpublished then
    unpublished = {}
    for _, text in ipairs(redis.call("ZRANGE", "voice:unsaid", 0, -1)) do
      local change = cjson.decode(text)
      unpublished[change.kind == "voice" and "voice:user:" .. change.user_id or "go-live:" .. change.channel_id] = true
    end
  end
  return unpublished[key]
end
for index = 2, #ARGV, 3 do
  local channel, user = ARGV[index + 1], ARGV[index + 2]
  local key, isCurrent
  if ARGV[index] == "voice" then
    key = "voice:user:" .. user
    local state = load(key)
    isCurrent = state and state.channel_id == channel
  else
    key = "go-live:" .. channel
    local session = load(key)
    isCurrent = session and session.broadcaster_id == user
  end
  answers[#answers + 1] = (isCurrent or isUnpublished(key)) and "" or redis.call("GET", key) or "null"
end
return answers
