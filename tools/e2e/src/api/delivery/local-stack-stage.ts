import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort, findFreePorts, isPortFree, startProcess } from "@parley/local-stack";
import { runContext, waitUntil } from "@parley/testing";
import { afterAll, afterEach, beforeAll } from "vitest";

/** The program behind `npm start`, once everything is installed and built. */
export const program = () => join(runContext().root, "tools", "local-stack", "dist", "main.js");

/** How many of one service the starts below ask for. */
const instancesAtMost = 2;

type Launch = Awaited<ReturnType<typeof launch>>;

async function launch(settings: Record<string, string>, args: string[] = []) {
  const lines: string[] = [];
  const started = await startProcess({
    name: "npm start",
    command: process.execPath,
    args: [program(), ...args],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
    onLine: (line) => lines.push(line),
  });
  const url = `http://localhost:${settings.EDGE_PORT}`;
  return {
    ...started,
    url,
    lines,
    stop: (signal: NodeJS.Signals = "SIGTERM") => started.stop({ signal, timeoutMs: 30_000 }),
    up: () => waitUntil(() => lines.some((line) => line.endsWith(url)), { timeoutMs: 150_000, what: "the table" }),
  };
}

/** Settings of a stack of its own: a data folder, and ports that nothing else uses. */
async function ownSettings(): Promise<Record<string, string>> {
  const ports: Record<string, string> = {};
  for (const name of ["EDGE", "POSTGRES", "REDIS", "NATS"]) ports[`${name}_PORT`] = String(await findFreePort());
  for (const name of ["GATEWAY", "API", "AUTOMOD", "WEBHOOK_DISPATCHER", "DISCORD"]) {
    ports[`${name}_PORT_BASE`] = String(await findFreePorts(instancesAtMost));
  }
  return {
    ...ports,
    PARLEY_DATA_DIR: await mkdtemp(join(tmpdir(), "local-stack-")),
  };
}

/** `npm start` for the tests of a file, with settings that the file may change. */
export function useLocalStack() {
  const own: { settings: Record<string, string> } = { settings: {} };
  const launched: Launch[] = [];
  const launchWith = async (settings: Record<string, string>, args: string[] = []) => {
    const stack = await launch(settings, args);
    launched.push(stack);
    return stack;
  };
  beforeAll(async () => {
    own.settings = await ownSettings();
  });
  afterEach(async () => {
    for (const stack of launched.splice(0)) await stack.stop();
  });
  afterAll(() => rm(own.settings.PARLEY_DATA_DIR ?? "", { recursive: true, force: true }));
  return {
    own,
    launchWith,
    start: (args: string[] = []) => launchWith(own.settings, args),
    portsAreFree: async () => {
      const ports = Object.entries(own.settings).filter(([name]) => name.includes("_PORT"));
      return (await Promise.all(ports.map(([, port]) => isPortFree(Number(port))))).every(Boolean);
    },
  };
}
