#!/bin/sh
# The seven images of a version, from this checkout (deploy/install.md, Images in a registry):
#   deploy/image/build.sh [<version>]                     for this machine, as parley/api:<version> and so on
#   deploy/image/build.sh --push <registry> [<version>]   for amd64 and arm64, into <registry>/api:<version> and so on, signed
# To push needs PARLEY_SIGNING_KEY, the file of a private key, and writes releases/<version>: the digests for .env and for the chart.
# NODE_IMAGE and NGINX_IMAGE name other bases, as node:24.11.1-bookworm-slim@sha256:…
set -eu
cd "$(dirname "$0")/../.."

fail() {
  echo "build.sh: $*" >&2
  exit 1
}

registry=
if [ "${1:-}" = --push ]; then
  registry=${2:-}
  [ -n "$registry" ] || fail "--push wants a registry, as registry.example.com/parley"
  shift 2
fi
[ $# -le 1 ] || fail "usage: deploy/image/build.sh [--push <registry>] [<version>]"
version=${1:-$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)}
case $version in '' | [!A-Za-z0-9_]* | *[!A-Za-z0-9_.-]*) fail "$version is no tag of images" ;; esac
key=${PARLEY_SIGNING_KEY:-}
images="api gateway automod webhook-dispatcher discord migrate edge"
architectures="amd64 arm64"

# make <image> <arguments of docker build>
make() {
  image=$1
  shift
  case $image in
    migrate | edge) set -- --target "$image" "$@" ;;
    *) set -- --target service --build-arg "SERVICE=$image" "$@" ;;
  esac
  docker buildx build --file deploy/Dockerfile --quiet --provenance=false --build-arg "PARLEY_VERSION=$version" \
    --build-arg "PARLEY_REVISION=$(git rev-parse HEAD 2> /dev/null || true)" \
    ${NODE_IMAGE:+--build-arg "NODE_IMAGE=$NODE_IMAGE"} ${NGINX_IMAGE:+--build-arg "NGINX_IMAGE=$NGINX_IMAGE"} "$@" . > /dev/null
}

if [ -z "$registry" ]; then
  for each in $images; do
    echo "building parley/$each:$version"
    make "$each" --load --tag "parley/$each:$version"
  done
  exit
fi

[ -f "$key" ] || fail "PARLEY_SIGNING_KEY names no file; a new pair: openssl ecparam -name prime256v1 -genkey -noout -out parley.key && openssl ec -in parley.key -pubout -out parley.pub"
for each in $images; do
  for architecture in $architectures; do
    echo "building and pushing $registry/$each:$version for $architecture"
    make "$each" --platform "linux/$architecture" --push --tag "$registry/$each:$version-$architecture"
  done
done

# together <image>: one name for the images of all processors; prints its digest.
together() {
  sources=
  for architecture in $architectures; do sources="$sources $registry/$1:$version-$architecture"; done
  # shellcheck disable=SC2086 # a list
  docker buildx imagetools create --tag "$registry/$1:$version" $sources > /dev/null 2>&1 || fail "$registry/$1:$version could not be written"
  docker buildx imagetools inspect "$registry/$1:$version" | sed -n 's/^Digest: *//p'
}

release=releases/$version
mkdir -p "$release"
echo "version $version" > "$release/digests"
for each in $images; do
  digest=$(together "$each")
  case $digest in sha256:*) echo "$each $digest" >> "$release/digests" ;; *) fail "$registry/$each:$version has no digest" ;; esac
done
# As cosign signs a file.
openssl dgst -sha256 -sign "$key" "$release/digests" | openssl base64 -A > "$release/digests.sig"
{
  printf 'PARLEY_IMAGES=%s\nPARLEY_VERSION=%s\n' "$registry" "$version"
  sed -n 's/^\([a-z-]*\) \(sha256:.*\)/\1=\2/p' "$release/digests" | while IFS='=' read -r name digest; do
    echo "PARLEY_DIGEST_$(echo "$name" | tr 'a-z-' 'A-Z_')=$digest"
  done
} > "$release/env"
{
  printf 'image:\n  registry: %s\n  tag: "%s"\n  digests:\n' "$registry" "$version"
  sed -n 's/^\([a-z-]*\) \(sha256:.*\)/    \1: \2/p' "$release/digests"
} > "$release/values.yaml"

# Last, so that a version that can be installed is whole.
for architecture in $architectures; do
  printf 'FROM scratch\nCOPY digests digests.sig /\n' | docker buildx build --quiet --provenance=false --platform "linux/$architecture" \
    --push --tag "$registry/release:$version-$architecture" --file - "$release" > /dev/null
done
together release > /dev/null
echo "done: $registry, $version, signed; $release/env is for .env, $release/values.yaml for the chart"
