#!/bin/sh
# Writes what depends on the place into /tmp, then becomes nginx.
set -eu
conf=$(dirname "$0")

# Most requests in progress and WebSocket connections of one address (docs/interface.md#16.3).
echo "limit_conn addresses ${EDGE_CONNECTIONS_PER_ADDRESS:-1000};" > /tmp/edge-limits.conf

# Where the services are, and who knows: by default as Docker names them.
sed -e "s/127\.0\.0\.11/${EDGE_RESOLVER:-127.0.0.11}/" \
  -e "s/server api:/server ${EDGE_APIS:-api}:/" -e "s/server gateway:/server ${EDGE_GATEWAYS:-gateway}:/" \
  "$conf/upstreams.conf" > /tmp/upstreams.conf

# HTTPS where a certificate is mounted.
if [ -e /etc/nginx/tls/tls.crt ]; then cp "$conf/tls.conf" /tmp/edge-tls.conf; fi

# How long requests and WebSockets may go on once nginx is told to stop (SIGQUIT).
drain="worker_shutdown_timeout ${EDGE_DRAIN_SECONDS:-60}s;"

exec nginx -c "$conf/nginx.conf" -g "daemon off; $drain"
