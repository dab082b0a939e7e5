import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { ConfigError, type Environment, loadConfig } from "./config.js";
import { describeSettings } from "./describe-settings.js";
import { eachHost } from "./each-host.js";
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
  test("loadConfig fills every default and ignores unknown variables", () => {
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

  test("loadConfig reads numbers, lists, booleans and several NATS servers", () => {
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

  test("loadConfig names every bad setting in one line, without any value", () => {
    const message = messageOf({
      JWT_SECRET: "too-short-secret",
      PORT: "http",
      APP_ENV: "staging",
      REDIS_URL: "http://user:hunter2@redis",
      WEBHOOK_ALLOW_PRIVATE: "maybe",
    });
    expect(message).toBe(
      "Invalid settings: PORT must be a whole number from 0 to 65535; APP_ENV must be one of production, development; " +
        "DATABASE_URL is required; REDIS_URL must be a URL that starts with redis:// or rediss:// or " +
        "redis+sentinel:// or rediss+sentinel://; JWT_SECRET must have at least 32 characters; WEBHOOK_ALLOW_PRIVATE must be true or false",
    );
  });

  test("loadConfig does not repeat a value in the messages of zod itself", () => {
    const plain = z.object({ A: z.string().regex(/^a$/), B: z.enum(["x"]), C: z.coerce.number(), D: z.url() });
    const env = { A: "hunter2", B: "hunter2", C: "hunter2", D: "hunter2" };
    expect(() => loadConfig(plain, env)).toThrow(/^Invalid settings: A is invalid[^\n]*; D is invalid[^\n]*$/);
    expect(() => loadConfig(plain, env)).not.toThrow(/hunter2/);
  });

  test("loadConfig reads the value of a setting from the file that NAME_FILE names, without the line break at its end", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-settings-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = async (name: string, content: string) => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    const env = {
      DATABASE_URL_FILE: await file("url", `${databaseUrl}\n`),
      JWT_SECRET: "",
      JWT_SECRET_FILE: await file("secret", ` ${secret}\n\r\n`),
      // None of the settings.
      OTHER_FILE: "/nowhere",
    };
    expect(loadConfig(schema, env)).toMatchObject({ DATABASE_URL: databaseUrl, JWT_SECRET: ` ${secret}\n` });
    expect(messageOf({ ...env, DATABASE_URL: databaseUrl, JWT_SECRET_FILE: join(folder, "missing") })).toBe(
      "Invalid settings: DATABASE_URL and DATABASE_URL_FILE are both set; JWT_SECRET_FILE names a file that cannot be read (ENOENT)",
    );
    expect(messageOf({ ...env, JWT_SECRET_FILE: folder, TURN_SECRET_FILE: await file("empty", "\n") })).toBe(
      "Invalid settings: JWT_SECRET_FILE names a file that cannot be read (EISDIR); TURN_SECRET_FILE names an empty file",
    );
    const short = { ...env, JWT_SECRET_FILE: await file("short", "hunter2") };
    expect(messageOf(short)).toBe("Invalid settings: JWT_SECRET must have at least 32 characters");
  });

  test("loadConfig puts the content of a file where a value says file(/path), as a URL has to have it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "parley-settings-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "password"), "a/b@c)\n");
    await writeFile(join(folder, "url"), databaseUrl);
    await writeFile(join(folder, "secret"), secret);
    const reference = (name: string) => `file(${join(folder, name)})`;
    const env = {
      DATABASE_URL: reference("url"),
      REDIS_URL: `redis://:${reference("password")}@redis:6379`,
      NATS_URL: `nats://parley:${reference("password")}@a:4222,nats://b:4222`,
      JWT_SECRET: reference("secret"),
      TURN_SECRET: `x-${reference("password")}`,
    };
    expect(loadConfig(schema, env)).toMatchObject({
      DATABASE_URL: databaseUrl,
      REDIS_URL: "redis://:a%2Fb%40c)@redis:6379",
      NATS_URL: "nats://parley:a%2Fb%40c)@a:4222,nats://b:4222",
      JWT_SECRET: secret,
      TURN_SECRET: "x-a/b@c)",
    });
    expect(messageOf({ ...env, JWT_SECRET: reference("missing"), REDIS_URL: `redis://:${reference("")}@h` })).toBe(
      "Invalid settings: REDIS_URL names a file that cannot be read (EISDIR); JWT_SECRET names a file that cannot be read (ENOENT)",
    );
  });

  test("loadConfig treats an empty variable as unset", () => {
    expect(messageOf({ DATABASE_URL: databaseUrl, JWT_SECRET: "" })).toBe("Invalid settings: JWT_SECRET is required");
    expect(loadConfig(schema, { DATABASE_URL: databaseUrl, JWT_SECRET: secret, PORT: "" }).PORT).toBe(8201);
  });
});

