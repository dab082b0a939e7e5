# The images of a version in a registry, by the digests that their maker has signed (deploy/install.md, Images in a registry).
# shellcheck shell=sh disable=SC2154 # names are of the whole script

# digest_variable <image>: the setting with the digest of it.
digest_variable() { echo "PARLEY_DIGEST_$(echo "$1" | tr 'a-z-' 'A-Z_')"; }

# take_release: with a public key in the settings (PARLEY_KEY), images are taken by signed digests alone. It reads the digests of PARLEY_VERSION, which Compose then sees; those in the settings may be of another version. Ends
# here where they are not signed.
take_release() {
  for each in migrate $services; do export "$(digest_variable "$each")="; done
  key=$(setting PARLEY_KEY)
  if [ -z "$key" ]; then return; fi
  wanted=$(setting PARLEY_VERSION)
  release=$(setting PARLEY_IMAGES)/release:${wanted:-latest}
  [ -f "$key" ] || fail "PARLEY_KEY names $key, which is no file"
  command -v openssl > /dev/null || fail "openssl is missing, which checks who has signed the images"
  require_image "$release"
  unfinished=$(mktemp -d)
  box=$(docker create "$release" none) || fail "the image $release cannot be read"
  docker cp "$box:/digests" - | tar -xO > "$unfinished/digests"
  docker cp "$box:/digests.sig" - | tar -xO | openssl base64 -d -A > "$unfinished/signature"
  docker rm "$box" > /dev/null
  openssl dgst -sha256 -verify "$key" -signature "$unfinished/signature" "$unfinished/digests" > /dev/null 2>&1 ||
    fail "the images of ${wanted:-latest} are not signed with the key of $key; nothing was changed"
  grep -qxF "version ${wanted:-latest}" "$unfinished/digests" ||
    fail "$release is of another version, $(sed -n 's/^version //p' "$unfinished/digests"); nothing was changed"
  for each in migrate $services; do
    digest=$(sed -n "s/^$each \(sha256:[0-9a-f]\{64\}\)\$/\1/p" "$unfinished/digests")
    if [ -z "$digest" ] && [ "$each" = discord ]; then
      without_discord
      continue
    fi
    [ -n "$digest" ] || fail "$release has no digest of $each; nothing was changed"
    export "$(digest_variable "$each")=$digest"
  done
  discard
  unfinished=
}

# record_release: for a plain docker compose up.
record_release() {
  for each in migrate $services; do
    variable=$(digest_variable "$each")
    digest=$(printenv "$variable") || digest=
    if [ "$digest" != "$(sed -n "s/^$variable=//p" "$settings" | tail -n 1)" ]; then record "$variable" "$digest"; fi
  done
}
