import { execFile } from "node:child_process";
import { access, constants, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { eachHost } from "@parley/service-runtime";
import { freshFolder } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { configSchema as api } from "../../../../services/api/src/config.js";
import { configSchema as automod } from "../../../../services/automod/src/config.js";
import { configSchema as discord } from "../../../../services/discord/src/config.js";
import { configSchema as gateway } from "../../../../services/gateway/src/config.js";
import { configSchema as dispatcher } from "../../../../services/webhook-dispatcher/src/config.js";
import { readCompose, readMerged } from "./compose-file.js";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..", "..", "..");
const schemas = { api, gateway, automod, "webhook-dispatcher": dispatcher, discord };
const names = ["POSTGRES_PASSWORD", "REDIS_PASSWORD", "NATS_PASSWORD", "JWT_SECRET", "FILE_URL_SECRET", "TURN_SECRET"];
const variables = Object.fromEntries([...names, "GRAFANA_PASSWORD"].map((name) => [name, `p${"0".repeat(63)}`]));

const Overlay = z.object({
  services: z.record(
    z.string(),
    z.object({ environment: z.record(z.string(), z.string()).default({}), volumes: z.array(z.string()).default([]) }),
  ),
  volumes: z.record(z.string(), z.null()),
});
let base: Awaited<ReturnType<typeof readCompose>>;
let overlay: z.infer<typeof Overlay>;
beforeAll(async () => {
  base = await readCompose(join(root, "docker-compose.yml"), variables);
  overlay = Overlay.parse(await readMerged(join(root, "deploy", "compose.ha.yml"), variables));
});

const environmentOf = (name: string): Record<string, string> => ({
  ...base.services[name]?.environment,
  ...overlay.services[name]?.environment,
});

test.each(Object.keys(schemas))("%s is told of every server, by settings that it takes", (name) => {
  const environment = environmentOf(name);
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const schema = Object.entries(schemas).find(([service]) => service === name)?.[1];
  expect(schema?.safeParse(given).error).toBeUndefined();
  const hostsOf = (urls: readonly string[]) => urls.map((url) => new URL(url).hostname);
  expect(hostsOf(eachHost(environment.DATABASE_URL ?? ""))).toEqual(["postgres", "postgres-2"]);
  expect(hostsOf(eachHost(environment.REDIS_URL ?? ""))).toEqual(["sentinel-1", "sentinel-2", "sentinel-3"]);
  expect(hostsOf((environment.NATS_URL ?? "").split(","))).toEqual(["nats", "nats-2", "nats-3"]);
  const makesStreams = schema !== undefined && "STREAM_REPLICAS" in schema.shape;
  expect(environment.STREAM_REPLICAS).toBe(makesStreams ? "3" : undefined);
});

test("the migration job finds the host that takes writes, and all that is named is there: servers, volumes, files", async () => {
  const where = (name: string) => environmentOf(name).DATABASE_URL?.replace(/\/\/.*@/, "//");
  expect(where("migrate")).toBe(where("api"));
  expect(environmentOf("migrate").DATABASE_URL).not.toBe(environmentOf("api").DATABASE_URL);
  const services = new Set([...Object.keys(base.services), ...Object.keys(overlay.services)]);
  for (const name of ["postgres-2", "redis", "redis-2", "sentinel-1", "sentinel-2", "sentinel-3", "nats-2", "nats-3"]) {
    expect(services).toContain(name);
  }
  const volumes = new Set([...Object.keys(base.volumes), ...Object.keys(overlay.volumes)]);
  for (const [source = ""] of Object.values(overlay.services).flatMap(({ volumes }) =>
    volumes.map((v) => v.split(":")),
  )) {
    if (!source.startsWith("./")) expect(volumes).toContain(source);
    else await access(join(root, source), source.endsWith(".sh") ? constants.X_OK : constants.R_OK);
    if (source.endsWith(".sh")) await run("sh", ["-n", join(root, source)]);
  }
});

test("NATS takes the configuration of the cluster, with its routes", async () => {
  const folder = freshFolder("nats-cluster");
  await mkdir(folder, { recursive: true });
  const text = async (name: string) => readFile(join(root, "deploy", "nats", name), "utf8");
  // Known from 2.10 on.
  const single = (await text("nats.conf")).replace("/data", folder).replace(/^ *sync_interval:.*$/m, "");
  await writeFile(join(folder, "nats.conf"), single);
  await writeFile(join(folder, "cluster.conf"), await text("cluster.conf"));
  const env = { ...environmentOf("nats-2"), PATH: process.env.PATH };
  const { stderr } = await run("nats-server", ["-t", "-c", join(folder, "cluster.conf")], { env });
  expect(stderr).toContain("is valid");
});
