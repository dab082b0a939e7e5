-- ARGV: lease or "", user. Returns "lost" if the lease does not exist, else "unsaved" if the user has a transition,
-- else "clear".
if ARGV[1] ~= "" and not redis.call("ZSCORE", "presence:leases", ARGV[1]) then return { "lost" } end
return { redis.call("EXISTS", "presence:transition:" .. ARGV[2]) == 1 and "unsaved" or "clear" }
