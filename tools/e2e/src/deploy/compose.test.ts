import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { acceptQueueMax } from "../../../../packages/service-runtime/src/limits.js";
import { configSchema as api } from "../../../../services/api/src/config.js";
import { configSchema as automod } from "../../../../services/automod/src/config.js";
import { configSchema as discord } from "../../../../services/discord/src/config.js";
import { configSchema as gateway } from "../../../../services/gateway/src/config.js";
import { configSchema as dispatcher } from "../../../../services/webhook-dispatcher/src/config.js";
import { type ComposeFile, type ComposeService, readCompose } from "./compose-file.js";
import { environmentOf, parseDockerfile } from "./dockerfile.js";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..", "..", "..");
const file = join(root, "docker-compose.yml");
const schemas: Record<string, z.ZodObject> = { api, gateway, automod, "webhook-dispatcher": dispatcher, discord };

let folder: string;
let made: Record<string, string>;
let compose: ComposeFile;
let imageEnvironment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-compose-"));
  await mkdir(join(folder, "deploy"));
  await cp(join(root, "deploy", "make-env.sh"), join(folder, "deploy", "make-env.sh"));
  await run(join(folder, "deploy", "make-env.sh"));
  made = readEnv(await readFile(join(folder, ".env"), "utf8"));
  compose = await readCompose(file, made);
  const stages = parseDockerfile(await readFile(join(root, "deploy", "Dockerfile"), "utf8"));
  imageEnvironment = environmentOf(stages, "service");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const service = (name: string): ComposeService => {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`There is no service ${name}.`);
  return found;
};

const makeEnv = (...args: string[]) => run(join(folder, "deploy", "make-env.sh"), args);
const readSecret = async (name: string) => (await readFile(join(folder, "secrets", name), "utf8")).trimEnd();

/** An environment as a process of the container sees it that has the secrets. */
async function withSecrets(environment: Record<string, string>): Promise<Record<string, string>> {
  const values = Object.entries(environment).map(async ([name, value]) => {
    const [reference, secret] = /file\(\/run\/secrets\/(\w+)\)/.exec(value) ?? [];
    return [name, reference === undefined ? value : value.replaceAll(reference, await readSecret(secret ?? ""))];
  });
  return Object.fromEntries(await Promise.all(values));
}

