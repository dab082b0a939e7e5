-- Ends a reservation unless it has expired and another message has taken it. ARGV: token, milliseconds that it still
-- stands; 0 gives it back.
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return end
if ARGV[2] == "0" then redis.call("DEL", KEYS[1]) else redis.call("PEXPIRE", KEYS[1], ARGV[2]) end
