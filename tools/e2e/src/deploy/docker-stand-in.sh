#!/bin/bash
# Stands for docker where deploy/operations meet a real PostgreSQL without an engine. Writes each call to $STAND_IN/calls, and has in
# $STAND_IN/running a file for each service that runs. At the first call that matches INTERRUPT_AT it acts as Ctrl-C, or
# ends without a word where FAIL_AT matches. Several PostgreSQL have their ports in $STAND_IN/ports, and $STAND_IN/server starts and
# stops them.
set -eu
[ "$1 ${2-}" != "compose --progress" ] || set -- compose "${@:4}"
echo "$*" >> "$STAND_IN/calls"
if [[ -n ${INTERRUPT_AT-} && $* =~ $INTERRUPT_AT ]] && mkdir "$STAND_IN/interrupted" 2> /dev/null; then
  kill -INT 0
  sleep 600
fi
# Until somebody removes the file.
if [[ -n ${HOLD_AT-} && $* =~ $HOLD_AT ]]; then
  touch "$STAND_IN/held"
  while [ -e "$STAND_IN/held" ]; do sleep 0.05; done
fi
if [[ -n ${FAIL_AT-} && $* =~ $FAIL_AT ]]; then exit 1; fi

services="postgres redis nats edge-port api gateway automod webhook-dispatcher discord edge"
if [ -e "$STAND_IN/ports" ]; then services="$services postgres-2 nats-2 nats-3"; fi
# server <up, stop or remove> <services>
server() {
  for name in "${@:2}"; do
    if [ -e "$STAND_IN/ports/$name" ]; then "$STAND_IN/server" "$1" "$name"; fi
  done
}
start() {
  server up "$@"
  for name in "$@"; do touch "$STAND_IN/running/$name"; done
}

# A rehearsal has a database of its own, and its services in $STAND_IN/rehearsal.
if [[ ${COMPOSE_PROJECT_NAME-} == *-rehearsal ]]; then
  case $* in
    "compose up "*) mkdir -p "$STAND_IN/rehearsal" && touch "$STAND_IN/rehearsal/${*: -1}" && exit ;;
    "compose down "*) rm -rf "$STAND_IN/rehearsal" && exit ;;
    "compose exec -T postgres"*)
      # Of two the other one may take writes.
      if [ -e "$STAND_IN/ports" ] && [[ $* == *pg_is_in_recovery* ]]; then
        if [ "$4" = "$REHEARSED_PRIMARY" ]; then echo primary; else echo standby; fi
        exit
      fi
      [ "$4" = "${REHEARSED_PRIMARY:-postgres}" ] || exit 1
      words=()
      for word in "${@:5}"; do
        if [[ $word == parley && ${words[*]: -1} != --username ]]; then word=rehearsal; fi
        words+=("$word")
      done
      exec "${words[@]}"
      ;;
    "compose run "*" migrate") exec psql -qc "$MIGRATE" rehearsal ;;
    "compose exec -T api node "*) cat > "$STAND_IN/requests" && echo "requests: answered" && exit ;;
  esac
fi
case $* in
  "compose version") ;;
  "compose config --hash"*) ;;
  "compose config")
    printf 'name: %s\nservices:\n' "${COMPOSE_PROJECT_NAME:-stand-in}"
    for name in $services; do printf '  %s:\n    image: parley/%s:0.2.0\n' "$name" "$name"; done
    ;;
  "compose up"*" postgres postgres-2") start postgres postgres-2 ;;
  "compose up"*" postgres"*) start "${!#}" ;;
  # shellcheck disable=SC2086
  "compose up"*) start $services ;;
  "compose stop "*) server stop "${@:3}" && cd "$STAND_IN/running" && rm -f "${@:3}" ;;
  "compose rm "*) server stop "${@:5}" && cd "$STAND_IN/running" && rm -f "${@:5}" ;;
  "volume rm "*) server remove "${4#stand-in_}" ;;
  "compose exec -T postgres"*)
    if [ -e "$STAND_IN/ports/$4" ]; then PGPORT=$(cat "$STAND_IN/ports/$4") && export PGPORT; fi
    exec "${@:5}"
    ;;
  "compose run "*" migrate ls migrations") ls "$STAND_IN/migrations" ;;
  "compose run "*" tar "*) cat > "$STAND_IN/uploads" ;;
  "info "*) echo / ;;
  "image inspect "*) ;;
  "logs "*) echo '{"method":"GET","path":"/servers","status":200,"seconds":0.01}' ;;
  ps\ *)
    name=$*
    name=${name##*service=}
    name=${name%% *}
    if [ -e "$STAND_IN/running/$name" ]; then echo "$name"; fi
    ;;
  "exec api sh -c "*) echo kept ;;
  "exec edge "*) exec "${@:3}" ;;
  "kill --signal HUP edge") kill -HUP "$(cat "$NGINX_PID")" ;;
  "inspect "*) echo "parley/x:0.2.0" ;;
  *) echo "the stand-in does not know: $*" >&2 && exit 64 ;;
esac
