#!/bin/bash
# Stands for the containers of the two PostgreSQL of deploy/compose.ha.yml: starts them by deploy/ha/postgres.sh, with Debian's programs.
#   server up <name> | server stop <name> | server kill <name> | server remove <name>
set -eu
here=$STAND_IN/servers
export PGDATA=$here/$2
as_postgres() {
  if [ "$(id -u)" = 0 ]; then setpriv --reuid postgres --regid postgres --clear-groups "$@"; else "$@"; fi
}
running() { as_postgres pg_ctl -D "$PGDATA" status > /dev/null 2>&1; }
case $1 in
  up)
    if running; then exit; fi
    case $2 in
      postgres) peer=postgres-2 POSTGRES_FIRST=true ;;
      *) peer=postgres POSTGRES_FIRST=false ;;
    esac
    export POSTGRES_FIRST POSTGRES_PEER=127.0.0.1 POSTGRES_PASSWORD=unused OWN_PORT
    OWN_PORT=$(cat "$STAND_IN/ports/$2")
    PGPORT=$(cat "$STAND_IN/ports/$peer") as_postgres sh "$POSTGRES_SH" > "$here/log-$2" 2>&1
    ;;
  stop) if running; then as_postgres pg_ctl -D "$PGDATA" -w -m fast stop > /dev/null; fi ;;
  kill) as_postgres pg_ctl -D "$PGDATA" -w -m immediate stop > /dev/null ;;
  remove) rm -rf "$PGDATA" ;;
esac
