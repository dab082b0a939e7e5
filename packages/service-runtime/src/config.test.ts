import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ConfigError, type Environment, loadConfig } from "./config.js";
import { describeSettings } from "./describe-settings.js";
import {
  baseSettings,
  booleanSetting,
  choiceSetting,
  integerSetting,
  listSetting,
  optionalTextSetting,
  textSetting,
  urlSetting,
} from "./settings.js";

const schema = z.object({
  ...baseSettings({ port: 8201 }),
  JWT_SECRET: textSetting({ purpose: "Signs access tokens", lengthMin: 32 }),
  TRUST_PROXY: listSetting({ purpose: "Trusted proxies" }),
  WEBHOOK_ALLOW_PRIVATE: booleanSetting({ purpose: "Private webhook targets", default: false }),
  TURN_SECRET: optionalTextSetting({ purpose: "TURN" }),
});
const databaseUrl = "postgresql://user:hunter2@127.0.0.1/parley";
const secret = "0123456789abcdef0123456789abcdef";

function messageOf(env: Environment): string {
  try {
    loadConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "";
}

describe("loadConfig", () => {
  it("fills every default and ignores unknown variables", () => {
    const config = loadConfig(schema, { DATABASE_URL: databaseUrl, JWT_SECRET: secret, PATH: "/bin" });
    expect(config).toMatchObject({
      HOST: "127.0.0.1",
      PORT: 8201,
      APP_ENV: "production",
      LOG_LEVEL: "info",
      REDIS_URL: "redis://127.0.0.1:6379",
      NATS_URL: "nats://127.0.0.1:4222",
      SHUTDOWN_TIMEOUT_MS: 10_000,
      TRUST_PROXY: [],
      WEBHOOK_ALLOW_PRIVATE: false,
    });
    expect(config.TURN_SECRET).toBeUndefined();
    expect(config).not.toHaveProperty("PATH");
    expect(config.NODE_ID).toContain(String(process.pid));
  });

  it("reads numbers, lists, booleans and several NATS servers", () => {
    const config = loadConfig(schema, {
      DATABASE_URL: databaseUrl,
      JWT_SECRET: secret,
      PORT: "0",
      TRUST_PROXY: " 10.0.0.0/8 ,, ::1/128",
      WEBHOOK_ALLOW_PRIVATE: "TRUE",
      NATS_URL: "nats://a:4222,nats://b:4222",
    });
    expect(config.PORT).toBe(0);
    expect(config.TRUST_PROXY).toEqual(["10.0.0.0/8", "::1/128"]);
    expect(config.WEBHOOK_ALLOW_PRIVATE).toBe(true);
    expect(config.NATS_URL).toBe("nats://a:4222,nats://b:4222");
  });

  it("names every bad setting in one line, without any value", () => {
    const message = messageOf({
      JWT_SECRET: "too-short-secret",
      PORT: "http",
      APP_ENV: "staging",
      REDIS_URL: "http://user:hunter2@redis",
      WEBHOOK_ALLOW_PRIVATE: "maybe",
    });
    expect(message).toBe(
      "Invalid settings: PORT must be a whole number from 0 to 65535; APP_ENV must be one of production, development; " +
        "DATABASE_URL is required; REDIS_URL must be a URL that starts with redis:// or rediss://; " +
        "JWT_SECRET must have at least 32 characters; WEBHOOK_ALLOW_PRIVATE must be true or false",
    );
  });

  it("does not repeat a value in the messages of zod itself", () => {
    const plain = z.object({ A: z.string().regex(/^a$/), B: z.enum(["x"]), C: z.coerce.number(), D: z.url() });
    const env = { A: "hunter2", B: "hunter2", C: "hunter2", D: "hunter2" };
    expect(() => loadConfig(plain, env)).toThrow(/^Invalid settings: A is invalid[^\n]*; D is invalid[^\n]*$/);
    expect(() => loadConfig(plain, env)).not.toThrow(/hunter2/);
  });

  it("treats an empty variable as unset", () => {
    expect(messageOf({ DATABASE_URL: databaseUrl, JWT_SECRET: "" })).toBe("Invalid settings: JWT_SECRET is required");
    expect(loadConfig(schema, { DATABASE_URL: databaseUrl, JWT_SECRET: secret, PORT: "" }).PORT).toBe(8201);
  });
});

describe("integerSetting", () => {
  const setting = integerSetting({ purpose: "n", default: 5, min: 1, max: 10 });
  it.each(["1", "10"])("accepts %s", (text) => expect(setting.parse(text)).toBe(Number(text)));
  it.each(["0", "11", "1.5", "1e1", "0x5", " 5", "", "9".repeat(30)])("rejects %j", (text) =>
    expect(setting.safeParse(text).success).toBe(false),
  );
});

describe("describeSettings", () => {
  it("gives name, default, purpose and whether it is required, in order", () => {
    const rows = describeSettings(
      z.object({
        DATABASE_URL: urlSetting({ purpose: "Database", schemes: ["postgresql"] }),
        LEVEL: choiceSetting({ purpose: "Level", choices: ["a", "b"], default: "b" }),
        STUN_URLS: listSetting({ purpose: "STUN", default: ["stun:a", "stun:b"] }),
        ORIGINS: listSetting({ purpose: "Origins" }),
        TURN_SECRET: optionalTextSetting({ purpose: "TURN" }),
        NODE_ID: baseSettings({ port: 1 }).NODE_ID,
      }),
    );
    expect(rows).toEqual([
      { name: "DATABASE_URL", default: null, purpose: "Database", required: true },
      { name: "LEVEL", default: "b", purpose: "Level", required: false },
      { name: "STUN_URLS", default: "stun:a,stun:b", purpose: "STUN", required: false },
      { name: "ORIGINS", default: null, purpose: "Origins", required: false },
      { name: "TURN_SECRET", default: null, purpose: "TURN", required: false },
      {
        name: "NODE_ID",
        default: "host name and process id",
        purpose: "Name of this process in logs and leases; unique among running processes",
        required: false,
      },
    ]);
  });

  it("finds a purpose for every base setting", () => {
    const rows = describeSettings(z.object(baseSettings({ port: 1 })));
    expect(rows.filter((row) => row.purpose === "")).toEqual([]);
    expect(rows).toHaveLength(11);
  });
});
