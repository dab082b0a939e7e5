#!/bin/sh
# Changes an installation of docker-compose.yml that runs (deploy/README.md, Upgrade and rollback):
#   deploy/parley.sh upgrade <version>   to the images of this version; an older one rolls back
#   deploy/parley.sh apply               to what .env and docker-compose.yml say now
# Migrates first; then starts one process of everything that changes where no request reaches it; then replaces one service
# after the other, new processes beside the old ones, which stop once the new ones are healthy. The first failure ends it: what it
# has started is removed, and the old processes go on serving. Run again, it continues.
# shellcheck disable=SC2046,SC2086 # lists of containers are split
set -eu
cd "$(dirname "$0")/.."

# Replaced beside each other in this order, and then the edge, of which there can be one: it has the port.
services="api gateway automod webhook-dispatcher"
edge=edge
# Never replaced here.
servers="postgres redis nats"
wait_seconds=180

settings=${COMPOSE_ENV_FILES:-.env}
settings=${settings##*,}
# What an exit removes: the processes that are tried, and those that were not there before their service was begun with.
trials=
replacing=
before=
former=
begun=
replaced=
# What is tried is unknown to docker-compose.yml on purpose.
export COMPOSE_IGNORE_ORPHANS=true

say() { echo "parley.sh: $*"; }
fail() {
  reason=$*
  exit 1
}
compose() { docker compose --progress quiet "$@"; }

# ---- What is there ---------------------------------------------------------------------------------------------------

# configured <service> <key>
configured() {
  printf '%s\n' "$configuration" | awk -v service="$1:" -v key="$2:" '
    /^[^ ]/ { part = $1 } /^  [^ ]/ { name = $1 }
    /^    [^ ]/ && part == "services:" && name == service && $1 == key { print $2 }'
}

# containers <service> [<filter>]: without a filter those that have ended too.
containers() {
  docker ps --all --quiet --no-trunc --filter "label=com.docker.compose.project=$project" \
    --filter "label=com.docker.compose.service=$1" --filter label=com.docker.compose.oneoff=False ${2:+"$2" "$3"}
}

# outdated <service>: its containers with another image or other settings than are configured now.
outdated() {
  image=$(docker image inspect --format '{{.Id}}' "$(configured "$1" image)" 2> /dev/null) || image=none
  hash=$(printf '%s\n' "$hashes" | sed -n "s/^$1 //p")
  found=$(containers "$1")
  if [ -z "$found" ]; then return; fi
  made='{{.Id}} {{index .Config.Labels "com.docker.compose.image"}} {{index .Config.Labels "com.docker.compose.config-hash"}}'
  found=$(docker inspect --format "$made" $found)
  printf '%s\n' "$found" | grep -v " $image $hash\$" | cut -d ' ' -f 1
}

# beside <service> <containers, one a line>: its other containers.
beside() { containers "$1" | grep -vxF "${2:-none}" || true; }

# versions <containers>: "0.1.0 x2"
versions() {
  docker inspect --format '{{.Config.Image}}' "$@" 2> /dev/null | sed 's/.*://' | sort | uniq -c | awk '{ print $2 " x" $1 }'
}

# running: one line, "api 0.1.0 x2, gateway 0.1.0 x2, ..."
running() {
  line=
  for service in $services $edge; do
    line="$line, $service $(versions $(containers "$service" --filter status=running))"
  done
  echo $line | sed 's/^, //'
}

# ---- Steps -----------------------------------------------------------------------------------------------------------

check() {
  docker compose version > /dev/null 2>&1 || fail "docker compose does not answer"
  [ -f "$settings" ] || fail "$settings is missing: deploy/make-env.sh makes it"
  configuration=$(compose config) || fail "docker-compose.yml or $settings is wrong"
  hashes=$(compose config --hash '*')
  project=$(printf '%s\n' "$configuration" | sed -n 's/^name: //p')
  version=$(configured api image)
  version=${version##*:}
  [ -n "$(containers api)" ] || fail "there is no installation yet: docker compose up --build -d"
  for service in migrate $services $edge; do
    require_image "$(configured "$service" image)"
  done
  for service in $edge $services; do
    for id in $(outdated "$service"); do former=$(versions "$id"); done
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

# require_image <name>: here, or in the registry that the name begins with.
require_image() {
  if docker image inspect "$1" > /dev/null 2>&1; then return; fi
  case ${1%%/*} in
    *.* | *:* | localhost) docker pull --quiet "$1" > /dev/null || fail "the image $1 could not be pulled" ;;
    *) fail "the image $1 is missing: in the checkout of that version, PARLEY_VERSION=${1##*:} docker compose build makes it" ;;
  esac
}

migrate() {
  say "migrating the database"
  compose run --rm --no-deps --no-TTY migrate < /dev/null || fail "the migration failed, its error is above"
}

# until_healthy <containers>: or prints the last lines of the one that is not and names its service.
until_healthy() {
  deadline=$(($(date +%s) + wait_seconds))
  for id in "$@"; do
    while :; do
      state=$(docker inspect --format '{{.State.Status}} {{.RestartCount}} {{with .State.Health}}{{.Status}}{{end}}' "$id" 2> /dev/null) || state=gone
      case $state in
        "running "*" healthy") break ;;
        "created 0 "* | "running 0 starting") [ "$(date +%s)" -lt "$deadline" ] || state=late ;;
        *) state=failed ;;
      esac
      case $state in
        failed | late)
          unhealthy=$(docker inspect --format '{{index .Config.Labels "com.docker.compose.service"}}' "$id")
          docker logs --tail 10 "$id" >&2 || true
          return 1
          ;;
      esac
      sleep 1
    done
  done
}

# try: starts one process of everything that changes, and removes it when it is healthy. No request reaches it: it has no name in
# the network, and that of the edge has no port.
try() {
  for service in $services $edge; do
    old=$(outdated "$service")
    if [ -z "$old" ]; then continue; fi
    say "trying $service $version"
    id=$(compose run --detach --no-deps --no-TTY --label parley.trial=yes "$service" < /dev/null) ||
      fail "$service $version could not be started"
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

replace_edge() {
  old=$(outdated $edge)
  if [ -z "$old" ]; then return; fi
  say "replacing $edge: for some seconds nothing connects, and WebSockets connect again"
  replaced=yes
  compose up --detach --no-deps --wait --wait-timeout "$wait_seconds" $edge || fail "$edge $version does not become healthy"
}

# record <variable> <value>: in the file of settings, with its owner and rights.
record() {
  cp -p "$settings" "$settings.tmp"
  { grep -v "^$1=" "$settings" || true; echo "$1=$2"; } > "$settings.tmp"
  mv "$settings.tmp" "$settings"
}

# ended: on every exit. Whatever serves goes on.
ended() {
  code=$?
  trap - EXIT INT TERM HUP
  set +e
  if [ -n "$trials" ]; then docker rm --force $trials > /dev/null 2>&1; fi
  if [ -n "$replacing" ]; then
    # One of them may be healthy and have requests.
    remove $(beside "$replacing" "$before")
  fi
  if [ "$code" = 0 ]; then return; fi
  {
    say "stopped: ${reason:-interrupted, or a command failed}"
    if [ -n "$begun" ]; then say "running: $(running)"; fi
    if [ -n "$replaced" ]; then
      say "the same command continues once that is repaired${former:+; deploy/parley.sh upgrade $former goes back}"
    else
      say "nothing was replaced; run the same command again once that is repaired"
    fi
  } >&2
  exit "$code"
}

roll_out() {
  check
  migrate
  try
  for each in $services; do replace "$each"; done
  replace_edge
  for each in $servers; do
    if [ -n "$(outdated "$each")" ]; then
      say "$each has other settings or another image than it runs with; docker compose up -d --no-deps $each replaces it, with an outage"
    fi
  done
}

upgrade() {
  export PARLEY_VERSION="$1"
  roll_out
  record PARLEY_VERSION "$1"
  if [ -n "$former" ] && [ "$former" != "$1" ]; then record PARLEY_VERSION_FORMER "$former"; fi
}

usage() {
  echo "usage: deploy/parley.sh upgrade <version> | apply" >&2
  exit 2
}

case ${1:-}:${2:-} in
  apply:) ;;
  upgrade: | upgrade:[!A-Za-z0-9_]* | upgrade:*[!A-Za-z0-9_.-]*) usage ;;
  upgrade:*) ;;
  *) usage ;;
esac
trap ended EXIT
trap 'exit 1' INT TERM HUP
case $1 in
  upgrade) upgrade "$2" ;;
  apply) roll_out ;;
esac
say "done, running: $(running)${former:+; deploy/parley.sh upgrade $former goes back}"
