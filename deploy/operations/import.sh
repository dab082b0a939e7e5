# import: a community comes in from an archive of another service, with its report and progress; also --undo <id>.
# shellcheck shell=sh disable=SC2154 # names are of the whole script

# import_archive <path or --undo> [<options of the program>]
import_archive() {
  configure
  if [ "$1" = --undo ]; then
    compose exec --no-TTY api node dist/import-main.js "$@" </dev/null || fail "the import was not undone"
    return
  fi
  path=$1
  shift
  [ -e "$path" ] || fail "there is no $path"
  name=$(basename "$path")
  # A folder becomes an archive on the way.
  if [ -d "$path" ]; then
    tar -C "$path" -cf - . | compose exec --no-TTY api node dist/import-main.js "$name.tar" "$@" || fail "not everything was imported"
  else
    compose exec --no-TTY api node dist/import-main.js "$name" "$@" <"$path" || fail "not everything was imported"
  fi
}
