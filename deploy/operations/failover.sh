# promote, rejoin (deploy/runbook.md, Failover): of the two PostgreSQL of deploy/compose.ha.yml.
# shellcheck shell=sh disable=SC2154 # names are of the whole script

# two_databases: or ends here.
two_databases() {
  configure
  case $databases in *' '?*) ;; *) fail "there is one PostgreSQL; deploy/compose.ha.yml has two" ;; esac
}

# promote: the standby takes writes. The other one is stopped first, whatever its state: there may never be two.
promote() {
  two_databases
  standby=
  for each in $databases; do
    if [ "$(role "$each")" = standby ]; then standby=$each; fi
  done
  [ -n "$standby" ] || fail "no standby answers; nothing was changed"
  for each in $databases; do
    if [ "$each" = "$standby" ]; then continue; fi
    if [ "$(role "$each")" = primary ]; then confirm "$each takes writes and will be stopped"; fi
    say "stopping $each"
    compose stop "$each" || fail "$each could not be stopped; $standby was not promoted"
  done
  primary=$standby
  promoted=$(echo 'SELECT pg_promote(true, 60)' | sql --tuples-only --no-align) || promoted=
  [ "$promoted" = t ] || fail "$standby was not promoted within a minute: docker compose logs $standby"
  say "done: $standby takes writes, and nobody follows it; deploy/parley rejoin takes the other one back"
}

# rejoin: the one that does not follow becomes the standby, with a copy of the primary in the place of its data.
rejoin() {
  two_databases
  find_primary || fail "$reason; nothing was changed"
  for each in $databases; do
    if [ "$each" = "$primary" ]; then continue; fi
    if [ "$(role "$each")" = standby ]; then
      say "$each follows already"
      continue
    fi
    confirm "$each gets a copy of $primary; what it has itself is removed"
    say "copying $primary to $each"
    compose rm --stop --force "$each" || fail "$each could not be removed; its data is as it was"
    docker volume rm --force "${project}_$each" > /dev/null || fail "the data of $each could not be removed; it does not run"
    compose up --detach --no-deps --wait "$each" || fail "$each does not start: docker compose logs $each; the same command begins again"
    [ "$(role "$each")" = standby ] || fail "$each is no standby: docker compose logs $each"
  done
  say "done: $primary takes writes, and is followed"
}
