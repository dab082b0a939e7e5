import { join } from "node:path";
import { migrate } from "@parley/database";
import { findFreePort, type ServerProcess, serviceNames, startProcess } from "@parley/local-stack";
import { createTestDatabase, runContext, startNats, startRedis, type TestDatabase, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

// A deployment that starts the services before, or without, its migration job.

const root = join(import.meta.dirname, "..", "..", "..", "..");
let database: TestDatabase;
let redis: ServerProcess;
let nats: ServerProcess;

beforeAll(async () => {
  [database, redis, nats] = await Promise.all([createTestDatabase({ migrated: false }), startRedis(), startNats()]);
});
afterAll(() => Promise.all([database?.drop(), redis?.stop(), nats?.stop()]));

test("every service waits for the migration job, not ready, and then starts without help", async () => {
  const services = await Promise.all(serviceNames.map(startService));
  try {
    for (const { name, process } of services) {
      const waits = () => process.lastLines().some((line) => line.includes("waiting for the migration job"));
      await waitUntil(() => waits() || !process.running(), { what: `${name} to wait` });
      expect(process.lastLines().join("\n")).toContain("waiting for the migration job");
    }
    for (const { isReady } of services) expect(await isReady()).toBe(false);
    await migrate({ databaseUrl: database.url });
    for (const { name, process, isReady } of services) {
      await waitUntil(async () => (await isReady()) || !process.running(), {
        timeoutMs: 60_000,
        what: `${name} to be ready`,
      });
      expect(process.running(), process.lastLines().join("\n")).toBe(true);
    }
  } finally {
    await Promise.all(services.map(({ process }) => process.stop()));
  }
});

async function startService(name: string) {
  const port = await findFreePort();
  const process = await startProcess({
    name,
    command: globalThis.process.execPath,
    args: [join(root, "services", name, "dist", "main.js")],
    cwd: root,
    env: {
      PORT: String(port),
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      NATS_URL: nats.url,
      JWT_SECRET: "0".repeat(64),
      UPLOAD_DIR: join(runContext().folder, "migration-order-uploads"),
    },
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  return { name, process, isReady };
}
