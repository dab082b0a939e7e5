# backup (deploy/README.md, Backup and restore).
# shellcheck shell=sh disable=SC2154 # names are of the whole script

# Where Prometheus finds the time of the last backup (node-exporter's textfile collector).
textfile=${TEXTFILES:-deploy/monitoring/textfile}/parley_backup.prom

# backup_database <folder>: which appears when it is whole.
backup_database() {
  say "backing up the database to $1"
  umask 077
  mkdir -p "$1.part"
  compose exec -T postgres pg_dump --username parley --format custom parley > "$1.part/database.dump" ||
    fail "the database could not be backed up"
  configured api image > "$1.part/image"
  mv "$1.part" "$1"
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
  say "done, $(du -sh "$folder" | cut -f 1) in $folder; the secrets, $settings, belong somewhere else"
}

# forget <count>: all but this many of the newest backups that have a time as name.
forget() {
  find "$backups" -mindepth 1 -maxdepth 1 -type d -name '[0-9]*T[0-9]*Z' | sort -r | tail -n "+$(($1 + 1))" | while read -r old; do
    rm -r "$old"
    say "removed $old"
  done
}
