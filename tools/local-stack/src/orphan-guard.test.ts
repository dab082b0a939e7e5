import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { waitUntil } from "@parley/testing";
import { expect, test } from "vitest";

/** Starts two processes, stops one of them, writes the pids and waits. */
const parent = `
  const { startProcess } = await import("@parley/local-stack");
  const sleeper = () => startProcess({ name: "sleeper", command: "/bin/sleep", args: ["600"], env: {} });
  const [stopped, running] = [await sleeper(), await sleeper()];
  await stopped.stop();
  console.log(stopped.pid, running.pid);
  setInterval(() => {}, 1000);
`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test("the guard stops the processes of a parent that was killed", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", parent], {
    cwd: new URL(".", import.meta.url),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  const [stopped = 0, running = 0] = String(line).split(" ").map(Number);
  expect([isAlive(stopped), isAlive(running)]).toEqual([false, true]);
  child.kill("SIGKILL");
  await waitUntil(() => !isAlive(running), { what: "the end of the orphan" });
});
