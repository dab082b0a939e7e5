#!/bin/sh
# Writes the .env that docker-compose.yml needs, with secrets made on this machine. Never touches one that exists: its
# passwords are also in the volumes.
set -eu
cd "$(dirname "$0")/.."
file=${1:-.env}
if [ -e "$file" ]; then
  echo "$file exists already and was left as it is." >&2
  exit 1
fi
secret() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
umask 077
# Written aside first, so that an interruption leaves no half of it.
cat > "$file.tmp" <<END
# Secrets of this installation; deploy/README.md tells how to change each.
POSTGRES_PASSWORD=p$(secret)
POSTGRES_SERVICE_PASSWORD=p$(secret)
REDIS_PASSWORD=p$(secret)
NATS_PASSWORD=p$(secret)
JWT_SECRET=$(secret)
FILE_URL_SECRET=$(secret)
TURN_SECRET=$(secret)
GRAFANA_PASSWORD=$(secret)

# Set these when somebody else is to reach it.
#ALLOWED_ORIGINS=https://chat.example.com
#EDGE_ADDRESS=127.0.0.1
#TURN_URLS=turn:turn.example.com:3478
#EDGE_PORT=8080
# Usernames that are administrators: register first, list then.
#PARLEY_ADMINS=ann
#SMTP_URL=smtps://user:password@mail.example.com
#MAIL_FROM="Parley <parley@example.com>"
#PUSH_CONTACT=mailto:admin@example.com
#PUBLIC_URL=https://chat.example.com
# Single sign-on: the section of that name in deploy/README.md.
#OIDC_ISSUER=https://id.example.com/realms/staff
#OIDC_CLIENT_ID=parley
#OIDC_CLIENT_SECRET=
# Processes of each service.
#API_SCALE=2
#GATEWAY_SCALE=2
END
mv "$file.tmp" "$file"
echo "$file is written."
