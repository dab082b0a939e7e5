import { describe, expect, test } from "vitest";
import { createHealth, runCheck } from "./health.js";
import { createLogger } from "./logger.js";

const fine = async () => {};
const broken = async () => {
  throw new Error("password authentication failed for user parley");
};
const silent = () => new Promise<never>(() => {});

describe("readiness", () => {
  test("readiness is ready when every dependency answers", async () => {
    const health = createHealth({ checks: { database: fine, redis: fine, nats: fine }, timeoutMs: 1000 });
    expect(await health.readiness()).toEqual({
      ready: true,
      checks: { database: { ok: true }, redis: { ok: true }, nats: { ok: true } },
    });
  });

  test("readiness names the dependency that fails or stays silent, in generic words and within the limit", async () => {
    const health = createHealth({ checks: { database: broken, redis: silent, nats: fine }, timeoutMs: 50 });
    expect(await health.readiness()).toEqual({
      ready: false,
      checks: {
        database: { ok: false, error: "unavailable" },
        redis: { ok: false, error: "timeout" },
        nats: { ok: true },
      },
    });
  });

  test("readiness survives a check that throws at once", async () => {
    const throwing = () => {
      throw new Error("not connected");
    };
    const health = createHealth({ checks: { database: throwing }, timeoutMs: 50 });
    expect(await health.readiness()).toEqual({
      ready: false,
      checks: { database: { ok: false, error: "unavailable" } },
    });
  });

  test("readiness is not ready once draining, whatever the dependencies say", async () => {
    const health = createHealth({ checks: { database: fine }, timeoutMs: 1000 });
    health.beginDraining();
    expect(await health.readiness()).toEqual({ ready: false, checks: { database: { ok: true } } });
    expect(health.live()).toEqual({ alive: true });
  });

  test("readiness asks a dependency once for any number of concurrent probes, and again for later ones", async () => {
    let asked = 0;
    const counting = async () => {
      asked += 1;
    };
    const health = createHealth({ checks: { database: counting }, timeoutMs: 1000 });
    await Promise.all(Array.from({ length: 50 }, () => health.readiness()));
    expect(asked).toBe(1);
    await health.readiness();
    expect(asked).toBe(2);
  });

  test("logs the true cause once per outage and the recovery once", async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ service: "api", level: "info", nodeId: "n", destination });
    let up = false;
    const health = createHealth({ checks: { redis: () => (up ? fine() : broken()) }, timeoutMs: 50, logger });
    await health.readiness();
    await health.readiness();
    up = true;
    await health.readiness();
    await health.readiness();
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain("password authentication failed");
    expect(lines[1]).toContain("reachable again");
  });
});

describe("the check of load balancers", () => {
  test("the check of load balancers depends on the database alone: without Redis or NATS there is less to be had, but not from other processes", async () => {
    const health = createHealth({ checks: { database: fine, redis: broken, nats: silent }, timeoutMs: 50 });
    expect(await health.serving()).toBe(true);
    expect((await health.readiness()).ready).toBe(false);
    for (const database of [broken, silent]) {
      const without = createHealth({ checks: { database, redis: fine, nats: fine }, timeoutMs: 50 });
      expect(await without.serving()).toBe(false);
    }
  });

  test("the check of load balancers ends with draining", async () => {
    const health = createHealth({ checks: { database: fine }, timeoutMs: 1000 });
    health.beginDraining();
    expect(await health.serving()).toBe(false);
  });

  test("the check of load balancers asks the database once for concurrent probes of both kinds", async () => {
    let asked = 0;
    const counting = async () => {
      asked += 1;
    };
    const health = createHealth({ checks: { database: counting }, timeoutMs: 1000 });
    await Promise.all([health.serving(), health.readiness(), health.serving()]);
    expect(asked).toBe(1);
  });
});

describe("runCheck", () => {
  test("runCheck measures how long the answer took", async () => {
    const result = await runCheck(() => new Promise((resolve) => setTimeout(resolve, 20)), 1000);
    expect(result.ok).toBe(true);
    expect(result.latencyMs).toBeGreaterThanOrEqual(15);
  });

  test("runCheck ignores the later result of a timed-out check", async () => {
    let fail = (_error: Error) => {};
    const late = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    expect(await runCheck(() => late, 5)).toMatchObject({ ok: false, error: "timeout" });
    fail(new Error("late"));
    await late.catch(() => {});
  });
});