describe("the .env file", () => {
  test("the .env file is made with secrets of its own, in files that nobody else reaches, and neither is overwritten", async () => {
    for (const path of [".env", "secrets"]) expect((await stat(join(folder, path))).mode & 0o077).toBe(0);
    const names = (await readdir(join(folder, "secrets"))).filter((name) => name !== "more");
    expect(names).toHaveLength(8);
    const values = await Promise.all(names.map(readSecret));
    for (const value of values) expect(value).toMatch(/^p[0-9a-f]{64}$/);
    expect(new Set(values).size).toBe(values.length);
    // Each server has a user of its own.
    for (const name of names) expect((await stat(join(folder, "secrets", name))).mode & 0o777).toBe(0o444);
    expect((await stat(join(folder, "secrets", "more"))).mode & 0o777).toBe(0o755);
    const named = Object.entries(made).filter(([name]) => /SECRET$|PASSWORD/.test(name));
    expect(named.map(([, value]) => value).toSorted()).toEqual(names.map((name) => `file(/run/secrets/${name})`));
    await expect(makeEnv()).rejects.toMatchObject({ code: 1, stderr: ".env exists already and was left as it is.\n" });
    expect(readEnv(await readFile(join(folder, ".env"), "utf8"))).toEqual(made);
    await rm(join(folder, ".env"));
    await makeEnv();
    expect(await Promise.all(names.map(readSecret))).toEqual(values);
  });

  test("an installation with its secrets in .env goes on as it is, and moves them into files by one command", async () => {
    const before = Object.fromEntries(
      Object.keys(made)
        .filter((name) => /SECRET$|PASSWORD/.test(name) && name !== "POSTGRES_SERVICE_PASSWORD")
        .map((name) => [name, `p-of-${name}`.padEnd(40, "=")]),
    );
    const former = await readCompose(file, before);
    expect(new Set(Object.values(former.secrets).map((secret) => secret.file))).toEqual(new Set(["/dev/null"]));
    expect(JSON.stringify(former.services)).not.toContain("file(/run/secrets");
    const own = join(folder, "former", "env");
    await mkdir(join(folder, "former"));
    await writeFile(
      own,
      `${Object.entries({ ...before, API_SCALE: "3" })
        .map(([name, value]) => `${name}=${value}\n`)
        .join("")}`,
    );
    await chmod(own, 0o640);
    await makeEnv("--move", own);
    const moved = readEnv(await readFile(own, "utf8"));
    expect((await stat(own)).mode & 0o777).toBe(0o640);
    expect(moved).toEqual({ ...made, API_SCALE: "3", SECRETS: join(folder, "former", "secrets") });
    const read = async (name: string) => (await readFile(join(folder, "former", "secrets", name), "utf8")).trimEnd();
    expect(await read("nats_password")).toBe(before.NATS_PASSWORD);
    expect(await read("postgres_service_password")).toBe(before.POSTGRES_PASSWORD);
    await expect(makeEnv("--move", own)).rejects.toMatchObject({ stderr: expect.stringContaining("in files already") });
  });

  test("no secret is in what Docker shows of a container, and each has the files that its settings name", () => {
    for (const [name, { environment, command, entrypoint, secrets }] of Object.entries(compose.services)) {
      const settings = Object.entries(environment).filter(([key]) => /SECRET|PASSWORD|AUTH|_PASS$|_URL$/.test(key));
      for (const [key, value] of settings) {
        if (value === "" || /^(?:API|GATEWAY|OIDC|PUBLIC|SMTP)/.test(key)) continue;
        expect([name, key, value]).toEqual([name, key, expect.stringContaining("file(/run/secrets/")]);
      }
      const references = [...JSON.stringify(environment).matchAll(/file\(\/run\/secrets\/(\w+)\)/g)];
      expect([
        name,
        references.map(([, secret]) => secret).filter((secret) => !secrets.includes(secret ?? "")),
      ]).toEqual([name, []]);
      expect(JSON.stringify([command, entrypoint])).not.toMatch(/file\(|[0-9a-f]{64}/);
      // Our own programs read the files themselves.
      const isOurs = name === "migrate" || schemas[name] !== undefined;
      if (references.length > 0 && !isOurs) expect([name, entrypoint?.[0]]).toEqual([name, "with-secrets"]);
    }
    for (const [name, secret] of Object.entries(compose.secrets)) expect(secret.file).toBe(`./secrets/${name}`);
  });

  test("with-secrets puts the content of each file where the environment of a server says so", async () => {
    const path = (name: string) => `file(${join(folder, "secrets", name)})`;
    const [nats, redis] = await Promise.all(["nats_password", "redis_password"].map(readSecret));
    const env = {
      PATH: process.env.PATH,
      ROUTES: `["nats://parley:${path("nats_password")}@a:6222",\n"nats://parley:${path("nats_password")}@b:6222"]`,
      REDISCLI_AUTH: path("redis_password"),
      PLAIN: "a $b 'c' file(x)",
    };
    const start = (given: Record<string, string | undefined>) =>
      run(join(root, "deploy", "with-secrets.sh"), ["sh", "-c", 'echo "$ROUTES|$REDISCLI_AUTH|$PLAIN"'], {
        env: given,
      });
    expect((await start(env)).stdout).toBe(
      `["nats://parley:${nats}@a:6222",\n"nats://parley:${nats}@b:6222"]|${redis}|a $b 'c' file(x)\n`,
    );
    await expect(start({ ...env, REDISCLI_AUTH: path("missing") })).rejects.toMatchObject({ stdout: "" });
  });

  test("the .env file is required, and the message says how to make it", async () => {
    await expect(readCompose(file, {})).rejects.toThrow(/is missing: run deploy\/make-env\.sh$/);
  });

  test("the .env file holds every secret: the compose file has none", async () => {
    const text = await readFile(file, "utf8");
    const values = [...text.matchAll(/(?:SECRET|PASSWORD|AUTH)\w*: (.*)$/gm)].map(([, value = ""]) => value);
    expect(values.length).toBeGreaterThan(8);
    for (const value of values) expect(value).toMatch(/^(?:\$\{\w+:-)?\$\{\w+:(\?run deploy\/make-env\.sh|-)\}+$/);
  });
});

describe.each(Object.keys(schemas))("%s", (name) => {
  test("gets every setting that it requires and none that it does not know", async () => {
    const environment = await withSecrets(service(name).environment);
    const known = Object.keys(schemas[name]?.shape ?? {});
    expect(Object.keys(environment).filter((setting) => !known.includes(setting))).toEqual([]);
    const given = { ...imageEnvironment, ...environment };
    const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
    expect(schemas[name]?.safeParse(set).error).toBeUndefined();
  });

  test("each image is built for itself, runs without rights on a read-only root, and is asked whether it is ready", () => {
    const { build, read_only, cap_drop, security_opt, user, healthcheck, ports } = service(name);
    expect(build?.args).toEqual({ SERVICE: name, PARLEY_VERSION: "latest" });
    expect({ read_only, cap_drop, security_opt, user, ports }).toEqual({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      user: "node",
      ports: [],
    });
    expect(healthcheck?.test.join(" ")).toContain(`http://127.0.0.1:${imageEnvironment.PORT}/health/ready`);
  });

  test("starts after its servers are healthy and the migration is done, and has time to stop", () => {
    const { depends_on, stop_grace_period, environment } = service(name);
    expect(depends_on).toEqual({
      migrate: { condition: "service_completed_successfully" },
      redis: { condition: "service_healthy" },
      nats: { condition: "service_healthy" },
    });
    const drainSeconds = Number(environment.DRAIN_SECONDS ?? 0);
    expect(Number.parseInt(stop_grace_period ?? "10s", 10)).toBeGreaterThanOrEqual(drainSeconds + 20);
  });
});

test("the edge is an image with the web application, and runs without rights on a read-only root", () => {
  const { build, read_only, cap_drop, user, volumes } = service("edge");
  expect(build?.target).toBe("edge");
  expect({ read_only, cap_drop, user }).toEqual({ read_only: true, cap_drop: ["ALL"], user: "nginx" });
  expect(volumes).toEqual(["./deploy/nginx:/etc/nginx/parley:ro"]);
});

test("the edge lets go of WebSockets in the time that it has to stop", () => {
  const { environment, stop_grace_period } = service("edge");
  expect(Number.parseInt(stop_grace_period ?? "10s", 10)).toBeGreaterThanOrEqual(
    Number(environment.EDGE_DRAIN_SECONDS ?? 60) + 5,
  );
});

test("`docker compose up` does not fail because no api or gateway is ready, as after an outage of the servers", () => {
  for (const [name, { depends_on }] of Object.entries(compose.services)) {
    for (const other of ["api", "gateway"]) {
      expect(depends_on[other]?.condition ?? "service_started", `${name} -> ${other}`).toBe("service_started");
    }
  }
});

test("two apis and two gateways are behind the edge, whose port alone is published and outlives every edge", () => {
  expect([service("api").scale, service("gateway").scale]).toEqual([2, 2]);
  const published = Object.entries(compose.services).filter(
    ([, { ports, profiles }]) => ports.length + profiles.length > 0,
  );
  const always = published.filter(([, { profiles }]) => profiles.length === 0).map(([name]) => name);
  expect(always).toEqual(["edge-port"]);
  expect(service("edge-port").ports).toEqual(["0.0.0.0:8080:8080"]);
  expect(service("edge").network_mode).toBe("service:edge-port");
  expect(service("edge-port").build).toBeUndefined();
  expect(service("grafana").ports[0]).toMatch(/^127\.0\.0\.1:/);
});

test("every service can be made more of in .env, so that a plain `up` takes none away", async () => {
  const scaled = await readCompose(file, {
    ...made,
    API_SCALE: "4",
    GATEWAY_SCALE: "5",
    AUTOMOD_SCALE: "2",
    DISCORD_SCALE: "0",
  });
  expect(["api", "gateway", "automod", "discord"].map((name) => scaled.services[name]?.scale)).toEqual([4, 5, 2, 0]);
});

test("the settings that the interface leaves to a deployment can be set in .env (docs/protocol/limits.md#16.2)", async () => {
  const decided = {
    PARLEY_ADMINS: "ann,bob",
    SMTP_URL: "smtps://mail.example.com",
    MAIL_FROM: "Parley <parley@example.com>",
    PUBLIC_URL: "https://chat.example.com",
    STUN_URLS: "stun:stun.example.com",
    TURN_URLS: "turn:turn.example.com",
    APP_ENV: "development",
    ALLOWED_ORIGINS: "https://chat.example.com",
    RATE_LIMIT_REST_RPS: "101",
    RATE_LIMIT_REST_BURST: "102",
    RATE_LIMIT_AUTH_RPS: "103",
    RATE_LIMIT_AUTH_BURST: "104",
    RATE_LIMIT_BOT_RPS: "105",
    RATE_LIMIT_BOT_ADDRESS_RPS: "106",
    EVENTS_MAX_AGE_MS: "600000",
    EVENTS_MAX_BYTES: "536870912",
    RESUME_GRACE_SECONDS: "20",
    WEBHOOK_ALLOW_PRIVATE: "true",
  };
  const { services } = await readCompose(file, { ...made, ...decided });
  for (const [name, schema] of Object.entries(schemas)) {
    const given = { ...imageEnvironment, ...(await withSecrets(services[name]?.environment ?? {})) };
    for (const [setting, value] of Object.entries(decided)) {
      if (setting in schema.shape) expect([name, setting, given[setting]]).toEqual([name, setting, value]);
    }
    const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ""));
    expect(schema.safeParse(set).error).toBeUndefined();
  }
});

