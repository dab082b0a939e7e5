import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { afterEach, expect, test } from "vitest";
import { createHealth } from "./health.js";
import { ListenError } from "./http-server.js";
import type { Closable } from "./lifecycle.js";
import { createLogger } from "./logger.js";
import { createMetrics } from "./metrics.js";
import { startMetricsServer } from "./metrics-server.js";

const logger = createLogger({ service: "test", level: "silent", nodeId: "test" });
const health = createHealth({ checks: { database: async () => undefined }, timeoutMs: 1_000 });
let running: Closable | undefined;

afterEach(async () => {
  await running?.close();
  running = undefined;
});

async function start(METRICS_PORT: number, METRICS_HOST = "127.0.0.1"): Promise<void> {
  const metrics = createMetrics();
  running = await startMetricsServer({ settings: { METRICS_HOST, METRICS_PORT }, health, metrics, logger });
}

test("the metrics server shows metrics and health to every request to its port, forwarded or not", async () => {
  const port = await freePort();
  await start(port);
  const metrics = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { "X-Forwarded-For": "10.0.0.1" } });
  expect(metrics.status).toBe(200);
  expect(await metrics.text()).toMatch(/^process_cpu_seconds_total \d/m);
  const ready = await fetch(`http://127.0.0.1:${port}/health/ready`);
  expect(await ready.json()).toEqual({ ready: true, checks: { database: { ok: true } } });
  const other = await fetch(`http://127.0.0.1:${port}/users/@me`);
  expect(other.status).toBe(404);
});

const address = Object.values(networkInterfaces())
  .flat()
  .find((candidate) => candidate?.family === "IPv4" && !candidate.internal)?.address;

test.runIf(address !== undefined)("the metrics server answers on an address that is not loopback", async () => {
  const port = await freePort();
  await start(port, "0.0.0.0");
  expect((await fetch(`http://${address}:${port}/metrics`)).status).toBe(200);
});

test("the metrics server does not listen when its port is 0", async () => {
  await start(0);
  expect(running).toEqual({ close: expect.any(Function) });
});

test("the metrics server refuses to start on a port that is taken", async () => {
  const port = await freePort();
  await start(port);
  await expect(start(port)).rejects.toThrow(ListenError);
});

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const bound = server.address();
      server.close(() => {
        if (bound === null || typeof bound === "string") reject(new Error("no port"));
        else resolve(bound.port);
      });
    });
  });
}
