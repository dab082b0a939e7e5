import { spawn } from "node:child_process";
import { appendFile, mkdtemp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, runContext, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createInstallation, type Installation } from "./installation.js";
import { type Cost, printCost, underLoad } from "./load.js";
import { addMigration, deriveImage, findVersions, type Versions } from "./versions.js";

// deploy/parley on a real engine, over a real migration and while people write. Every test continues the one before it.

const minuteMs = 60_000;
const images = ["api", "gateway", "automod", "webhook-dispatcher", "discord", "migrate", "edge"];
const services = ["api", "api", "automod", "discord", "edge", "gateway", "gateway", "webhook-dispatcher"];

let versions: Versions;
let installation: Installation;

beforeAll(async () => {
  versions = await findVersions();
  // With secrets where the version before has them.
  installation = await createInstallation({ PARLEY_VERSION: "before" }, { checkout: versions.before });
}, minuteMs);
afterAll(() => installation?.remove(), 5 * minuteMs);

test(
  "the version before the newest migration is built and started",
  async () => {
    for (const name of ["before", "after"] as const) {
      const file = { COMPOSE_FILE: composeFile(versions[name]), PARLEY_VERSION: name };
      await installation.compose(["build", "--quiet"], file);
    }
    const file = { COMPOSE_FILE: composeFile(versions.before) };
    await installation.compose(["up", "--detach", "--wait", "--wait-timeout", "240"], file);
    expect(await running()).toEqual(services.map((name) => `${name} before`));
  },
  45 * minuteMs,
);

test(
  "a migration that fails replaces nothing and costs no request",
  async () => {
    await copyVersion("after", "unmigratable");
    const folder = await mkdtemp(join(runContext().folder, "migrations-"));
    const name = await addMigration(folder, "ALTER TABLE users ADD COLUMN username text;\n");
    const [from, to] = ["parley-test/migrate:before", "parley-test/migrate:unmigratable"];
    await deriveImage(installation, { from, to, folder, lines: [`COPY ${name} /app/migrations/99999999999999_wrong`] });

    const { code, output } = await withoutCost("upgrade to a migration that fails", ["upgrade", "unmigratable"]);
    expect(code).toBe(1);
    expect(output).toContain("Migration 99999999999999_wrong failed: column");
    expect(output).toContain("parley: stopped: the migration failed");
    expect(output).toMatch(/nothing was replaced; run the same command again once that is repaired\n$/);
    expect(await running()).toEqual(services.map((service) => `${service} before`));
  },
  5 * minuteMs,
);

test(
  "an upgrade over a migration loses nothing that was acknowledged, and everybody who listens continues",
  async () => {
    await upgrade(`upgrade ${versions.what}`, "after");
    expect(await readFile(installation.settings, "utf8")).toMatch(
      /^PARLEY_VERSION=after\nPARLEY_VERSION_FORMER=before\n$/m,
    );
  },
  30 * minuteMs,
);

const answering500 = "require('node:http').createServer((_, answer) => answer.writeHead(500).end()).listen(8080)";
test.each([
  ["an api that ends at once", "ending", "process.exit(1)"],
  ["an api that answers everything with 500", "answering", answering500],
])(
  "an upgrade to %s replaces nothing, and no request fails",
  async (what, version, program) => {
    await copyVersion("after", version);
    const lines = [`CMD ["node", "--eval", "${program}"]`];
    await deriveImage(installation, { from: "parley-test/api:after", to: `parley-test/api:${version}`, lines });

    const before = await containers();
    const { code, output } = await withoutCost(`upgrade to ${what}`, ["upgrade", version]);
    expect(code).toBe(1);
    expect(output).toContain(`parley: stopped: api ${version} does not become healthy`);
    expect(output).toContain("parley: running: api after x2, gateway after x2,");
    expect(await containers()).toEqual(before);
  },
  30 * minuteMs,
);

test(
  "a rollback that is interrupted between two services costs nothing, and continues when it is run again",
  async () => {
    const { code, output } = await withoutCost("rollback, interrupted", ["upgrade", "before"], "replacing gateway");
    expect(code).toBe(1);
    expect(output).toMatch(/the same command continues once that is repaired; .*upgrade after goes back\n$/);
    expect(await running()).toEqual(services.map((service) => `${service} ${service === "api" ? "before" : "after"}`));
    await upgrade("rollback, continued", "before");
  },
  30 * minuteMs,
);

