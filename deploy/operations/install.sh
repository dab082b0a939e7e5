# install: checks the machine, makes the settings, and starts everything.
# shellcheck shell=sh disable=SC2154 # names are of the whole script

memory_mb_min=3000
disk_mb_min=8000

# check_machine: every reason why it will not do, then the end.
check_machine() {
  missing=
  lacks() {
    say "$1" >&2
    missing=yes
  }
  engine=$(docker version --format '{{.Server.Version}}' 2> /dev/null) || engine=
  case ${engine%%.*} in
    '') lacks "no Docker Engine answers: install Docker 25 or later, or run this as somebody who may use it" ;;
    *[!0-9]*) ;;
    *) [ "${engine%%.*}" -ge 25 ] || lacks "Docker is $engine, which is before 25" ;;
  esac
  docker compose version > /dev/null 2>&1 || lacks "docker compose is missing: install its plugin"
  [ -e /proc/sys/net/ipv4/tcp_migrate_req ] || lacks "Linux is $(uname -r), which is before 5.14"
  memory=$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)
  [ "$memory" -ge "$memory_mb_min" ] || lacks "the machine has $memory MB of memory; $memory_mb_min are needed"
  free=$(free_disk_mb)
  [ "${free:-0}" -ge "$disk_mb_min" ] || lacks "the disk has ${free:-0} MB left; $disk_mb_min are needed"
  [ -z "$missing" ] || fail "the machine will not do"
}

install() {
  check_machine
  if [ ! -f "$settings" ]; then
    deploy/make-env.sh "$settings" > /dev/null
    chosen=$(ask "Address at which people will reach it, such as https://chat.example.com" "")
    if [ -n "$chosen" ]; then record PUBLIC_URL "${chosen%/}"; fi
    chosen=$(ask "Port of this machine" 8080)
    if [ "$chosen" != 8080 ]; then record EDGE_PORT "$chosen"; fi
    chosen=$(ask "Only from this machine, for a proxy with TLS? yes or no" yes)
    case $chosen in y | yes) record EDGE_ADDRESS 127.0.0.1 ;; esac
    for each in PARLEY_IMAGES PARLEY_VERSION PARLEY_KEY; do
      if given=$(printenv "$each"); then record "$each" "$given"; fi
    done
    say "$settings is written, with the secrets of $(setting SECRETS): they are also in the volumes, so keep a copy of both somewhere else"
  fi
  take_release
  configure
  [ -z "$(containers api)" ] || fail "it is installed already: deploy/parley upgrade or apply"
  case ${PARLEY_IMAGES:-$(setting PARLEY_IMAGES)} in
    '' | *[!A-Za-z0-9_.:/-]*)
      if ! docker image inspect "$(configured api image)" > /dev/null 2>&1; then
        say "building the images, some minutes"
        compose build
      fi
      ;;
    *) require_images ;;
  esac
  record_release
  say "starting"
  compose up --detach --wait --wait-timeout 600 || fail "not everything is healthy: deploy/parley doctor"
  say "done, running: $(running)"
  port=$(setting EDGE_PORT)
  say "it answers at http://localhost:${port:-8080}; register there, then: deploy/parley admin add <name>"
}
