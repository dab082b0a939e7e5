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

# Most requests in progress and WebSocket connections of one address (docs/protocol/limits.md#16.3).
echo "limit_conn addresses ${EDGE_CONNECTIONS_PER_ADDRESS:-1000};" > /tmp/edge-limits.conf

# Where the services are, and who knows: by default as Docker names them.
sed -e "s/127\.0\.0\.11/${EDGE_RESOLVER:-127.0.0.11}/" \
  -e "s/server api:/server ${EDGE_APIS:-api}:/" -e "s/server gateway:/server ${EDGE_GATEWAYS:-gateway}:/" \
  -e "s/server discord:/server ${EDGE_DISCORDS:-discord}:/" \
  "$conf/upstreams.conf" > /tmp/upstreams.conf

# listen <addresses> [ssl]: for each a line. Several edges of one network namespace have the same addresses, and what one of them has
# not accepted when it stops goes to the others where net.ipv4.tcp_migrate_req is 1 (docker-compose.yml, edge-port). The kernel caps
# the queue at net.core.somaxconn.
listen() {
  for address in $1; do
    echo "listen $address${2:+ $2} reuseport backlog=16384;"
  done
}
everywhere() {
  echo "$1"
  if [ -e /proc/net/if_inet6 ]; then echo "[::]:$1"; fi
}
# The health check asks this edge and no other of the namespace.
random=$(od -An -N2 -tu2 /dev/urandom)
health=127.0.0.1:$((20000 + random % 10000))

# nginx asks for the addresses of the services only once it runs, and would answer 502 until then. So it takes no request before it
# has them, which a reload keeps, or 5 seconds have passed.
rm -f /tmp/edge-health /tmp/edge-none.sock /tmp/edge-wait.sock
echo "listen unix:/tmp/edge-none.sock;" | tee /tmp/edge-listen.conf > /tmp/edge-listen-tls.conf
cat > /tmp/edge-health.conf << END
listen $health;
error_page 502 504 = @tried;
location / { proxy_pass http://apis/health/live; proxy_connect_timeout 1s; }
# The name of the upstream stands for one without addresses.
location @tried { if (\$upstream_addr ~ apis) { return 503; } return 204; }
END
take_requests() {
  tries=0
  until wget -q -O /dev/null "http://$health/" 2> /dev/null || [ $tries = 50 ]; do
    tries=$((tries + 1))
    sleep 0.1
  done
  listen "${EDGE_LISTEN:-$(everywhere 8080)}" > /tmp/edge-listen.conf
  listen "${EDGE_LISTEN_TLS:-$(everywhere 8443)}" ssl > /tmp/edge-listen-tls.conf
  echo "listen $health; location / { return 204; }" > /tmp/edge-health.conf
  kill -HUP "$(cat /tmp/nginx.pid)"
  echo "$health" > /tmp/edge-health
}

# With Docker Compose the network namespace is that of edge-port. When edge-port dies, Docker takes its routes away and makes a new
# namespace for it, which this container joins when it starts again; until then it listens where nobody asks. So nginx ends, in
# a moment at which edge-port runs again, without which Docker would not start this container.
connected() { [ "$(wc -l < /proc/net/route)" -gt 1 ]; }
leave_dead_namespace() {
  while connected; do
    sleep 1
    # That of nginx, which this script becomes.
    kill -0 $$ 2> /dev/null || return 0
  done
  echo "the network of edge-port is gone; ending, to join its new one" >&2
  sleep 3
  kill -TERM $$
}
if connected; then leave_dead_namespace & fi

# HTTPS where a certificate is mounted. nginx reads it at each handshake and would fail there without a word.
if [ -e /etc/nginx/tls/tls.crt ]; then
  for file in tls.crt tls.key; do
    [ -r "/etc/nginx/tls/$file" ] || fail "/etc/nginx/tls/$file cannot be read by user $(id -u)"
  done
  cp "$conf/tls.conf" /tmp/edge-tls.conf
fi

# A line of each answer by UDP, for metrics.
rm -f /tmp/edge-status.conf
if [ -n "${EDGE_STATUS_TO:-}" ]; then
  echo "access_log syslog:server=$EDGE_STATUS_TO,nohostname,tag=edge edge_status;" > /tmp/edge-status.conf
fi

# How long requests and WebSockets may go on once nginx is told to stop (SIGQUIT).
drain="worker_shutdown_timeout ${EDGE_DRAIN_SECONDS:-60}s;"

take_requests &
exec nginx -c "$conf/nginx.conf" -g "daemon off; worker_processes $workers; $drain"
