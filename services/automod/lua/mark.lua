-- ARGV: expiry in seconds; then the keys of any number of judgements. This needs one Redis, not Redis Cluster.
for index = 2, #ARGV do redis.call("SET", ARGV[index], 1, "EX", ARGV[1]) end
