# upgrade, rollback, apply: replaces the processes of an installation that runs (deploy/UPGRADING.md, Upgrade and rollback).
# Migrates first; then starts one process of everything that changes where no request reaches it; then replaces one service
# after the other, new processes beside the old ones, which stop once the new ones are healthy. The first failure ends it: what it
# has started is removed, and the old processes go on serving. Run again, it continues.
# shellcheck shell=sh disable=SC2034,SC2046,SC2086,SC2154 # lists of containers are split; names are of the whole script

wait_seconds=180

# What an exit removes: the processes that are tried, and those that were not there before their service was begun with.
trials=
replacing=
before=
former=
begun=
replaced=
# Whether a failure goes back to the version that the settings still name.
returning=

check() {
  take_release
  configure
  [ -n "$(containers api)" ] || fail "there is no installation yet: deploy/parley install makes it"
  require_images
  for each in $services; do
    for id in $(outdated "$each"); do former=$(versions "$id"); done
  done
  former=${former% x*}
  # An image that was made anew under the name of the last one has left nothing to go back to.
  if [ "$former" = "$version" ]; then former=; fi
  begun=yes
  # Of a run that was killed.
  for id in $(docker ps --all --quiet --filter "label=com.docker.compose.project=$project" --filter label=parley.trial=yes); do
    docker rm --force "$id" > /dev/null
  done
}

# try: starts one process of everything that changes, and removes it when it is healthy. No request reaches it: it has no name in
# the network, and an edge listens where nobody asks it.
try() {
  for each in $services; do
    old=$(outdated "$each")
    if [ -z "$old" ]; then continue; fi
    aside=
    if [ "$each" = edge ]; then
      # Of a version before edge-port.
      if [ -z "$(containers edge-port)" ]; then continue; fi
      aside="--env EDGE_LISTEN=127.0.0.1:18080 --env EDGE_LISTEN_TLS=127.0.0.1:18443"
    fi
    say "trying $each $version"
    id=$(compose run --detach --no-deps --no-TTY --label parley.trial=yes $aside "$each" < /dev/null) ||
      fail "$each $version could not be started"
    trials="$trials $id"
  done
  until_healthy $trials || fail "$unhealthy $version does not become healthy, its last lines are above"
  remove $trials
  trials=
}

# remove <containers>: in the time that each has to stop.
remove() {
  if [ $# = 0 ]; then return; fi
  docker stop "$@" > /dev/null
  docker rm "$@" > /dev/null
}

# replace <service>: as many new processes as are configured beside all old ones, which go when these are healthy.
replace() {
  before=$(containers "$1")
  replacing=$1
  old=$(outdated "$1")
  if [ -n "$old" ]; then say "replacing $1"; fi
  compose up --detach --no-deps --no-recreate --scale "$1=$(($(configured "$1" scale) + $(echo "$old" | wc -w)))" "$1" ||
    fail "$1 $version could not be started"
  until_healthy $(beside "$1" "$old") || fail "$1 $version does not become healthy, its last lines are above"
  replacing=
  if [ -z "$old" ]; then return; fi
  replaced=yes
  remove $old
  # Fewer where fewer are configured now.
  compose up --detach --no-deps --no-recreate "$1"
}

# move_port: from the edge of a version before edge-port, which has the published port itself.
move_port() {
  if [ -n "$(containers edge-port)" ]; then return; fi
  old=$(containers edge)
  say "giving the port to edge-port, once: for some seconds nothing connects, and WebSockets connect again"
  remove $old
  compose up --detach --no-deps --wait --wait-timeout "$wait_seconds" edge-port edge || fail "edge $version does not become healthy"
}

# verify: what clients meet first, through the edge.
verify() {
  for path in /health/serving /app/; do
    docker exec "$(first_running edge)" wget -q -O /dev/null "http://127.0.0.1:8080$path" || fail "$path is not answered through the edge"
  done
}

# ended: on every exit. Whatever serves goes on.
ended() {
  trap - INT TERM HUP
  if [ -n "$trials" ]; then docker rm --force $trials > /dev/null 2>&1; fi
  if [ -n "$replacing" ]; then
    # One of them may be healthy and have requests.
    remove $(beside "$replacing" "$before")
  fi
  if [ "$code" = 0 ]; then return; fi
  {
    say "stopped: ${reason:-interrupted, or a command failed}"
    if [ -n "$begun" ]; then say "running: $(running)"; fi
    if [ -z "$begun" ]; then
      :
    elif [ -z "$replaced" ]; then
      say "nothing was replaced; run the same command again once that is repaired"
    elif [ -n "$returning" ] && [ -n "$reason" ]; then
      say "going back to $former"
      if PARLEY_VERSION=$former "$0" apply; then
        say "$former serves again; run the same command again once that is repaired"
      else
        say "deploy/parley apply continues to go back"
      fi
    else
      say "the same command continues once that is repaired${former:+; deploy/parley upgrade $former goes back}"
    fi
  } >&2
}

roll_out() {
  at_exit=ended
  check
  if [ "$1" = with-backup ] && [ "$backup" = yes ]; then backup_database "$backups/$(date -u +%Y%m%dT%H%M%SZ)-before-$version"; fi
  migrate
  try
  for each in $services; do
    if [ "$each" = edge ]; then move_port; fi
    replace "$each"
  done
  verify
  record_release
  # It knows how many processes there should be. Without its profile it does not run.
  if [ -n "$(containers prometheus)" ] && [ -n "$(outdated prometheus)" ]; then
    say "replacing prometheus"
    compose --profile monitoring up --detach --no-deps prometheus || fail "prometheus could not be replaced; everything else was"
  fi
  for each in $servers; do
    if [ -n "$(outdated "$each")" ]; then
      say "$each has other settings or another image than it runs with: $(by_hand "$each"), with an outage"
    fi
  done
}

# upgrade <version> <with-backup or no-backup>
upgrade() {
  export PARLEY_VERSION="$1"
  returning=yes
  roll_out "$2"
  returning=
  record PARLEY_VERSION "$1"
  if [ -n "$former" ] && [ "$former" != "$1" ]; then record PARLEY_VERSION_FORMER "$former"; fi
  say "done, running: $(running)${former:+; deploy/parley rollback goes back to $former}"
}

rollback() {
  to=$(setting PARLEY_VERSION_FORMER)
  [ -n "$to" ] || fail "no former version is on record; deploy/parley upgrade <version> goes to any"
  upgrade "$to" no-backup
}

apply() {
  roll_out no-backup
  say "done, running: $(running)"
}
