-- Frees the turn if the caller still holds it. ARGV: holder.
if redis.call("GET", KEYS[1]) == ARGV[1] then redis.call("DEL", KEYS[1]) end
