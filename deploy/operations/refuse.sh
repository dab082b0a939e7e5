# refuse, admit (deploy/runbook.md, Abuse): networks that the edge answers with 403.
# shellcheck shell=sh disable=SC2016,SC2154 # the shell of a container expands; names are of the whole script

refused=${REFUSED:-deploy/nginx/refused.conf}

# refuse <address or network>
refuse() {
  configure
  case $1 in *[!0-9a-fA-F.:/]*) fail "$1 is no network, as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/64 are" ;; esac
  id=$(first_running edge)
  [ -n "$id" ] || fail "no edge runs: deploy/parley doctor"
  # nginx itself decides, in a configuration that listens nowhere.
  docker exec "$id" sh -c 'echo "pid /tmp/refuse.pid; events {} http { deny $1; }" > /tmp/refuse.conf && nginx -t -q -c /tmp/refuse.conf' - "$1" ||
    fail "$1 is no network; nothing was changed"
  write_refused "$1" "deny $1;"
  say "done: $1 gets 403; deploy/parley admit $1 ends that"
}

# admit <address or network>: as it was refused.
admit() {
  configure
  grep -qxF "deny $1;" "$refused" 2> /dev/null || fail "$1 is not refused; these are: $(sed -n 's/^deny \(.*\);/\1/p' "$refused" 2> /dev/null | tr '\n' ' ')"
  write_refused "$1"
  say "done: $1 is answered again"
}

# write_refused <network> [<line>]: and has every edge read it. A file that is whole, at every moment.
write_refused() {
  { grep -vxF "deny $1;" "$refused" 2> /dev/null || true; if [ $# = 2 ]; then echo "$2"; fi; } > "$refused.tmp"
  chmod 644 "$refused.tmp"
  mv "$refused.tmp" "$refused"
  for id in $(containers edge --filter status=running); do docker kill --signal HUP "$id" > /dev/null; done
}
