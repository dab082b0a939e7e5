# export: a server with its files, as an archive that another installation imports (deploy/runbook.md, Moving a server).
# shellcheck shell=sh disable=SC2154 # names are of the whole script

# export_server <id or name> [<file>]: which appears when it is whole.
export_server() {
  configure
  file=${2:-export-$(date -u +%Y%m%dT%H%M%SZ).zip}
  if [ -e "$file" ]; then fail "$file exists already"; fi
  umask 077
  unfinished=$file.part
  compose exec --no-TTY api node dist/export-main.js "$1" > "$unfinished" || fail "nothing was exported"
  mv "$unfinished" "$file"
  unfinished=
  say "done, $(du -h "$file" | cut -f 1) in $file"
}