describe("urlSetting", () => {
  const one = urlSetting({ purpose: "u", schemes: ["redis", "rediss"] });
  const many = urlSetting({ purpose: "u", schemes: ["nats", "tls"], many: true });
  const problemOf = (setting: z.ZodType, value: string) => setting.safeParse(value).error?.issues[0]?.message;

  test.each(["redis://h", "rediss://:p%40ss@h:6379/1", "redis://[::1]"])("a setting that is a URL accepts %s", (url) =>
    expect(problemOf(one, url)).toBeUndefined(),
  );
  test("urlSetting names the fault of a URL: its scheme, its host, or the characters of its password", () => {
    const scheme = "must be a URL that starts with redis:// or rediss://";
    for (const url of ["http://h", "h:6379", "redis://h:99999", ""]) expect(problemOf(one, url)).toBe(scheme);
    for (const url of ["redis://", "redis:///1"]) expect(problemOf(one, url)).toBe("must name a host");
    const written = "must have % in user and password written as %25";
    expect(problemOf(one, "redis://:hun%ter2@h")).toBe(written);
    expect(problemOf(many, "nats://a,nats://")).toBe("must name a host");
    expect(problemOf(many, "nats://u:p@a,nats://u:%@b")).toBe(written);
  });
  test("urlSetting takes a list of hosts where it may, and checks each of them", () => {
    const lists = urlSetting({ purpose: "u", schemes: ["postgresql", "redis"], hostLists: ["postgresql"] });
    for (const url of ["postgresql://u:p,%40@a:1,b:2/d?x=a,b", "postgresql://a,b", "postgresql://[::1]:1,[::2]:2/d"]) {
      expect(problemOf(lists, url)).toBeUndefined();
    }
    for (const url of ["redis://a:1,b:2", "postgresql://a:1,b:99999/d"]) {
      expect(problemOf(lists, url)).toMatch(/^must be a URL/);
    }
    for (const url of ["postgresql://a,/d", "postgresql://,/d"]) {
      expect(problemOf(lists, url)).toBe("must name a host");
    }
    expect(eachHost("postgresql://u:p,%40@a:1,b:2/d?x=a,b")).toEqual([
      "postgresql://u:p,%40@a:1/d?x=a,b",
      "postgresql://u:p,%40@b:2/d?x=a,b",
    ]);
    expect(eachHost("redis://u:a,b@h/0")).toEqual(["redis://u:a,b@h/0"]);
  });

  test("the address of sentinels names what they watch", () => {
    const refused = "REDIS_URL must name what the sentinels watch, as in redis+sentinel://a:26379,b:26379/mymaster";
    const problem = (url: string) => messageOf({ DATABASE_URL: databaseUrl, JWT_SECRET: secret, REDIS_URL: url });
    expect(problem("redis+sentinel://:p@a:1,b:2/mymaster?sentinelPassword=x")).toBe("");
    expect(problem("rediss+sentinel://a/mymaster")).toBe("");
    for (const url of ["redis+sentinel://a:1,b:2", "redis+sentinel://a/", "rediss+sentinel://a/m/1"]) {
      expect(problem(url)).toBe(`Invalid settings: ${refused}`);
    }
  });

  test("urlSetting lets PostgreSQL's socket be the host", () => {
    const database = urlSetting({ purpose: "d", schemes: ["postgresql"] });
    expect(problemOf(database, "postgresql:///parley?host=/run/postgresql")).toBeUndefined();
    expect(problemOf(database, "postgresql:///parley")).toBe("must name a host");
  });
});

test("an address to listen on is no URL, and the name of a process has no spaces", () => {
  const env = { DATABASE_URL: databaseUrl, JWT_SECRET: secret };
  expect(messageOf({ ...env, HOST: "http://0.0.0.0", METRICS_HOST: "a b" })).toBe(
    "Invalid settings: HOST must be an IP address or a host name; METRICS_HOST must be an IP address or a host name",
  );
  for (const HOST of ["0.0.0.0", "::", "fe80::1%eth0", "localhost"]) expect(messageOf({ ...env, HOST })).toBe("");
  const problem = "Invalid settings: NODE_ID must be 1 to 128 printable ASCII characters without spaces";
  for (const NODE_ID of ["a b", "a\n", "x".repeat(129)]) expect(messageOf({ ...env, NODE_ID })).toBe(problem);
});

describe("listSetting", () => {
  const even = listSetting({ purpose: "n", isEntry: (entry) => Number(entry) % 2 === 0, entries: "even numbers" });
  test("listSetting checks every entry, and names the expected values", () => {
    expect(even.parse("2, 4,")).toEqual(["2", "4"]);
    expect(even.parse(undefined)).toEqual([]);
    expect(even.safeParse("2,3").error?.issues[0]?.message).toBe("must be a comma list of even numbers");
  });
});

describe("integerSetting", () => {
  const setting = integerSetting({ purpose: "n", default: 5, min: 1, max: 10 });
  test.each(["1", "10"])("a setting that is an integer accepts %s", (text) =>
    expect(setting.parse(text)).toBe(Number(text)),
  );
  test.each(["0", "11", "1.5", "1e1", "0x5", " 5", "", "9".repeat(30)])(
    "a setting that is an integer rejects %j",
    (text) => expect(setting.safeParse(text).success).toBe(false),
  );
});

describe("describeSettings", () => {
  test("describeSettings gives name, default, purpose and whether it is required, in order", () => {
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

  test("describeSettings finds a purpose for every base setting", () => {
    const rows = describeSettings(z.object(baseSettings({ port: 1 })));
    expect(rows.filter((row) => row.purpose === "")).toEqual([]);
    expect(rows).toHaveLength(16);
  });
});
