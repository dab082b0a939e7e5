#!/bin/sh
# Puts together what one image holds: assemble.sh <service or package> <folder>
#   <folder>/app   the package with its production dependencies, exactly as the lockfile names them
#   <folder>/data  what the service may write to
#   <folder>/app/sbom.cdx.json  what is in it, for scanners
# Of packages with a program for one processor, it takes the one of TARGETARCH (amd64, arm64), else the one of this machine.
set -eu
package=$1
out=$2
case ${TARGETARCH:-} in
  amd64) cpu=--cpu=x64 ;;
  arm64) cpu=--cpu=arm64 ;;
  *) cpu= ;;
esac

mkdir -p "$out/data/uploads"
# The setting makes pnpm copy our own packages instead of linking them.
pnpm --config.inject-workspace-packages=true --filter "@parley/$package" deploy --prod --offline ${cpu:+"$cpu"} "$out/app"

# Prisma's client comes with a compiler for every database; ours is PostgreSQL. Together: 60 of 70 MB.
find "$out/app/node_modules" -path '*/@prisma/client/runtime/*' \( \
  -name '*.cockroachdb.*' -o -name '*.mysql.*' -o -name '*.sqlite.*' -o -name '*.sqlserver.*' -o \
  -name 'query_compiler_fast_*' -o -name '*.wasm-base64.js' \) -delete
# Types, and source maps of code that is not ours.
find "$out/app/node_modules" -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
find "$out/app/node_modules" -type f -name '*.map' -not -path '*/@parley/*' -delete

# OpenTelemetry comes three times; Node.js reads build/src.
find "$out/app/node_modules" -type d \( -path '*/@opentelemetry/*/build/esm' -o -path '*/@opentelemetry/*/build/esnext' \) -prune -exec rm -r {} +

# They have no image of their own (services/monitors/README.md), and import no package that the gateway does not.
if [ "$package" = gateway ]; then cp -R services/monitors/dist/. "$out/app/dist"; fi
if [ "$package" = database ]; then cp -R prisma/migrations "$out/app/migrations"; fi

node deploy/image/sbom.mjs "$out/app" "$out/app/sbom.cdx.json"
