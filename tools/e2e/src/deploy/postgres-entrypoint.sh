#!/bin/sh
# Stands for the entrypoint of PostgreSQL's image, which deploy/ha/postgres.sh becomes.
set -eu
first=
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb -U parley --auth=trust --no-sync > /dev/null
  first=yes
fi
pg_ctl -w -l "$PGDATA/log" -o "-c port=$OWN_PORT -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off" start
if [ -n "$first" ]; then PGPORT=$OWN_PORT createdb --host 127.0.0.1 --username parley parley; fi
