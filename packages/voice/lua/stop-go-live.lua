-- ARGV: user, channel. Returns "none", "not_broadcaster", or "stopped" and the change.
local session = load("go-live:" .. ARGV[2])
if not session then return { "none" } end
if session.broadcaster_id ~= ARGV[1] then return { "not_broadcaster" } end
stopSession(session)
return { "stopped", changes[1] }