test("after all that the good version is upgraded to", () => upgrade("upgrade again", "after"), 30 * minuteMs);

test(
  "an upgrade that fails once a part of it serves goes back by itself, and no request fails",
  async () => {
    await copyVersion("after", "homeless");
    // Healthy in the trial, whose network has no name for it; ends where its network has one.
    const program =
      "require('node:dns').resolve4('webhook-dispatcher', (_, all = []) => { " +
      "const own = require('node:os').networkInterfaces().eth0[0].address; " +
      "all.includes(own) ? process.exit(1) : import('/app/dist/main.js') })";
    const name = "parley-test/webhook-dispatcher";
    const lines = [`CMD ["node", "--eval", "${program}"]`];
    await deriveImage(installation, { from: `${name}:after`, to: `${name}:homeless`, lines });
    await deriveImage(installation, {
      from: "parley-test/api:after",
      to: "parley-test/api:homeless",
      lines: ["LABEL other=yes"],
    });
    const { code, output } = await withoutCost("upgrade that goes back", ["upgrade", "homeless"]);
    expect(code).toBe(1);
    expect(output).toContain("parley: stopped: webhook-dispatcher homeless does not become healthy");
    expect(output).toContain("parley: going back to after");
    expect(output).toContain("parley: after serves again");
    expect(await running()).toEqual(services.map((service) => `${service} after`));
    expect(await readFile(installation.settings, "utf8")).toMatch(/^PARLEY_VERSION=after$/m);
  },
  30 * minuteMs,
);

test(
  "the edge is replaced under load, and no request fails",
  async () => {
    await appendFile(installation.settings, "EDGE_CONNECTIONS_PER_ADDRESS=1500\n");
    const before = await containers();
    const { code, output } = await withoutCost("edge replaced", ["apply"]);
    expect([code, output]).toEqual([0, expect.stringContaining("parley: replacing edge")]);
    expect((await containers()).filter((id) => before.includes(id))).toHaveLength(before.length - 1);
  },
  30 * minuteMs,
);

test(
  "an administrator is made at once, by name, and the right is withdrawn again",
  async () => {
    const ann = await createClient(installation.url).register();
    const before = await containers();
    const administer = async (...args: string[]) => (await operate(["admin", ...args], () => {})).code;
    expect((await ann.get("/admin/settings")).status).toBe(403);
    const other = await createClient(installation.url).register();
    for (const { user } of [other, ann]) expect(await administer("add", user.username)).toBe(0);
    expect((await ann.get("/admin/settings")).status).toBe(200);
    expect(await administer("remove", ann.user.username)).toBe(0);
    expect((await ann.get("/admin/settings")).status).toBe(403);
    expect(await administer("add", "nobody-has-this-name")).toBe(1);
    expect(await containers()).toEqual(before);
  },
  2 * minuteMs,
);

test(
  "doctor finds nothing wrong with an installation that serves, and names what does not",
  async () => {
    const well = await operate(["doctor"], () => {});
    expect([well.code, well.output]).toEqual([0, expect.stringContaining("parley: nothing is wrong")]);
    const [victim] = await installation.containers({ service: "automod" });
    await installation.docker(["stop", victim?.ID ?? ""]);
    await appendFile(installation.settings, "RETENTION_DAYS=30\n");
    const ill = await operate(["doctor"], () => {});
    expect(ill.code).toBe(1);
    expect(ill.output).toMatch(/WRONG {2}\S+automod-\d+ is exited/);
    expect(ill.output).toContain("WRONG  0 of 1 processes of automod run");
    expect(ill.output).toMatch(/WRONG {2}these run with other settings or images than are configured: api\n/);
    await installation.docker(["start", victim?.ID ?? ""]);
    await operate(["apply"], () => {});
    await running();
    expect((await operate(["doctor"], () => {})).code).toBe(0);
  },
  30 * minuteMs,
);

