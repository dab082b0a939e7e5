-- ARGV: two users. Returns the channel that both are in, or nothing.
local a, b = loadState(ARGV[1]), loadState(ARGV[2])
if ARGV[1] == ARGV[2] or not a or not b or a.channel_id ~= b.channel_id then return {} end
return { a.channel_id }
