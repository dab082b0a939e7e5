# One operation at a time, and a log of them (deploy/install.md).
# shellcheck shell=sh disable=SC2154 # names are of the whole script

beside=$(dirname "$settings")
# Names the process and its operation. A link is made with its content at once, or not at all.
lock=$beside/.parley-operation
log=$beside/operations.log
locked=
noted=

# begin <operation and its subject>: or ends here while another one runs. An operation that this one calls is a part of it.
begin() {
  if [ -n "${PARLEY_OPERATION:-}" ]; then return; fi
  until ln -s "$$ $* by $(id -un) since $(date -u +%H:%M:%SZ)" "$lock" 2> /dev/null; do
    other=$(readlink "$lock") || fail "$lock cannot be made"
    if runs "${other%% *}"; then fail "another operation runs, ${other#* }; nothing was done"; fi
    say "the last operation ended without a word: ${other#* }" >&2
    # Somebody else may have taken it over.
    if [ "$(readlink "$lock")" = "$other" ]; then rm -f "$lock"; fi
  done
  export PARLEY_OPERATION=$$
  locked=yes
  enter "$*"
}

# runs <process>: also somebody else's, which cannot be asked by a signal.
runs() { kill -0 "$1" 2> /dev/null || [ -e "/proc/$1" ] || ps -p "$1" > /dev/null 2>&1; }

# enter <operation and its subject>: in the log, here with its begin and at the exit with its end.
enter() {
  noted=$*
  write_log "$noted"
}

write_log() {
  echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $(id -un) $*" >> "$log" || say "$log cannot be written" >&2
}

# end_operation <exit code>
end_operation() {
  if [ -n "$noted" ]; then write_log "$noted ended with $1${reason:+: $reason}"; fi
  if [ -n "$locked" ]; then rm -f "$lock"; fi
}
