import { waitUntil } from "@parley/testing";
import { afterEach, expect, test } from "vitest";
import { findFreePort } from "./ports.js";
import { type ServerProcess, startServerProcess } from "./server-process.js";
import { supervise } from "./supervise.js";

const program = `
  require("node:http").createServer((_, response) => response.end()).listen(process.env.PORT, "127.0.0.1");
  process.on("SIGTERM", () => process.exit(0));
  console.log("up");
`;

const supervisions: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of supervisions.splice(0)) await stop();
});

async function startExample(code = program): Promise<ServerProcess> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  return startServerProcess({
    name: "example-1",
    url,
    port,
    ready: { url },
    stopSignal: "SIGTERM",
    start: { command: process.execPath, args: ["-e", code], env: { PATH: process.env.PATH, PORT: String(port) } },
  });
}

test("the supervisor starts a killed process again on the same address, and says so", async () => {
  const example = await startExample();
  const said: string[] = [];
  supervisions.push(supervise(example, (sentence) => said.push(sentence)));
  const firstPid = example.pid();
  process.kill(firstPid, "SIGKILL");
  await waitUntil(() => said.includes("example-1 is back."), { what: "the return" });
  expect(said).toEqual([
    "example-1 ended unexpectedly with signal SIGKILL; starting it again in 0.5 s.",
    "example-1 is back.",
  ]);
  expect(example.pid()).not.toBe(firstPid);
  expect((await fetch(example.url)).status).toBe(200);
});

test("the supervisor leaves nothing running after stop, also while it waits to start the process again", async () => {
  const example = await startExample();
  const said: string[] = [];
  const stop = supervise(example, (sentence) => said.push(sentence));
  process.kill(example.pid(), "SIGKILL");
  await waitUntil(() => said.length === 1);
  await stop();
  expect(example.running()).toBe(false);
  expect(said).toHaveLength(1);
});

test("the supervisor refuses a process that ends before it is ready, with its last output", async () => {
  await expect(startExample('console.log("no secret set"); process.exit(7)')).rejects.toThrow(
    "example-1 did not start: it ended with exit code 7; its last words were:\n  no secret set",
  );
});