test("NATS is not root, and has its volume from a container that ends", () => {
  expect(service("nats").user).toBe("10001:10001");
  expect(service("nats").depends_on).toEqual({ "nats-volume": { condition: "service_completed_successfully" } });
  const { entrypoint, restart, network_mode, volumes } = service("nats-volume");
  expect({ entrypoint, restart, network_mode, volumes }).toEqual({
    entrypoint: ["chown", "-R", "10001:10001", "/data"],
    restart: "no",
    network_mode: "none",
    volumes: ["nats:/data"],
  });
});

test("browsers, which open a channel with about 100 requests, are within the limits", () => {
  const { RATE_LIMIT_REST_RPS: rps, RATE_LIMIT_REST_BURST: burst } = service("api").environment;
  expect([rps, burst]).toEqual(["50", "200"]);
});

test("logs are rotated, and what serves requests has a memory limit", () => {
  // Required of every service by the shape of the file.
  for (const { logging } of Object.values(compose.services)) expect(logging.driver).toBe("local");
  for (const name of [...Object.keys(schemas), "edge"]) expect(service(name).mem_limit, name).toMatch(/^\d+[mg]$/);
});

test("as many connections may wait to be accepted as a gateway asks for, on their whole way", async () => {
  for (const name of ["edge-port", "gateway", "api", "discord"]) {
    expect([name, service(name).sysctls]).toEqual([
      name,
      expect.objectContaining({ "net.core.somaxconn": acceptQueueMax }),
    ]);
  }
  const text = await readFile(join(root, "deploy", "nginx", "start.sh"), "utf8");
  expect(text).toContain(`reuseport backlog=${acceptQueueMax};`);
});

