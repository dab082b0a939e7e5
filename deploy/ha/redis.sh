#!/bin/sh
# Starts Redis, or a sentinel, with a configuration in its volume, where what the sentinels decided is written down. Passwords
# and names are made by the first start; a changed password needs the file removed.
set -eu
file=/data/$1.conf
if [ ! -e "$file" ]; then
  umask 077
  if [ "$1" = sentinel ]; then
    cat > "$file.new" <<END
dir /data
requirepass $REDIS_PASSWORD
sentinel sentinel-pass $REDIS_PASSWORD
sentinel resolve-hostnames yes
sentinel announce-hostnames yes
sentinel announce-ip $REDIS_NAME
sentinel monitor parley redis 6379 2
sentinel auth-pass parley $REDIS_PASSWORD
sentinel down-after-milliseconds parley 3000
sentinel failover-timeout parley 20000
END
  else
    cat > "$file.new" <<END
dir /data
requirepass $REDIS_PASSWORD
masterauth $REDIS_PASSWORD
replica-announce-ip $REDIS_NAME
appendonly yes
appendfsync everysec
save ""
${REDIS_OF:+replicaof $REDIS_OF 6379}
END
  fi
  mv "$file.new" "$file"
fi
[ "$1" = sentinel ] && exec redis-server "$file" --sentinel
exec redis-server "$file"
