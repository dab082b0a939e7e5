# restore (deploy/runbook.md, Backup and restore). Reads the whole backup before it stops anything. The files come before the rows that
# name them, and the rows in one transaction; so whatever ends it leaves the rows that were there, or those of the backup.
# shellcheck shell=sh disable=SC2034,SC2086,SC2154 # lists of services are split; names are of the whole script

# Whether an exit has services to start, the schema that was there before, and whether its events are gone.
stopped=
schema=
forgotten=

# restore <folder>: everything that is there now is replaced by what is in the backup.
restore() {
  configure
  # What it starts at its end are all of them.
  compose up --detach --no-recreate --wait $databases ||
    fail "PostgreSQL does not start; nothing was changed. One that was the primary before comes back by deploy/parley rejoin"
  find_primary || fail "$reason; nothing was changed"
  dump=$1/database.dump
  uploads=$1/uploads.tar
  examine_backup "$1"
  confirm "Everything that users have now is replaced by $1"
  at_exit=restore_ended
  end_restores
  schema=$(schema_id)
  say "stopping the services"
  stopped=yes
  compose stop edge api gateway automod webhook-dispatcher discord
  if [ -f "$uploads" ]; then
    say "restoring the uploads"
    compose run --rm --no-deps --no-TTY api tar -C /data/uploads -xf - < "$uploads" || fail "the uploads could not be restored"
  fi
  restore_database
  forget_events || fail "the events of NATS, which are of the former database, could not be removed"
  forgotten=yes
  say "starting the services"
  compose up --detach --no-recreate --wait || fail "not everything is healthy: deploy/parley doctor"
  stopped=
  say "done, running: $(running)"
}

# examine_backup <folder>: whole, of Parley, of a version that is not newer than this one, and not larger than the disk.
examine_backup() {
  say "reading the backup"
  [ -f "$dump" ] || fail "$dump is missing"
  if [ -f "$1/SHA256SUMS" ]; then
    (cd "$1" && sha256sum -c SHA256SUMS >&2) || fail "$1 is not what was written into it; nothing was changed"
  elif [ -f "$uploads" ]; then
    # An archive ends with two empty blocks; tar itself accepts some that are cut.
    if [ "$(tail -c 1024 "$uploads" | tr -d '\0' | wc -c)" != 0 ] || ! compose exec -T "$primary" tar -tf - < "$uploads" > /dev/null; then
      fail "$uploads is broken or cut; nothing was changed"
    fi
  fi
  bytes=$(compose exec -T "$primary" bash -o pipefail -c 'pg_restore --file - | wc -c' < "$dump") ||
    fail "$dump is broken or cut; nothing was changed"

  migrations=$(compose exec -T "$primary" pg_restore --data-only --table=_prisma_migrations --file - < "$dump" |
    sed -n 's/^.*	\([0-9]\{14\}_[A-Za-z0-9_]*\)	.*$/\1/p')
  known=$(compose run --rm --no-deps --no-TTY migrate ls migrations < /dev/null) || fail "the migrations of $version could not be listed"
  printf '%s\n' "$migrations" | grep -qxF "$known" || fail "$dump is no backup of Parley; nothing was changed"
  # A version that was rolled back to serves a database that is ahead of it.
  known="$known
$(echo 'SELECT migration_name FROM _prisma_migrations' | sql --tuples-only --no-align 2> /dev/null || true)"
  newer=$(printf '%s\n' "$migrations" | grep -vxF "$known" | tail -n 1) || newer=
  [ -z "$newer" ] ||
    fail "the backup is of a newer version ($(cat "$1/image" 2> /dev/null || echo unknown)), whose migration $newer $version lacks; nothing was changed"

  # Rows with their indexes and log, beside those that they replace.
  needed=$((bytes * 4 / 1048576 + 1))
  if [ -f "$uploads" ]; then needed=$((needed + $(wc -c < "$uploads") / 1048576)); fi
  free=$(free_disk_mb)
  [ "${free:-0}" -ge "$needed" ] || fail "the disk has ${free:-0} MB left; the backup needs $needed; nothing was changed"
}

restore_database() {
  say "restoring the database"
  # Only the end of the SQL is its success: where pg_restore fails, psql ends without an error, too.
  whole=$({
    echo "SET application_name = 'parley restore'; SET client_min_messages = warning;"
    echo 'BEGIN; DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION pg_database_owner;'
    # The migration job gives the role of the services its rights; a new cluster has not even the role.
    compose exec -T "$primary" pg_restore --no-privileges --file - < "$dump" && printf '%s\n' 'COMMIT;' '\echo whole'
  } | sql --output /dev/null) || whole=
  [ "$whole" = whole ] || fail "the database could not be restored"
}

# end_restores: those whose command was killed, which PostgreSQL may go on with.
end_restores() {
  echo "SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity WHERE application_name = 'parley restore'" | sql --output /dev/null
}

# schema_id: another one once a restore is committed.
schema_id() { echo "SELECT oid FROM pg_namespace WHERE nspname = 'public'" | sql --tuples-only --no-align; }

# forget_events: of rows that may no longer exist. Gateways begin anew.
forget_events() {
  events=$(named 'nats(-[0-9]+)?')
  giver=$(named nats-volume)
  compose rm --stop --force $events $giver || return 1
  for each in $events; do docker volume rm --force "${project}_$each" > /dev/null || return 1; done
}

# restore_ended: on every exit. No service stays stopped.
restore_ended() {
  trap '' INT TERM HUP
  if [ "$code" = 0 ]; then return; fi
  {
    say "stopped: ${reason:-interrupted, or a command failed}"
    if [ -n "$stopped" ]; then
      compose up --detach --no-recreate --wait $databases
      find_primary
      end_restores
      if [ "$(schema_id)" = "$schema" ]; then
        say "the database is as it was; starting the services"
      else
        [ -n "$forgotten" ] || forget_events
        say "the database is that of the backup; starting the services"
      fi
      # An api that is slow to become healthy keeps Compose from starting the edge.
      tries=1
      until compose up --detach --no-recreate --wait; do
        [ "$tries" -lt 3 ] || { say "not everything is healthy: deploy/parley doctor" && break; }
        tries=$((tries + 1))
      done
      say "running: $(running)"
    fi
    say "the same command begins again"
  } >&2
}
