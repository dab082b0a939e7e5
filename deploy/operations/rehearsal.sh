# upgrade <version> --rehearse (deploy/UPGRADING.md, A rehearsal): the last backup and the new version beside the running installation, in
# a Compose project of its own, which every exit removes.
# shellcheck shell=sh disable=SC2034,SC2046,SC2086,SC2154 # lists of services are split; names are of the whole script

# rehearse <version>
rehearse() {
  export PARLEY_VERSION="$1"
  take_release
  configure
  [ -n "$(containers api)" ] || fail "there is no installation yet: deploy/parley install makes it"
  require_images
  from=$(newest_backup)
  [ -n "$from" ] || fail "$backups has no backup: deploy/parley backup makes one"
  unfinished=$(mktemp -d)
  for id in $(containers edge --filter status=running); do docker logs --since 1m "$id" 2> /dev/null; done > "$unfinished/log"
  served=$project
  files=$(setting COMPOSE_FILE)
  export COMPOSE_PROJECT_NAME="$served-rehearsal" COMPOSE_FILE="${files:-docker-compose.yml}:$PWD/deploy/compose.rehearsal.yml"
  export API_SCALE=1 GATEWAY_SCALE=1 AUTOMOD_SCALE=1 WEBHOOK_DISPATCHER_SCALE=1 DISCORD_SCALE=1 EDGE_SCALE=1
  # All requests come from one address.
  export RATE_LIMIT_REST_RPS=100000 RATE_LIMIT_REST_BURST=100000
  configure
  # What follows replaces the database of this project.
  [ "$project" = "$served-rehearsal" ] || fail "the project of the rehearsal is $project; nothing was changed"
  at_exit=rehearsal_ended
  remove_rehearsal

  say "rehearsing the upgrade to $version with $from"
  timed compose up --detach --wait $databases || fail "PostgreSQL does not start"
  find_primary || fail "$reason"
  dump=$from/database.dump
  # Files are not looked at by a migration.
  uploads=
  examine_backup "$from"
  timed restore_database
  restoring=$seconds
  timed dump_copy
  dumping=$seconds
  before=$(migrations_and_rows)
  timed migrate
  migrating=$seconds
  after=$(migrations_and_rows)
  [ "$(echo "$before" | tail -n 1)" = "$(echo "$after" | tail -n 1)" ] ||
    fail "the migration changes the number of users and messages, $(echo "$before" | tail -n 1) to $(echo "$after" | tail -n 1)"
  added=$(echo "$after" | grep -vxF "$before" | tr '\n' ' ')

  say "starting $version beside the installation"
  compose up --detach --wait $servers || fail "the servers of the copy do not start"
  replacing_takes=0
  slowest=0
  for each in $services; do
    timed compose up --detach --no-deps --wait --wait-timeout "$wait_seconds" "$each" || unhealthy_rehearsal "$each"
    say "$each was healthy after $seconds s"
    replacing_takes=$((replacing_takes + seconds))
    [ "$seconds" -le "$slowest" ] || slowest=$seconds
  done
  say "repeating the requests of the last minute"
  { readers; cat "$unfinished/log"; } |
    compose exec -T api node --input-type=module --eval "$(cat deploy/operations/rehearsal.mjs)" > "$unfinished/answers" ||
    fail "$version does not serve as it should: $(tr '\n' ';' < "$unfinished/answers")"

  drains=$(setting DRAIN_SECONDS)
  edge_drains=$(setting EDGE_DRAIN_SECONDS)
  stopping=$((${drains:-10} + ${edge_drains:-20}))
  say "restored $from in $restoring s"
  say "migrations: ${added:-none }in $migrating s"
  sed 's/^/parley: /' "$unfinished/answers"
  say "done: the upgrade to $version would take about $((dumping + migrating + slowest + replacing_takes + stopping)) s, $stopping of them for connections to end"
}

# newest_backup: with a database that is whole.
newest_backup() {
  find "$backups" -mindepth 2 -maxdepth 2 -path '*/[0-9]*T[0-9]*Z*/database.dump' 2> /dev/null | grep -v '\.part/' |
    sed 's|/database.dump$||' | LC_ALL=C sort | tail -n 1
}

# dump_copy: as the backup of an upgrade does.
dump_copy() { compose exec -T "$primary" pg_dump --username parley --format custom parley > /dev/null; }

# timed <command>: its time is in seconds.
timed() {
  began=$(date +%s)
  "$@" || return
  seconds=$(($(date +%s) - began))
}

# migrations_and_rows: one migration a line, then the numbers of users and messages.
migrations_and_rows() {
  echo 'SELECT migration_name FROM _prisma_migrations ORDER BY 1; SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM messages)' |
    sql --tuples-only --no-align
}

# readers: who wrote last in each of the channels that were used last, as a line of JSON.
readers() {
  sql --tuples-only --no-align << 'END'
SELECT json_build_object('user', u.id, 'session', u.session_version, 'channel', m.channel_id, 'server', m.server_id)
FROM (SELECT DISTINCT ON (channel_id) channel_id, server_id, author_id, id
  FROM (SELECT * FROM messages WHERE author_id IS NOT NULL AND listed ORDER BY id DESC LIMIT 20000) recent
  ORDER BY channel_id, id DESC) m
JOIN users u ON u.id = m.author_id WHERE u.disabled_at IS NULL AND NOT EXISTS (SELECT FROM bots b WHERE b.user_id = u.id) ORDER BY m.id DESC LIMIT 2000;
END
}

unhealthy_rehearsal() {
  docker logs --tail 10 "$(containers "$1" | head -n 1)" >&2 || true
  fail "$1 $version does not become healthy, its last lines are above"
}

remove_rehearsal() { docker compose --progress quiet down --volumes --remove-orphans --timeout 1; }

# rehearsal_ended: on every exit. The installation itself was not touched.
rehearsal_ended() {
  trap '' INT TERM HUP
  remove_rehearsal || say "something of the rehearsal is left: docker compose -p $project down --volumes removes it" >&2
  if [ "$code" != 0 ]; then say "the rehearsal ended: ${reason:-interrupted, or a command failed}; the installation is as it was" >&2; fi
}
