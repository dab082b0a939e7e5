import { execFile } from "node:child_process";
import { join } from "node:path";
import { findFreePort, type ServerProcess, serviceNames } from "@parley/local-stack";
import { createTestDatabase, startNats, startRedis, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

// What a deployment with a wrong setting looks like. Migrations that fail half way, and two migration jobs at once:
// packages/database/src/migrate.test.ts and migrate-command.test.ts.

const root = join(import.meta.dirname, "..", "..", "..", "..");
const LogLine = z.looseObject({ level: z.union([z.number(), z.string()]), msg: z.string() });

let database: TestDatabase;
let redis: ServerProcess;
let nats: ServerProcess;
let good: Record<string, string>;

beforeAll(async () => {
  [database, redis, nats] = await Promise.all([createTestDatabase(), startRedis(), startNats()]);
  good = {
    PORT: "0",
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    NATS_URL: nats.url,
    JWT_SECRET: "0123456789abcdef".repeat(4),
  };
});
afterAll(() => Promise.all([database?.drop(), redis?.stop(), nats?.stop()]));

/** Runs a service until it ends by itself. */
function start(
  service: string,
  settings: Record<string, string>,
): Promise<{ code: unknown; out: string[]; err: string[] }> {
  const env = Object.fromEntries(Object.entries({ ...good, ...settings }).filter(([, value]) => value !== ""));
  const lines = (text: string) => text.split("\n").filter((line) => line !== "");
  return new Promise((resolve) => {
    const main = join(root, "services", service, "dist", "main.js");
    execFile(process.execPath, [main], { cwd: root, env, timeout: 25_000 }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out: lines(out), err: lines(err) }),
    );
  });
}

describe.each(["api", "gateway"])("%s", (service) => {
  test.each([
    ["", "JWT_SECRET is required"],
    ["CHANGE_ME", "JWT_SECRET must have at least 32 characters"],
  ])("a service does not start with the secret '%s', and says so in one line", async (JWT_SECRET, problem) => {
    const { code, out, err } = await start(service, { JWT_SECRET });
    expect({ code, out, err }).toEqual({ code: 1, out: [], err: [`Invalid settings: ${problem}`] });
  });
});

describe.each(serviceNames)("%s", (service) => {
  test("a service does not start without DATABASE_URL, or with one that is no address, and says so in one line", async () => {
    for (const DATABASE_URL of ["", "localhost:5432"]) {
      const { code, out, err } = await start(service, { DATABASE_URL });
      expect({ code, out, err }).toEqual({
        code: 1,
        out: [],
        err: [expect.stringMatching(/^Invalid settings: DATABASE_URL /)],
      });
    }
  });

  test("ends with one line about the cause when the database is out of reach, unknown, or refuses the password", async () => {
    const away = new URL(good.DATABASE_URL ?? "");
    away.port = String(await findFreePort());
    const unknown = new URL(good.DATABASE_URL ?? "");
    unknown.pathname = "/no_such_database";
    const refused = new URL(good.DATABASE_URL ?? "");
    refused.password = "wrong-password";
    const runs = await Promise.all(
      [away, unknown, refused].map((url) => start(service, { DATABASE_URL: url.toString() })),
    );
    for (const [at, expected] of [/ECONNREFUSED|not reachable|refused/i, /no_such_database/, /password/].entries()) {
      const { code, out, err } = runs[at] ?? { code: 0, out: [], err: [] };
      const grave = [...out, ...err]
        .map((line) => LogLine.parse(JSON.parse(line)))
        .filter(({ level }) => isGrave(level));
      expect(code).toBe(1);
      expect(grave.map(({ msg }) => msg)).toEqual([expect.stringMatching(/^could not start: /)]);
      expect(grave[0]?.msg).toMatch(expected);
      expect([...out, ...err].join("\n")).not.toContain("wrong-password");
    }
  });
});

function isGrave(level: number | string): boolean {
  return typeof level === "number" ? level >= 50 : level === "error" || level === "fatal";
}
