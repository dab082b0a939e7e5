import { errorBody } from "@parley/contracts";
import { Counter } from "prom-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHealth } from "./health.js";
import { type HttpServer, startHttpServer } from "./http-server.js";
import { createMetrics, metricsAllowed } from "./metrics.js";
import { createOperationsHandler } from "./operations-handler.js";

let databaseUp = true;
let listening: HttpServer;
const notFound = errorBody("Not found");

beforeAll(async () => {
  const metrics = createMetrics();
  new Counter({ name: "frames_total", help: "Frames", registers: [metrics.registry] }).inc(3);
  const database = async () => {
    if (!databaseUp) throw new Error("down");
  };
  const health = createHealth({ checks: { database }, timeoutMs: 1000 });
  const handler = createOperationsHandler({ health, metrics });
  listening = await startHttpServer({ handler, host: "127.0.0.1", port: 0 });
});
afterAll(() => listening.close());

const get = (path: string, init?: RequestInit) => fetch(`${listening.url}${path}`, init);

describe("the operations handler", () => {
  test.each(["/health/live", "/health/live/", "/api/health/live", "/health/live?x=1"])(
    "a process answers %s as alive",
    async (path) => {
      const response = await get(path);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
      expect(await response.json()).toEqual({ alive: true });
    },
  );

  test("the operations handler answers 200 or 503 for readiness, following the dependencies", async () => {
    databaseUp = false;
    const down = await get("/health/ready");
    expect(down.status).toBe(503);
    expect(await down.json()).toEqual({ ready: false, checks: { database: { ok: false, error: "unavailable" } } });
    databaseUp = true;
    const up = await get("/health/ready");
    expect(up.status).toBe(200);
    expect(await up.json()).toEqual({ ready: true, checks: { database: { ok: true } } });
  });

  test("the operations handler answers load balancers with 200 or 503", async () => {
    databaseUp = false;
    const down = await get("/health/serving");
    expect([down.status, await down.json()]).toEqual([503, { serving: false }]);
    databaseUp = true;
    const up = await get("/api/health/serving");
    expect([up.status, await up.json()]).toEqual([200, { serving: true }]);
  });

  test("the operations handler shows process metrics and own ones with the labels of each metric alone", async () => {
    const response = await get("/metrics");
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    expect(text).toContain("frames_total 3");
    expect(text).toMatch(/^process_cpu_user_seconds_total \d/m);
  });

  test.each(["X-Forwarded-For", "Forwarded"])("hides metrics from requests with %s", async (header) => {
    const response = await get("/metrics", { headers: { [header]: "127.0.0.1" } });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual(notFound);
  });

  test.each([
    ["GET", "/"],
    ["GET", "/health/live/x"],
    ["GET", "/api/api/health/live"],
    ["GET", "/Health/live"],
    ["POST", "/health/live"],
    ["DELETE", "/metrics"],
  ])("answers %s %s with 404 in JSON", async (method, path) => {
    const response = await get(path, { method });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual(notFound);
  });
});

describe("whether metrics are shown", () => {
  test.each([
    ["127.0.0.1", true],
    ["127.8.9.10", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["10.0.0.1", false],
    ["::ffff:10.0.0.1", false],
    ["fe80::1", false],
    ["128.0.0.1", false],
    ["", false],
  ])("whether metrics are shown to the peer %s: %s", async (remoteAddress, allowed) => {
    const { Socket } = await import("node:net");
    const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress });
    expect(metricsAllowed({ socket, headers: {} })).toBe(allowed);
  });
});
