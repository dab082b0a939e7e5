# admin: who administers the installation, from the next request on.
# shellcheck shell=sh disable=SC2154 # names are of the whole script

# administrators <add, remove or list> [<name>]
administrators() {
  configure
  compose exec --no-TTY api node dist/administrators-main.js "$@" || fail "nothing was changed"
}
