#!/bin/sh
# Writes what depends on the place into /tmp, then becomes nginx.
set -eu
conf=$(dirname "$0")

fail() {
  echo "$1" >&2
  exit 1
}
# whole <setting> <value>
whole() {
  case $2 in 0* | *[!0-9]*) fail "$1 must be a whole number from 1 on" ;; esac
}
whole EDGE_CONNECTIONS_PER_ADDRESS "${EDGE_CONNECTIONS_PER_ADDRESS:-1000}"
whole EDGE_DRAIN_SECONDS "${EDGE_DRAIN_SECONDS:-60}"

# Each worker has 28 MB for its connections from the start, so one for each processor of a large machine would exceed the memory
# that a container has. A worker takes tens of thousands of WebSockets.
processors=$(nproc)
workers=${EDGE_WORKERS:-$((processors < 4 ? processors : 4))}
whole EDGE_WORKERS "$workers"

# Most requests in progress and WebSocket connections of one address (docs/interface.md#16.3).
echo "limit_conn addresses ${EDGE_CONNECTIONS_PER_ADDRESS:-1000};" > /tmp/edge-limits.conf

# Where the services are, and who knows: by default as Docker names them.
sed -e "s/127\.0\.0\.11/${EDGE_RESOLVER:-127.0.0.11}/" \
  -e "s/server api:/server ${EDGE_APIS:-api}:/" -e "s/server gateway:/server ${EDGE_GATEWAYS:-gateway}:/" \
  "$conf/upstreams.conf" > /tmp/upstreams.conf

# HTTPS where a certificate is mounted. nginx reads it at each handshake and would fail there without a word.
if [ -e /etc/nginx/tls/tls.crt ]; then
  for file in tls.crt tls.key; do
    [ -r "/etc/nginx/tls/$file" ] || fail "/etc/nginx/tls/$file cannot be read by user $(id -u)"
  done
  cp "$conf/tls.conf" /tmp/edge-tls.conf
fi

# How long requests and WebSockets may go on once nginx is told to stop (SIGQUIT).
drain="worker_shutdown_timeout ${EDGE_DRAIN_SECONDS:-60}s;"

exec nginx -c "$conf/nginx.conf" -g "daemon off; worker_processes $workers; $drain"