test("the relay names its public address where one is given, and gets no empty argument without", async () => {
  const externalAddresses = (file: ComposeFile) =>
    file.services.coturn?.command?.filter((argument) => argument.startsWith("--external-ip"));
  expect(externalAddresses(compose)).toEqual([]);
  expect(service("coturn").command).not.toContain("");
  const translated = await readCompose(file, { ...made, TURN_EXTERNAL_IP: "203.0.113.7/10.0.0.7" });
  expect(externalAddresses(translated)).toEqual(["--external-ip=203.0.113.7/10.0.0.7"]);
});

test("the edge looks for the services where they listen", async () => {
  const upstreams = await readFile(join(root, "deploy", "nginx", "upstreams.conf"), "utf8");
  const servers = [...upstreams.matchAll(/^ {2}server (\S+):(\d+) resolve/gm)].map(([, name, port]) => [name, port]);
  expect(servers).toEqual([
    ["api", imageEnvironment.PORT],
    ["discord", imageEnvironment.PORT],
    ["gateway", imageEnvironment.PORT],
  ]);
});

test("what must be up first exists, has a health check, and nothing waits in a circle", () => {
  for (const [name, { depends_on, healthcheck, profiles }] of Object.entries(compose.services)) {
    for (const [other, { condition }] of Object.entries(depends_on)) {
      if (condition === "service_healthy") expect(service(other).healthcheck, `${name} -> ${other}`).toBeDefined();
      expect(reachable(other), `${name} -> ${other}`).not.toContain(name);
    }
    if (!["migrate", "nats-volume"].includes(name)) expect(healthcheck, name).toBeDefined();
    expect([[], ["monitoring"], ["probe"], ["turn"]]).toContainEqual(profiles);
  }
});

test("everything that must survive is in a named volume, and every file that is mounted exists", async () => {
  const mounts = Object.values(compose.services).flatMap(({ volumes }) =>
    volumes.map((mount) => mount.split(":")[0] ?? ""),
  );
  const named = mounts.filter((mount) => !/^[./]/.test(mount));
  expect(new Set(named)).toEqual(new Set(Object.keys(compose.volumes)));
  for (const path of mounts.filter((mount) => mount.startsWith("."))) await stat(join(root, path));
  expect(service("api").volumes).toContain(`uploads:${imageEnvironment.UPLOAD_DIR}`);
});

test("Prometheus looks where the services show their metrics", async () => {
  const text = await readFile(join(root, "deploy", "monitoring", "prometheus.yml"), "utf8");
  const targets = [...text.matchAll(/names: \[([\w-]+)\], type: A, port: (\d+)/g)].map(([, name, port]) => [
    name,
    port,
  ]);
  const names = [...Object.keys(schemas), "probe", "edge"];
  expect(targets).toEqual(names.map((name) => [name, imageEnvironment.METRICS_PORT]));
});

function reachable(name: string): string[] {
  return Object.keys(service(name).depends_on).flatMap((other) => [other, ...reachable(other)]);
}

function readEnv(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));
}
