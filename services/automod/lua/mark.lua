-- ARGV: expiry; then keys, which are many and of the moment: this needs one Redis, not Redis Cluster.
for index = 2, #ARGV do redis.call("SET", ARGV[index], 1, "EX", ARGV[1]) end
