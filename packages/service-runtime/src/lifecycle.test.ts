import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";

// Real processes and real signals: the child imports this package by its own name, as services do.
const packageFolder = fileURLToPath(new URL("..", import.meta.url));
const prelude = `
  import { createLifecycle, createLogger } from "@parley/service-runtime";
  const logger = createLogger({ service: "test", level: "info", nodeId: "n" });
  const lifecycle = createLifecycle({ logger, stepTimeoutMs: 200 });
  const say = (text) => process.stdout.write(text + "\\n");
  const keepAlive = setInterval(() => {}, 1000);
`;

let running: ChildProcess | undefined;
afterEach(() => running?.kill("SIGKILL"));

/** Runs the script, calls `act` once it has written `marker`, returns its output and how it ended. */
async function run(script: string, marker?: string, act?: (child: ChildProcess) => void) {
  const child = spawn(process.execPath, ["--input-type=module", "-e", prelude + script], { cwd: packageFolder });
  running = child;
  let output = "";
  let acted = false;
  const onText = (chunk: Buffer) => {
    output += chunk.toString();
    if (!acted && marker !== undefined && output.includes(marker)) {
      acted = true;
      act?.(child);
    }
  };
  child.stdout.on("data", onText);
  child.stderr.on("data", onText);
  const [code] = await once(child, "close");
  const logs = output.split("\n").filter((line) => line.startsWith("{"));
  const said = output.split("\n").filter((line) => line !== "" && !line.startsWith("{"));
  return { code, said, logs, text: output };
}

const terminate = (child: ChildProcess) => child.kill("SIGTERM");

describe("the lifecycle of a process", () => {
  test.each(["SIGTERM", "SIGINT"] as const)("on %s a process closes in reverse order and exits 0", async (signal) => {
    const script = `
      await lifecycle.run(async () => {
        lifecycle.own("database", { close: async () => say("database") });
        lifecycle.own("server", { close: () => say("server") });
        lifecycle.onStop("drain", () => say("drain"));
      });
      say("up");`;
    const result = await run(script, "up", (child) => child.kill(signal));
    expect(result.said).toEqual(["up", "drain", "server", "database"]);
    expect(result.code).toBe(0);
  });

  test("the lifecycle of a process goes on past a step that hangs or fails, and exits 1", async () => {
    const script = `
      await lifecycle.run(() => {
        lifecycle.own("last", { close: () => say("last") });
        lifecycle.own("failing", { close: () => { throw new Error("broken"); } });
        lifecycle.own("hanging", { close: () => new Promise(() => {}) });
      });
      say("up");`;
    const result = await run(script, "up", terminate);
    expect(result.said).toEqual(["up", "last"]);
    expect(result.text).toMatch(/"step":"hanging".*took too long/);
    expect(result.text).toMatch(/"step":"failing".*shutdown step failed/);
    expect(result.code).toBe(1);
  });

  test("the lifecycle of a process gives a step the longer limit it asked for", async () => {
    const script = `
      await lifecycle.run(() => {
        lifecycle.onStop("drain", () => new Promise((resolve) => setTimeout(resolve, 400)), { timeoutMs: 5000 });
      });
      say("up");`;
    expect((await run(script, "up", terminate)).code).toBe(0);
  });

  test("the lifecycle of a process exits at once when the same signal comes twice", async () => {
    const script = `
      await lifecycle.run(() => {
        lifecycle.onStop("slow", () => { say("slow"); return new Promise(() => {}); }, { timeoutMs: 60000 });
      });
      process.kill(process.pid, "SIGTERM");`;
    const result = await run(script, "slow", terminate);
    expect(result.code).toBe(1);
    expect(result.text).toContain("second signal");
  });

  test("still stops in order when Ctrl-C and the supervisor's SIGTERM arrive together", async () => {
    const script = `
      await lifecycle.run(() => {
        lifecycle.own("database", { close: () => say("database") });
        lifecycle.onStop("drain", async () => {
          say("drain");
          await new Promise((resolve) => process.once("SIGTERM", () => resolve()));
        }, { timeoutMs: 5000 });
      });
      process.kill(process.pid, "SIGINT");`;
    const result = await run(script, "drain", terminate);
    expect(result.said).toEqual(["drain", "database"]);
    expect(result.code).toBe(0);
  });

  test("the lifecycle of a process closes what is open, logs one line and exits 1 when the start fails", async () => {
    const script = `
      await lifecycle.run(async () => {
        lifecycle.own("database", { close: () => say("database") });
        throw new Error("Port 8201 on 127.0.0.1 is already in use.");
      });`;
    const result = await run(script);
    expect(result.said).toEqual(["database"]);
    expect(result.logs.filter((line) => line.includes('"level":"fatal"'))).toHaveLength(1);
    expect(result.text).toContain('"msg":"could not start: Port 8201 on 127.0.0.1 is already in use."');
    expect(result.code).toBe(1);
  });

  test("the lifecycle of a process closes what a start that was interrupted by a signal opened, and exits 0", async () => {
    const script = `
      await lifecycle.run(async () => {
        lifecycle.own("database", { close: () => { say("database"); failStart(new Error("connection closed")); } });
        say("starting");
        await new Promise((resolve, reject) => { globalThis.failStart = reject; });
      });`;
    const result = await run(script, "starting", terminate);
    expect(result.said).toEqual(["starting", "database"]);
    expect(result.code).toBe(0);
  });

  test.each([
    ["an uncaught exception", `setImmediate(() => { throw new Error("boom"); });`],
    ["an unhandled rejection", `Promise.reject(new Error("boom"));`],
  ])("logs %s once as fatal, stops and exits 1", async (_name, failure) => {
    const script = `
      await lifecycle.run(() => {
        lifecycle.own("database", { close: () => say("database") });
        lifecycle.own("hanging", { close: () => new Promise(() => {}) });
      });
      ${failure}`;
    const result = await run(script);
    expect(result.said).toEqual(["database"]);
    const fatal = result.logs.filter((line) => line.includes('"level":"fatal"'));
    expect(fatal).toHaveLength(1);
    expect(fatal[0]).toContain("boom");
    expect(result.code).toBe(1);
  });
});

describe("loadConfigOrExit", () => {
  test("loadConfigOrExit writes one line and exits 1 on bad settings", async () => {
    const script = `
      const { baseSettings, loadConfigOrExit } = await import("@parley/service-runtime");
      const { z } = await import("zod");
      loadConfigOrExit(z.object(baseSettings({ port: 1 })), { PORT: "x" });`;
    const result = await run(script);
    expect(result.said).toEqual([
      "Invalid settings: PORT must be a whole number from 0 to 65535; DATABASE_URL is required",
    ]);
    expect(result.code).toBe(1);
  });
});
