#!/bin/sh
# Writes what depends on the installation into /tmp, then becomes Prometheus.
set -eu

# How many of each there should be. A process that is gone for good is no target any more, so it is missed by its number alone.
wanted() { echo "      - { record: parley_processes_wanted, expr: vector($2), labels: { job: $1 } }"; }
{
  echo 'groups:'
  echo '  - name: wanted'
  echo '    rules:'
  wanted api "${API_SCALE:-2}"
  wanted gateway "${GATEWAY_SCALE:-2}"
  wanted automod "${AUTOMOD_SCALE:-1}"
  wanted webhook-dispatcher "${WEBHOOK_DISPATCHER_SCALE:-1}"
  wanted discord "${DISCORD_SCALE:-1}"
  echo "      - { record: parley_standbys_wanted, expr: vector(${STANDBYS:-0}) }"
} > /tmp/wanted.yml

# targets <servers>: by their names, as one that is away has no address.
targets() {
  for each in $1; do echo "- targets: [\"$each\"]"; done
}
targets "${POSTGRES_SERVERS:-postgres:5432}" > /tmp/targets-postgres.yml
targets "${REDIS_SERVERS:-redis:6379}" > /tmp/targets-redis.yml
targets "${NATS_SERVERS:-http://nats:8222/healthz}" > /tmp/targets-nats.yml

exec prometheus --config.file=/etc/prometheus/prometheus.yml --storage.tsdb.path=/prometheus --storage.tsdb.retention.time=30d