test(
  "a changed setting is applied to the processes that have it, beside each other",
  async () => {
    const ann = await createClient(installation.url).register();
    expect((await ann.get("/admin/settings")).status).toBe(403);
    await appendFile(installation.settings, `PARLEY_ADMINS=${ann.user.username}\n`);
    const before = await containers();
    const { code, output } = await withoutCost("changed setting applied", ["apply"]);
    expect([code, output]).toEqual([0, expect.stringMatching(/parley: done, running: .*\n$/)]);
    expect((await ann.get("/admin/settings")).status).toBe(200);
    const kept = (await containers()).filter((id) => before.includes(id));
    expect(kept).toHaveLength(before.length - 2);
  },
  30 * minuteMs,
);

/** Upgrades to a good version under load and checks that nothing is lost, and that no request fails. */
async function upgrade(what: string, version: string): Promise<void> {
  let ended = { code: -1, output: "" };
  const backups = await mkdtemp(join(runContext().folder, "backups-"));
  const cost = await underLoad(installation.url, async (mark) => {
    ended = await operate(["upgrade", version, "--backups", backups], (line) => {
      if (line.includes("giving the port to edge-port")) mark();
    });
  });
  printCost(what, cost);
  expect([ended.code, ended.output]).toEqual([0, expect.stringMatching(/parley: done, running: .*\n$/)]);
  expect(await readdir(backups)).toEqual([expect.stringMatching(new RegExp(`^\\d{8}T\\d{6}Z-before-${version}$`))]);
  expect(await running()).toEqual(services.map((service) => `${service} ${version}`));
  expect(cost).toMatchObject({ lost: 0, doubled: 0, missed: 0, readAnew: 0 });
  expect(cost.failures).toEqual([]);
  // Only a version before edge-port has to give its port away.
  if (!ended.output.includes("giving the port")) expect(cost.failuresAfterMark).toEqual([]);
}

/** Runs an operation that leaves the edge alone, under load: it may cost nothing at all. Ends it (SIGTERM) at `endAt`. */
async function withoutCost(what: string, args: readonly string[], endAt?: string) {
  let ended = { code: -1, output: "" };
  const cost: Cost = await underLoad(installation.url, async () => {
    ended = await operate(args, (line, end) => {
      if (endAt !== undefined && line.includes(endAt)) end();
    });
  });
  printCost(what, cost);
  expect(cost).toMatchObject({ failures: [], lost: 0, doubled: 0, missed: 0, readAnew: 0 });
  return ended;
}

/** Runs deploy/parley as an administrator of this installation with the later version's checkout. */
async function operate(args: readonly string[], onLine: (line: string, end: () => void) => void) {
  const startedAt = performance.now();
  const script = join(versions.after, "deploy", "parley");
  const env = { ...installation.env, COMPOSE_FILE: composeFile(versions.after) };
  const child = spawn(script, [...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      output += text;
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      for (const line of text.split("\n").filter((part) => part !== "")) {
        process.stdout.write(`${seconds.padStart(6)} s ${line}\n`);
        onLine(line, () => child.kill("SIGTERM"));
      }
    });
  }
  const code = await new Promise<number>((resolve, reject) => {
    child.on("close", (status) => resolve(status ?? -1));
    child.on("error", reject);
  });
  return { code, output };
}

/** The files of docker-compose.yml and the machine's additions to it, for the checkout in a folder. */
function composeFile(folder: string): string {
  const { root } = runContext();
  return (process.env.COMPOSE_FILE ?? join(root, "docker-compose.yml")).replaceAll(root, folder);
}

async function copyVersion(from: string, to: string): Promise<void> {
  for (const name of images)
    await installation.docker(["tag", `parley-test/${name}:${from}`, `parley-test/${name}:${to}`]);
}

/** "api before" for each process of the project, healthy ones alone. */
async function running(): Promise<string[]> {
  const isOurs = ({ Image }: { Image: string }) => Image.startsWith("parley-test/");
  await waitUntil(async () => (await installation.containers()).every(({ Health }) => Health === "healthy"), {
    timeoutMs: minuteMs,
  });
  const found = (await installation.containers()).filter(isOurs);
  return found.map(({ Service, Image }) => `${Service} ${Image.split(":").at(-1)}`).toSorted();
}

async function containers(): Promise<string[]> {
  return (await installation.containers()).map(({ ID }) => ID).toSorted();
}
