-- Deletes the turn unless it has expired and another request has taken it. ARGV: holder.
if redis.call("GET", KEYS[1]) == ARGV[1] then redis.call("DEL", KEYS[1]) end
