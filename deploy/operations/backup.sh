# backup (deploy/runbook.md, Backup and restore).
# shellcheck shell=sh disable=SC2154 # names are of the whole script

# Where Prometheus finds the time of the last backup (node-exporter's textfile collector).
textfile=${TEXTFILES:-deploy/monitoring/textfile}/parley_backup.prom

# What an exit removes.
unfinished=
discard() { if [ -n "$unfinished" ]; then rm -rf "$unfinished"; fi; }

# backup_database <folder>: which appears when it is whole.
backup_database() {
  find_primary || fail "$reason; nothing was backed up"
  say "backing up the database to $1"
  umask 077
  unfinished=$1.part
  mkdir -p "$unfinished"
  compose exec -T "$primary" pg_dump --username parley --format custom parley > "$unfinished/database.dump" ||
    fail "the database could not be backed up"
  configured api image > "$unfinished/image"
  mv "$unfinished" "$1"
  unfinished=
}

# backup: the database first, then the files, so that no row names a file that the backup lacks.
back_up() {
  configure
  folder=${1:-$backups/$(date -u +%Y%m%dT%H%M%SZ)}
  if [ -e "$folder" ]; then fail "$folder exists already"; fi
  backup_database "$folder.database"
  # What is sent meanwhile is no error (1): only new files come.
  docker exec "$(first_running api)" sh -c 'tar -C /data/uploads -cf - . || [ $? = 1 ]' > "$folder.database/uploads.tar" ||
    fail "the uploads could not be backed up; the database is in $folder.database"
  (cd "$folder.database" && sha256sum database.dump uploads.tar > SHA256SUMS)
  mv "$folder.database" "$folder"
  mkdir -p "${textfile%/*}"
  # node-exporter is another user, and must not read half of it.
  (
    umask 022
    echo "parley_backup_last_success_timestamp_seconds $(date +%s)" > "$textfile.tmp"
    mv "$textfile.tmp" "$textfile"
  )
  say "done, $(du -sh "$folder" | cut -f 1) in $folder; $settings and its secrets belong somewhere else"
}

# forget <count>: all but this many of the newest backups that have a time as name, and what is older than these: backups before
# an upgrade, and what has no uploads or was cut.
forget() {
  names=$(cd "$backups" && find . -mindepth 1 -maxdepth 1 -type d -name '[0-9]*T[0-9]*Z*' | sed 's|^\./||' | LC_ALL=C sort -r)
  oldest=$(printf '%s\n' "$names" | grep -x '[0-9]*T[0-9]*Z' | sed -n "$1p")
  if [ -z "$oldest" ]; then return; fi
  printf '%s\n' "$names" | LC_ALL=C awk -v oldest="$oldest" '$0 < oldest' | while read -r old; do
    rm -r "${backups:?}/$old"
    say "removed $backups/$old"
  done
}
