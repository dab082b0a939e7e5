#!/bin/sh
# Starts a server with the secrets that are files: where its environment says file(/path), the content of that file is in its place.
# So neither docker inspect nor a list of processes shows them. with-secrets <command and arguments>
set -eu
for name in $(env | sed -n 's/^\([A-Za-z_][A-Za-z0-9_]*\)=.*file(\/.*).*/\1/p'); do
  eval "left=\$$name"
  value=
  while :; do
    case $left in
      *'file(/'*')'*) ;;
      *) break ;;
    esac
    value=$value${left%%'file(/'*}
    left=${left#*'file(/'}
    content=$(cat "/${left%%')'*}")
    value=$value$content
    left=${left#*')'}
  done
  export "$name=$value$left"
done
exec "$@"
