import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";

/**
 * Children run in sessions of their own, so that Ctrl-C in a terminal reaches only the parent, which then stops them in
 * order. The price: a parent that is killed cannot stop them. So a small shell reads the pids from a pipe; when the
 * pipe closes with pids left in it, the parent has died, and the shell stops them: by SIGINT, and after ten seconds by
 * SIGKILL.
 */
const guardScript = `
trap '' INT TERM HUP
watched=""
while read -r verb pid; do
  case "$verb" in
    watch) watched="$watched $pid" ;;
    unwatch)
      kept=""
      for each in $watched; do [ "$each" = "$pid" ] || kept="$kept $each"; done
      watched="$kept" ;;
  esac
done
[ -z "$watched" ] && exit 0
for pid in $watched; do kill -INT "$pid" 2>/dev/null; done
for second in 1 2 3 4 5 6 7 8 9 10; do
  alive=""
  for pid in $watched; do kill -0 "$pid" 2>/dev/null && alive="$alive $pid"; done
  [ -z "$alive" ] && exit 0
  sleep 1
done
for pid in $alive; do kill -KILL "$pid" 2>/dev/null; done
`;

let guard: ChildProcess | undefined;

/** Stops the process if this one dies without having stopped it. */
export function watchOrphan(pid: number): void {
  send(`watch ${pid}\n`);
}

/** To be called when the process has ended: its pid may soon be reused by another process. */
export function unwatchOrphan(pid: number): void {
  send(`unwatch ${pid}\n`);
}

function send(line: string): void {
  if (guard === undefined) {
    guard = spawn("/bin/sh", ["-c", guardScript], { detached: true, stdio: ["pipe", "ignore", "ignore"], cwd: "/" });
    // Without the guard everything works but the rescue after a kill -9, so its failure must not stop anything.
    guard.on("error", () => undefined);
    guard.stdin?.on("error", () => undefined);
    guard.unref();
    // Nor may the pipe keep this process running.
    if (guard.stdin instanceof Socket) guard.stdin.unref();
  }
  guard.stdin?.write(line);
}
