import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient, createServerWithMembers, runContext } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWriters } from "../deploy/rolling-traffic.js";
import { createInstallation, type Installation } from "./installation.js";
import { type Registry, startRegistry } from "./registry.js";

// Images for two processors in a registry, signed; installed, rehearsed, upgraded and rolled back from there. Every test continues
// the one before it.

const run = promisify(execFile);
const minuteMs = 60_000;
const { root } = runContext();
const images = ["api", "gateway", "automod", "webhook-dispatcher", "discord", "migrate", "edge"];

let folder: string;
let registry: Registry;
let installation: Installation;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(runContext().folder, "release-"));
  registry = await startRegistry();
  await makeKeys("parley");
  await makeKeys("other");
  // Nothing of nginx's configuration is mounted.
  await writeFile(join(folder, "alone.yml"), "services:\n  edge:\n    volumes: !reset []\n");
  const mine = { PARLEY_VERSION: "one", PARLEY_KEY: join(folder, "parley.pub") };
  installation = await createInstallation({ ...mine, PARLEY_IMAGES: `${registry.host}/parley` });
  const files = process.env.COMPOSE_FILE ?? join(root, "docker-compose.yml");
  env = { ...environment(), COMPOSE_FILE: `${files}:${join(folder, "alone.yml")}` };
}, 5 * minuteMs);
afterAll(async () => {
  await installation?.remove();
  await registry?.stop();
  for (const version of ["one", "two"]) await rm(join(root, "releases", version), { recursive: true, force: true });
}, 5 * minuteMs);

test(
  "build.sh --push leaves every image for both processors, each with the packages of its own",
  async () => {
    await pushBase("node", "node:24.11.1-bookworm-slim");
    await pushBase("nginx", "nginx:1.29-alpine");
    for (const version of ["one", "two"]) await push(version);
    for (const image of images) {
      const text = await docker("buildx", "imagetools", "inspect", "--raw", named(image, "one"));
      const { manifests } = JSON.parse(text) as { manifests: { platform: { os: string; architecture: string } }[] };
      expect([image, manifests.map(({ platform }) => `${platform.os}/${platform.architecture}`)]).toEqual([
        image,
        ["linux/amd64", "linux/arm64"],
      ]);
    }
    for (const [architecture, cpu] of [
      ["amd64", "x64"],
      ["arm64", "arm64"],
    ] as const) {
      const programs = await programsOf(named("api", `one-${architecture}`));
      expect(programs.length).toBeGreaterThanOrEqual(2);
      expect(programs.filter((path) => !path.includes(`linux-${cpu}`))).toEqual([]);
    }
  },
  90 * minuteMs,
);

test(
  "an installation is made from them by their signed digests, with the configuration of the edge from its image",
  async () => {
    // Removes the images that building has left here.
    const here = lines(await docker("images", "--format", "{{.Repository}}:{{.Tag}}"));
    const built = here.filter((name) => name.startsWith(`${registry.host}/parley/`));
    if (built.length > 0) await docker("rmi", "--force", ...built);
    const startedAt = performance.now();
    const { code, output } = await operate("install");
    print(`installed in ${seconds(startedAt)}`);
    expect([code, output]).toEqual([0, expect.stringMatching(/^parley: done, running: api one x2, gateway one x2/m)]);
    const digests = await readFile(join(root, "releases", "one", "digests"), "utf8");
    const [, api = ""] = /^api (\S+)$/m.exec(digests) ?? [];
    expect(api).toMatch(/^sha256:/);
    expect(await readFile(installation.settings, "utf8")).toContain(`\nPARLEY_DIGEST_API=${api}\n`);
    const [container] = await containersOf("api");
    expect(await docker("inspect", "--format", "{{.Config.Image}}", container ?? "")).toContain(`/api:one@${api}`);
    expect((await fetch(`${installation.url}/app/`)).status).toBe(200);
  },
  10 * minuteMs,
);

test(
  "images that somebody else has signed, that nobody has signed, and those of another version are refused",
  async () => {
    const before = await containersOf("api");
    const keyOfOther = { PARLEY_KEY: join(folder, "other.pub") };
    const other = await operateWith(keyOfOther, "upgrade", "two", "--no-backup");
    expect([other.code, other.output]).toEqual([
      1,
      expect.stringContaining("the images of two are not signed with the key"),
    ]);
    // The release of one under the name of another.
    await docker("buildx", "imagetools", "create", "--tag", named("release", "three"), named("release", "one"));
    const third = await operate("upgrade", "three", "--no-backup");
    expect([third.code, third.output]).toEqual([
      1,
      expect.stringContaining("is of another version, one; nothing was changed"),
    ]);
    const fourth = await operate("upgrade", "four", "--no-backup");
    expect([fourth.code, fourth.output]).toEqual([1, expect.stringContaining("/release:four could not be pulled")]);
    expect(await containersOf("api")).toEqual(before);
  },
  5 * minuteMs,
);

test(
  "a rehearsal says what an upgrade would do, costs no request, and leaves nothing",
  async () => {
    const fixture = await createServerWithMembers(createClient(installation.url), 3);
    const writers = startWriters([fixture.owner], fixture.channel.id);
    const backups = join(folder, "backups");
    await operate("backup", "--backups", backups);
    const before = await everythingOf(installation.env.COMPOSE_PROJECT_NAME ?? "");
    const startedAt = performance.now();
    const { code, output } = await operate("upgrade", "two", "--rehearse", "--backups", backups);
    print(`rehearsed in ${seconds(startedAt)}\n${output}`);
    await writers.stop();
    expect([code, output]).toEqual([
      0,
      expect.stringMatching(/^parley: done: the upgrade to two would take about \d+ s/m),
    ]);
    expect(output).toMatch(/^parley: migrations: none in \d+ s$/m);
    expect(output).toMatch(
      /^parley: requests: \d+ of the last minute and \d+ more, \d+ answered, \d+ refused.*, 0 failed;/m,
    );
    expect(output).toMatch(/^parley: a message was written, received after \d+ ms, edited and deleted$/m);
    expect(writers.failures).toEqual([]);
    expect(await everythingOf(`${installation.env.COMPOSE_PROJECT_NAME}-rehearsal`)).toEqual([]);
    expect(await everythingOf(installation.env.COMPOSE_PROJECT_NAME ?? "")).toEqual(before);
  },
  10 * minuteMs,
);

