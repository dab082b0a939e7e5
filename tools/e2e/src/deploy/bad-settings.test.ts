import { execFile } from "node:child_process";
import { join } from "node:path";
import { connectDatabase } from "@parley/database";
import { findFreePort, serviceNames } from "@parley/local-stack";
import { ConfigError, type Environment, loadConfig } from "@parley/service-runtime";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { configSchema as api } from "../../../../services/api/src/config.js";
import { configSchema as automod } from "../../../../services/automod/src/config.js";
import { configSchema as discord } from "../../../../services/discord/src/config.js";
import { configSchema as gateway } from "../../../../services/gateway/src/config.js";
import { configSchema as dispatcher } from "../../../../services/webhook-dispatcher/src/config.js";

// A deployment with a wrong setting. Migrations that fail half way, and two migration jobs at once:
// packages/database/src/migrate.test.ts and migrate-command.test.ts.

const root = join(import.meta.dirname, "..", "..", "..", "..");
const LogLine = z.looseObject({ level: z.union([z.number(), z.string()]), msg: z.string() });

let database: TestDatabase;
let good: Record<string, string>;

beforeAll(async () => {
  database = await createTestDatabase();
  good = { PORT: "0", DATABASE_URL: database.url, JWT_SECRET: "0123456789abcdef".repeat(4) };
});
afterAll(() => database?.drop());

/** The message of a service about settings before it ends; none for good ones. */
function problemOf(schema: z.ZodType, settings: Environment): string {
  try {
    loadConfig(schema, { ...good, ...settings });
    return "";
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

/** Runs a service until it ends by itself. */
function start(
  service: string,
  settings: Record<string, string>,
): Promise<{ code: unknown; out: string[]; err: string[] }> {
  const env = { ...good, ...settings };
  const lines = (text: string) => text.split("\n").filter((line) => line !== "");
  return new Promise((resolve) => {
    const main = join(root, "services", service, "dist", "main.js");
    execFile(process.execPath, [main], { cwd: root, env, timeout: 170_000 }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out: lines(out), err: lines(err) }),
    );
  });
}

/** The database's address with another part. */
function changed(part: "port" | "pathname" | "password", value: string): string {
  const url = new URL(good.DATABASE_URL ?? "");
  url[part] = value;
  return url.toString();
}

test("a service that does not start for its settings says so in one line and ends with 1", async () => {
  expect(await start("gateway", { JWT_SECRET: "CHANGE_ME" })).toEqual({
    code: 1,
    out: [],
    err: ["Invalid settings: JWT_SECRET must have at least 32 characters"],
  });
});

test.each([
  ["api", api],
  ["gateway", gateway],
  ["discord", discord],
])("%s does not start without JWT_SECRET, or with the one of an example", (_, schema) => {
  expect(problemOf(schema, {})).toBe("");
  expect(problemOf(schema, { JWT_SECRET: "" })).toBe("Invalid settings: JWT_SECRET is required");
  const tooShort = "Invalid settings: JWT_SECRET must have at least 32 characters";
  expect(problemOf(schema, { JWT_SECRET: "CHANGE_ME" })).toBe(tooShort);
});

test.each([
  ["api", api],
  ["gateway", gateway],
  ["automod", automod],
  ["webhook-dispatcher", dispatcher],
  ["discord", discord],
])("%s does not start without DATABASE_URL, or with one that is no address", (_, schema) => {
  expect(problemOf(schema, {})).toBe("");
  for (const DATABASE_URL of ["", "localhost:5432"])
    expect(problemOf(schema, { DATABASE_URL })).toMatch(/^Invalid settings: DATABASE_URL [^\n;]+$/);
});

describe("a database that cannot be used", () => {
  test.each([
    ["out of reach", async () => changed("port", String(await findFreePort())), /ECONNREFUSED|not reachable|refused/i],
    ["unknown", async () => changed("pathname", "/no_such_database"), /no_such_database/],
    ["refusing the password", async () => changed("password", "wrong-password"), /password/],
  ])("the cause is named of a database that is %s, without the password", async (_, urlOf, cause) => {
    const logger = { info: () => {}, warn: () => {} };
    const error: unknown = await connectDatabase({
      url: await urlOf(),
      poolMax: 1,
      applicationName: "start",
      logger,
    }).catch((reason: unknown) => reason);
    expect(String(error)).toMatch(cause);
    expect(String(error)).not.toContain("wrong-password");
  });

  test.each(serviceNames)("%s ends with 1 and one line about the cause", async (service) => {
    const { code, out, err } = await start(service, { DATABASE_URL: changed("password", "wrong-password") });
    const lines = [...out, ...err];
    const grave = lines.map((line) => LogLine.parse(JSON.parse(line))).filter(({ level }) => isGrave(level));
    expect(code).toBe(1);
    expect(grave.map(({ msg }) => msg)).toEqual([expect.stringMatching(/^could not start: .*password/)]);
    expect(lines.join("\n")).not.toContain("wrong-password");
  });
});

function isGrave(level: number | string): boolean {
  return typeof level === "number" ? level >= 50 : level === "error" || level === "fatal";
}
