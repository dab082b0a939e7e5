#!/bin/sh
# Starts one of two PostgreSQL servers. The one that finds the other taking writes becomes its synchronous standby: with an
# empty folder it copies the other first, and with the data of a former primary it refuses, so that there are never two.
set -eu
export PGPASSWORD="$POSTGRES_PASSWORD" PGCONNECT_TIMEOUT=3
ask() {
  psql --no-psqlrc --quiet --tuples-only --no-align --host "$POSTGRES_PEER" --username parley --dbname parley --command "$1"
}
other=$(ask "SELECT CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE 'primary' END" 2>/dev/null || echo away)

if [ -s "$PGDATA/PG_VERSION" ]; then
  if [ "$other" = primary ] && [ ! -e "$PGDATA/standby.signal" ]; then
    echo "$POSTGRES_PEER takes writes: deploy/parley rejoin makes this server the standby (deploy/runbook.md, Failover)" >&2
    exit 1
  fi
elif [ "$other" = primary ]; then
  rm -rf "$PGDATA.new"
  # Else it waits for the next checkpoint, for minutes.
  pg_basebackup --checkpoint fast --dbname "host=$POSTGRES_PEER user=parley application_name=standby" --pgdata "$PGDATA.new" --write-recovery-conf
  # Promoted, it has no standby to wait for.
  echo "synchronous_standby_names = ''" >> "$PGDATA.new/postgresql.auto.conf"
  rm -rf "$PGDATA"
  mv "$PGDATA.new" "$PGDATA"
  # From now on what the other acknowledges is here, too: its commits wait until this server has started.
  ask "ALTER SYSTEM SET synchronous_standby_names = 'standby'"
  ask "SELECT pg_reload_conf()" > /dev/null
elif [ "$POSTGRES_FIRST" != true ]; then
  echo "waits for $POSTGRES_PEER to take writes" >&2
  exit 1
fi
exec docker-entrypoint.sh "$@"
