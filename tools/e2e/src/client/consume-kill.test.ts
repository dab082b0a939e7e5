import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { readyFrame, runContext, startLoopbackGateway, waitUntil } from "@parley/testing";
import { expect, onTestFinished, test } from "vitest";

const { root, folder } = runContext();
const clientUrl = pathToFileURL(join(root, "packages", "client", "dist", "index.js")).href;

/** Writes a line for each event that was handled. The store hangs at the position `STUCK_AT`, and says so. */
const program = `
  import { createClient, createFileStore } from ${JSON.stringify(clientUrl)};
  const { PARLEY_URL: baseUrl, POSITION, STUCK_AT } = process.env;
  const file = createFileStore(POSITION);
  const hang = (position) => {
    console.log("storing " + position);
    return new Promise(() => {});
  };
  const store = { read: file.read, write: (position) => position === STUCK_AT ? hang(position) : file.write(position) };
  const gateway = createClient({ baseUrl, botToken: "bot" }).gateway({ backoff: { baseMs: 1, maxMs: 5 } });
  await gateway.consume(({ name, position }) => console.log(name + " " + position), { store, concurrency: 1 });
`;

test("a consumer that is killed between its handler and the store handles that event again, and none before it", async () => {
  const asked: string[] = [];
  const sends: ((position: string) => void)[] = [];
  const server = await startLoopbackGateway((socket, query) => {
    const from = query.get("s") ?? "";
    asked.push(from);
    const resumed = JSON.stringify({ op: "DISPATCH", t: "RESUMED", s: from, d: { replayed: 0 } });
    socket.send(from === "" ? readyFrame("0") : resumed);
    sends.push((s) => {
      socket.send(JSON.stringify({ op: "DISPATCH", t: "MESSAGE_DELETE", s, d: { id: s, channel_id: "0" } }));
    });
  });
  onTestFinished(server.close);
  const position = join(await mkdtemp(join(folder, "consume-")), "position");
  const stored = () => readFile(position, "utf8").catch(() => "");
  const run = (env: Record<string, string>) => {
    const lines: string[] = [];
    const child: ChildProcess = spawn(process.execPath, ["--input-type=module", "-e", program], {
      env: { PATH: process.env.PATH, PARLEY_URL: server.url, POSITION: position, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    if (child.stdout !== null) createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
    const kill = () => {
      child.kill("SIGKILL");
      return exited;
    };
    onTestFinished(() => void child.kill("SIGKILL"));
    return { lines, kill };
  };

  const first = run({ STUCK_AT: "2" });
  await waitUntil(() => sends[0], { what: "the first run to connect" });
  sends[0]?.("1");
  await waitUntil(async () => (await stored()) === "1\n", { what: "the position of the first event" });
  sends[0]?.("2");
  await waitUntil(() => first.lines.includes("storing 2"), { what: "the store to be asked" });
  await first.kill();
  expect(first.lines).toEqual(["READY 0", "MESSAGE_DELETE 1", "MESSAGE_DELETE 2", "storing 2"]);

  const second = run({});
  await waitUntil(() => sends[1], { what: "the second run to connect" });
  for (const s of ["2", "3"]) sends[1]?.(s);
  await waitUntil(async () => (await stored()) === "3\n", { what: "the last position" });
  await second.kill();
  expect(asked).toEqual(["", "1"]);
  expect(second.lines).toEqual(["RESUMED 1", "MESSAGE_DELETE 2", "MESSAGE_DELETE 3"]);
});
