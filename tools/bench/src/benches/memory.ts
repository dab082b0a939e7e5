import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findFreePort } from "@parley/local-stack";
import { waitUntil } from "@parley/testing";
import { bench } from "../bench.js";
import { report, reportHead, reportRow, sum } from "../measure.js";
import { memoryOf } from "../processes.js";
import { root } from "../stack.js";

const ports = [
  "EDGE_PORT",
  "GATEWAY_PORT_BASE",
  "API_PORT_BASE",
  "AUTOMOD_PORT_BASE",
  "WEBHOOK_DISPATCHER_PORT_BASE",
  "DISCORD_PORT_BASE",
  "POSTGRES_PORT",
  "REDIS_PORT",
  "NATS_PORT",
];

/** The memory of an empty installation as `npm start` makes it, by process, and their sum. Linux only. */
export default bench({ sizes: { seconds: 30 }, quick: { seconds: 1 } }, async ({ seconds }) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-memory-"));
  const stack = spawn(process.execPath, [join(root, "tools", "local-stack", "dist", "main.js")], {
    env: { ...process.env, ...(await freePorts()), PARLEY_DATA_DIR: join(folder, "data") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(stack, "exit");
  let output = "";
  stack.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  try {
    await waitUntil(() => stack.exitCode !== null || /http:\/\/localhost:\d+/.test(output), {
      what: "the installation",
      timeoutMs: 120_000,
    });
    await pause(seconds * 1_000);
    const shares = await sharesOf(stack.pid ?? 0);
    reportHead(["process", "number", "RSS each, MB", "PSS in all, MB"]);
    for (const name of new Set(shares.map((share) => share.name))) {
      const group = shares.filter((share) => share.name === name);
      const resident = sum(group.map((share) => share.resident)) / group.length;
      reportRow([name, group.length, inMb(resident), inMb(sum(group.map((share) => share.proportional)))]);
    }
    report(`all ${shares.length} processes: ${inMb(sum(shares.map((share) => share.proportional)))} MB (PSS)`);
  } finally {
    stack.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
});

/** Two instances of a service have ports that follow each other. */
async function freePorts(): Promise<Record<string, string>> {
  const free = new Map<number, string>();
  for (const name of ports) {
    let port = await findFreePort();
    while (free.has(port - 1) || free.has(port) || free.has(port + 1)) port = await findFreePort();
    free.set(port, name);
  }
  return Object.fromEntries([...free].map(([port, name]) => [name, String(port)]));
}

/** The memory of a process and all its descendants. */
async function sharesOf(pid: number) {
  const parents = new Map<number, number>();
  for (const name of await readdir("/proc")) {
    const stat = await readProc(name, "stat");
    if (stat !== "") parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
  }
  const isOurs = (other: number): boolean => {
    const parent = parents.get(other);
    return other === pid || (parent !== undefined && parent !== 0 && isOurs(parent));
  };
  const shares = [...parents.keys()].filter(isOurs).map(async (each) => ({
    name: nameOf(await readProc(String(each), "cmdline")),
    ...(await memoryOf(each)),
  }));
  // Without those that have ended meanwhile.
  return (await Promise.all(shares)).filter(({ resident }) => resident > 0);
}

/** A service of ours, or the program. */
function nameOf(commandLine: string): string {
  const [, ours] = /(?:services|tools)\/([\w-]+)\/dist\/[\w-/]*main\.js/.exec(commandLine) ?? [];
  const [program = ""] = commandLine.split(/[\0 :]/, 1);
  return ours ?? program.split("/").at(-1) ?? program;
}

/** Empty for a process that has ended, and for a file that is no process. */
const readProc = (name: string, file: string) =>
  /^\d+$/.test(name) ? readFile(join("/proc", name, file), "utf8").catch(() => "") : Promise.resolve("");

const inMb = (bytes: number) => (bytes / 1024 / 1024).toFixed(0);
