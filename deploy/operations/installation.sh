# What every operation of deploy/parley needs: the installation that docker-compose.yml and the file of settings describe.
# shellcheck shell=sh disable=SC2034,SC2046,SC2086,SC2154 # lists of containers are split; names are of the whole script

# Replaced beside each other, in this order.
services="api gateway automod webhook-dispatcher discord edge"
# Never replaced by a rollout; edge-port has the published port. With deploy/compose.ha.yml there are more.
servers="postgres redis nats edge-port"
databases=postgres
# Who of them takes writes.
primary=postgres

settings=${COMPOSE_ENV_FILES:-.env}
settings=${settings##*,}
# What is tried is unknown to docker-compose.yml on purpose.
export COMPOSE_IGNORE_ORPHANS=true

say() { echo "parley: $*"; }
fail() {
  reason=$*
  exit 1
}
compose() { docker compose --progress quiet "$@"; }

# ask <question> <default>: the answer of who sits at the terminal, else the default.
ask() {
  answer=
  if [ -t 0 ]; then
    printf '%s [%s] ' "$1" "${2:-none}" >&2
    read -r answer || true
  fi
  echo "${answer:-$2}"
}

# confirm <what>: or ends here. `--yes` confirms everything.
confirm() {
  if [ "$yes" = yes ]; then return; fi
  [ -t 0 ] || fail "$1: nobody is there to confirm it; --yes does"
  case $(ask "$1. Go on? yes or no" no) in
    y | yes) ;;
    *) fail "nothing was done" ;;
  esac
}

# configure: reads docker-compose.yml and the settings; again after either has changed.
configure() {
  docker compose version > /dev/null 2>&1 || fail "docker compose does not answer"
  [ -f "$settings" ] || fail "$settings is missing: deploy/parley install makes it"
  configuration=$(compose config) || fail "docker-compose.yml or $settings is wrong"
  hashes=$(compose config --hash '*')
  project=$(printf '%s\n' "$configuration" | sed -n 's/^name: //p')
  version=$(configured api image)
  version=${version%@*}
  version=${version##*:}
  databases=$(named 'postgres(-[0-9]+)?')
  servers="$databases $(named '(redis|nats|sentinel)(-[0-9]+)?') edge-port"
  hash_edge
}

# hash_edge: Compose hashes the settings of the edge with the container that `service:edge-port` stands for in its place.
hash_edge() {
  port=$(containers edge-port)
  if [ -z "$port" ]; then return; fi
  files=$(setting COMPOSE_FILE)
  aside=$(mktemp)
  printf 'services: { edge: { network_mode: "container:%s" } }\n' "$port" > "$aside"
  made=$(COMPOSE_FILE=${files:-docker-compose.yml}:$aside compose config --hash edge) || made=
  rm "$aside"
  if [ -n "$made" ]; then hashes=$(printf '%s\n' "$hashes" | sed "s/^edge .*/$made/"); fi
}

# setting <name>: as Compose sees it, from the environment or the file.
setting() {
  given=$(printenv "$1") || given=
  if [ -z "$given" ] && [ -f "$settings" ]; then given=$(sed -n "s/^$1=//p" "$settings" | tail -n 1); fi
  echo "$given"
}

# record <variable> <value>: in the file of settings, with its owner and rights.
record() {
  cp -p "$settings" "$settings.tmp"
  { grep -v "^$1=" "$settings" || true; echo "$1=$2"; } > "$settings.tmp"
  mv "$settings.tmp" "$settings"
}

# named <pattern>: the configured services of such a name, in one line.
named() {
  printf '%s\n' "$configuration" | awk '/^[^ ]/ { part = $1 } /^  [^ ]/ && part == "services:" { sub(":", "", $1); print $1 }' |
    grep -xE "$1" | tr '\n' ' '
}

# role <service>: `primary` or `standby`; nothing where it does not answer.
role() {
  if [ -z "$(first_running "$1")" ]; then return; fi
  compose exec -T "$1" psql --username parley --dbname parley --no-psqlrc --tuples-only --no-align \
    --command "SELECT CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE 'primary' END" < /dev/null 2> /dev/null || true
}

# find_primary: of one server it is that one, whether it answers or not. Of several the one that takes writes, or it fails and says
# why in $reason.
find_primary() {
  case $databases in *' '?*) ;; *) return 0 ;; esac
  found=
  for each in $databases; do
    if [ "$(role "$each")" = primary ]; then found="$found $each"; fi
  done
  case $found in
    '') reason="no PostgreSQL takes writes: deploy/parley promote makes the standby do so" ;;
    ' '*' '*) reason="several PostgreSQL take writes,$found: stop the wrong one at once, docker compose stop; then deploy/parley rejoin" ;;
    *) primary=${found# } && return 0 ;;
  esac
  return 1
}

# sql <psql arguments>: as the owner of the database; statements come from standard input.
sql() {
  compose exec -T "$primary" psql --username parley --dbname parley --no-psqlrc --quiet --set ON_ERROR_STOP=1 "$@"
}

# free_disk_mb: of the fuller one of the disks that have the volumes and this folder.
free_disk_mb() {
  df -Pm "$(docker info --format '{{.DockerRootDir}}' 2> /dev/null)" . 2> /dev/null | awk 'NR > 1 { print $4 }' | sort -n | head -n 1
}

# first_running <service>: the first of its containers that runs.
first_running() { containers "$1" --filter status=running | head -n 1; }

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

# by_hand <server>: what replaces it. NATS stops before its volume is given to its user.
by_hand() {
  case $1 in
    nats*) echo "docker compose stop $1 && docker compose up -d $1" ;;
    *) echo "docker compose up -d --no-deps $1" ;;
  esac
}

# beside <service> <containers, one a line>: its other containers.
beside() { containers "$1" | grep -vxF "${2:-none}" || true; }

# versions <containers>: "0.1.0 x2"
versions() {
  docker inspect --format '{{.Config.Image}}' "$@" 2> /dev/null | sed 's/@.*//; s/.*://' | sort | uniq -c | awk '{ print $2 " x" $1 }'
}

# running: one line, "api 0.1.0 x2, gateway 0.1.0 x2, ..."
running() {
  line=
  for service in $services; do
    line="$line, $service $(versions $(containers "$service" --filter status=running))"
  done
  echo $line | sed 's/^, //'
}

# has_image <name>: here, or in the registry that the name begins with.
has_image() {
  if docker image inspect "$1" > /dev/null 2>&1; then return; fi
  case ${1%%/*} in
    *.* | *:* | localhost) docker pull --quiet "$1" > /dev/null ;;
    *) return 1 ;;
  esac
}

require_image() {
  if has_image "$1"; then return; fi
  case ${1%%/*} in
    *.* | *:* | localhost) fail "the image $1 could not be pulled" ;;
    *) fail "the image $1 is missing: in the checkout of that version, PARLEY_VERSION=${1##*:} docker compose build makes it" ;;
  esac
}

# require_images: of everything that is replaced. A version from before the service for Discord's bots has none of it.
require_images() {
  for each in migrate $services; do
    if [ "$each" = discord ] && ! has_image "$(configured discord image)"; then without_discord; fi
    if [ "$each" != discord ]; then require_image "$(configured "$each" image)"; fi
  done
}
without_discord() {
  say "this version has no service for bots that were written for Discord; what runs of it stays as it is"
  services=$(echo "$services" | sed 's/ discord//')
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
