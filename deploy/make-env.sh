#!/bin/sh
# Writes what docker-compose.yml needs: secrets made on this machine, each in a file of the folder secrets, and an .env that names
# them. Never touches either one that exists: passwords are also in the volumes.
#   deploy/make-env.sh [<file>]          beside <file>, .env if it is left out
#   deploy/make-env.sh --move [<file>]   of an installation whose secrets are in its .env: moves them into such files
set -eu
cd "$(dirname "$0")/.."
move=no
if [ "${1:-}" = --move ]; then
  move=yes
  shift
fi
file=${1:-.env}
secrets=$(dirname "$file")/secrets
names="POSTGRES_PASSWORD POSTGRES_SERVICE_PASSWORD REDIS_PASSWORD NATS_PASSWORD JWT_SECRET FILE_URL_SECRET TURN_SECRET GRAFANA_PASSWORD"
umask 077

path() { echo "$1" | tr '[:upper:]' '[:lower:]'; }
former() { sed -n "s/^$1=//p" "$file" | tail -n 1; }

# secret <name>: one that NATS takes for text; on a move that of the file, where installations from before the role of the services have
# no password of it.
secret() {
  if [ "$move" = no ]; then
    printf 'p'
    od -An -N32 -tx1 /dev/urandom | tr -d ' \n'
    return
  fi
  value=$(former "$1")
  if [ -z "$value" ] && [ "$1" = POSTGRES_SERVICE_PASSWORD ]; then value=$(former POSTGRES_PASSWORD); fi
  echo "$value"
}

# Written aside first, so that an interruption leaves no half of them. The folder is closed to others; the files are open, since
# each server reads its own as a user of its own.
write_secrets() {
  if [ -d "$secrets" ]; then return; fi
  rm -rf "$secrets.tmp"
  mkdir -p "$secrets.tmp/more"
  for name in $names; do secret "$name" > "$secrets.tmp/$(path "$name")"; done
  chmod 444 "$secrets.tmp"/*_*
  chmod 755 "$secrets.tmp/more"
  mv "$secrets.tmp" "$secrets"
}

references() {
  for name in $names; do echo "$name=file(/run/secrets/$(path "$name"))"; done
  echo "SECRETS=$secrets"
}

if [ "$move" = yes ]; then
  for name in $names; do
    case $(former "$name") in
      'file('*) echo "the secrets of $file are in files already." >&2 && exit 1 ;;
      '') [ "$name" = POSTGRES_SERVICE_PASSWORD ] || { echo "$file has no $name." >&2 && exit 1; } ;;
    esac
  done
  if [ -d "$secrets" ]; then echo "$secrets exists already and was left as it is." >&2 && exit 1; fi
  write_secrets
  cp -p "$file" "$file.tmp"
  { grep -vE "^($(echo "$names" | tr ' ' '|'))=" "$file" || true; references; } > "$file.tmp"
  mv "$file.tmp" "$file"
  echo "$file names the secrets now, which are in $secrets."
  exit
fi

if [ -e "$file" ]; then
  echo "$file exists already and was left as it is." >&2
  exit 1
fi
write_secrets
cat > "$file.tmp" <<END
# Where the secrets of this installation are; deploy/install.md tells how to change each.
$(references)

# Set these when somebody else is to reach it.
#ALLOWED_ORIGINS=https://chat.example.com
#EDGE_ADDRESS=127.0.0.1
#TURN_URLS=turn:turn.example.com:3478
#EDGE_PORT=8080
# Usernames that are administrators: register first, list then.
#PARLEY_ADMINS=ann
# A password may be in a file here, too: secrets/more/mail.
#SMTP_URL=smtps://user:file(/run/secrets/more/mail)@mail.example.com
#MAIL_FROM="Parley <parley@example.com>"
#PUSH_CONTACT=mailto:admin@example.com
#PUBLIC_URL=https://chat.example.com
# Single sign-on: the section of that name in deploy/install.md.
#OIDC_ISSUER=https://id.example.com/realms/staff
#OIDC_CLIENT_ID=parley
#OIDC_CLIENT_SECRET=file(/run/secrets/more/oidc)
# Processes of each service.
#API_SCALE=2
#GATEWAY_SCALE=2
#DISCORD_SCALE=1
END
mv "$file.tmp" "$file"
echo "$file is written, and the secrets that it names are in $secrets."
