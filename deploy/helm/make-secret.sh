#!/bin/sh
# Prints the Secret of a trial (examples/trial.yaml) with passwords made on this machine:
#   deploy/helm/make-secret.sh | kubectl apply -n parley-trial -f -
# Once per namespace: the passwords are also in the volumes.
set -eu
secret() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
postgres=p$(secret)
redis=p$(secret)
nats=p$(secret)
cat <<END
apiVersion: v1
kind: Secret
metadata:
  name: parley-secrets
type: Opaque
stringData:
  POSTGRES_PASSWORD: $postgres
  REDIS_PASSWORD: $redis
  NATS_PASSWORD: $nats
  DATABASE_URL: postgresql://parley:$postgres@postgres:5432/parley
  REDIS_URL: redis://:$redis@redis:6379
  NATS_URL: nats://parley:$nats@nats:4222
  JWT_SECRET: "$(secret)"
  FILE_URL_SECRET: "$(secret)"
END