test(
  "an upgrade and a rollback go by the digests of each version",
  async () => {
    for (const args of [["upgrade", "two", "--no-backup"], ["rollback"]]) {
      const startedAt = performance.now();
      const { code, output } = await operate(...args);
      print(`${args.join(" ")} in ${seconds(startedAt)}`);
      expect([code, output]).toEqual([0, expect.stringContaining("parley: done")]);
      const version = args[0] === "rollback" ? "one" : "two";
      const digests = await readFile(join(root, "releases", version, "digests"), "utf8");
      const settings = await readFile(installation.settings, "utf8");
      for (const [, name = "", digest] of digests.matchAll(/^([a-z-]+) (sha256:\S+)$/gm)) {
        expect(settings).toContain(`PARLEY_DIGEST_${name.toUpperCase().replaceAll("-", "_")}=${digest}\n`);
      }
    }
  },
  15 * minuteMs,
);

/** The environment without the names of images: those are in the file of settings. */
function environment(): Record<string, string> {
  const own = Object.entries(installation.env).filter(([name]) => name !== "PARLEY_IMAGES");
  return Object.fromEntries(own.map(([name, value]) => [name, value ?? ""]));
}

const named = (image: string, tag: string) => `${registry.host}/parley/${image}:${tag}`;
const docker = async (...args: string[]) => (await run("docker", args, { maxBuffer: 2 ** 26 })).stdout;
const lines = (text: string) => text.split("\n").filter((line) => line !== "");
const seconds = (startedAt: number) => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
const print = (what: string) => process.stdout.write(`containers: ${what}\n`);

async function makeKeys(name: string): Promise<void> {
  const [key, pub] = [join(folder, `${name}.key`), join(folder, `${name}.pub`)];
  await run("openssl", ["ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", key]);
  await run("openssl", ["ec", "-in", key, "-pubout", "-out", pub]);
}

/** Pushes this machine's base, and for the other processor one that has users and no programs: no build runs any. */
async function pushBase(name: string, image: string): Promise<void> {
  const target = `${registry.host}/base/${name}`;
  await docker("tag", image, `${target}:amd64`);
  await docker("push", "--quiet", `${target}:amd64`);
  const context = await mkdtemp(join(folder, "base-"));
  await writeFile(join(context, "passwd"), "root:x:0:0::/:/\nnode:x:1000:1000::/:/\nnginx:x:101:101::/:/\n");
  await writeFile(join(context, "group"), "root:x:0:\nnode:x:1000:\nnginx:x:101:\n");
  await writeFile(join(context, "Dockerfile"), "FROM scratch\nCOPY passwd group /etc/\n");
  const options = ["--provenance=false", "--platform", "linux/arm64", "--push", "--tag", `${target}:arm64`];
  await docker("buildx", "build", "--quiet", ...options, context);
  await docker("buildx", "imagetools", "create", "--tag", `${target}:both`, `${target}:amd64`, `${target}:arm64`);
}

async function push(version: string): Promise<void> {
  const startedAt = performance.now();
  const base = (name: string) => `${registry.host}/base/${name}:both`;
  await run(join(root, "deploy", "image", "build.sh"), ["--push", `${registry.host}/parley`, version], {
    env: {
      ...process.env,
      NODE_IMAGE: base("node"),
      NGINX_IMAGE: base("nginx"),
      PARLEY_SIGNING_KEY: join(folder, "parley.key"),
    },
    maxBuffer: 2 ** 26,
  });
  print(`version ${version} built and pushed for two processors in ${seconds(startedAt)}`);
}

/** The modules for one processor that an image holds. */
async function programsOf(image: string): Promise<string[]> {
  const box = (await docker("create", "--pull", "always", image, "none")).trim();
  const files = await run("sh", ["-c", 'docker export "$0" | tar -t', box], { maxBuffer: 2 ** 26 });
  await docker("rm", box);
  return lines(files.stdout).filter((path) => /\.node$|\.so[.\d]*$/.test(path) && path.startsWith("app/"));
}

/** Containers, volumes and networks of a Compose project. */
async function everythingOf(project: string): Promise<string[]> {
  const label = ["--filter", `label=com.docker.compose.project=${project}`];
  const found = await Promise.all([
    docker("ps", "--all", "--quiet", ...label),
    docker("volume", "ls", "--quiet", ...label),
    docker("network", "ls", "--quiet", ...label),
  ]);
  return found.flatMap(lines).toSorted();
}

async function containersOf(service: string): Promise<string[]> {
  const project = `label=com.docker.compose.project=${installation.env.COMPOSE_PROJECT_NAME}`;
  const filter = ["--filter", project, "--filter", `label=com.docker.compose.service=${service}`];
  return lines(await docker("ps", "--quiet", ...filter)).toSorted();
}

const operate = (...args: string[]) => operateWith({}, ...args);

async function operateWith(more: Record<string, string>, ...args: string[]) {
  const options = { env: { ...env, ...more, TEXTFILES: folder }, maxBuffer: 2 ** 26 };
  return run(join(root, "deploy", "parley"), args, options).then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, output: stdout + stderr }),
  );
}
