#!/bin/sh
# Installs what the images are built from and builds it: all services, the client library's package that the api serves, the
# migration job and the web application at once, so that one layer serves every image. Runs in the repository's root, after `pnpm fetch`.
set -eu
export CI=true TURBO_TELEMETRY_DISABLED=1 DO_NOT_TRACK=1
pnpm install --frozen-lockfile --offline --filter . --filter '{./services/*}...' --filter '@parley/database...' \
  --filter '@parley/web...'
pnpm exec turbo run build pack-client --filter './services/*' --filter @parley/database --filter @parley/web \
  --output-logs errors-only
