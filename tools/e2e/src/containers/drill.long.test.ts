import { mkdtemp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient, createServerWithMembers, postMessage, runContext, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { attachFile } from "./attach-file.js";
import { makeImages } from "./images.js";
import { createInstallation, hasEngine, type Installation } from "./installation.js";
import { underLoad } from "./load.js";

// The work of an operator, one line each: backup, the death of every kind of process, restore on a second installation,
// failover and back, upgrade and rollback, while people write and listen. The figures of deploy/runbook.md (The drill)
// are from here. Every test continues the ones before it.

const minuteMs = 60_000;
const { root } = runContext();
const killer = `parley-test-killer-${process.pid}`;

/**
 * An alert of deploy/monitoring/alerts.yml: for failures that end by themselves within a minute, and for those that do
 * not.
 */
interface Alerts {
  readonly ended?: string;
  readonly stays?: string;
}

const kills: readonly [string, string, number, Alerts][] = [
  ["one api", "api", 1, { ended: "ParleyRestarted", stays: "ParleyProcessMissing" }],
  ["both apis", "api", 2, { ended: "ParleyRestarted", stays: "ParleyServiceMissing" }],
  ["one gateway", "gateway", 1, { ended: "ParleyRestarted", stays: "ParleyProcessMissing" }],
  ["automod", "automod", 1, { ended: "ParleyRestarted", stays: "ParleyServiceMissing" }],
  ["webhook-dispatcher", "webhook-dispatcher", 1, { ended: "ParleyRestarted", stays: "ParleyServiceMissing" }],
  ["discord", "discord", 1, { ended: "ParleyRestarted", stays: "ParleyServiceMissing" }],
  ["edge", "edge", 1, { stays: "ParleyUnreachable" }],
  ["edge-port", "edge-port", 1, { stays: "ParleyUnreachable" }],
  ["NATS", "nats", 1, { stays: "ParleyServerDown" }],
  ["Redis", "redis", 1, { stays: "ParleyServerDown" }],
  ["PostgreSQL", "postgres", 1, { stays: "ParleyServerDown" }],
];

let first: Installation;
let second: Installation;
let backup: string;
let rules: Map<string, { for: string; severity: string }>;

describe.skipIf(!hasEngine())("a drill", () => {
  beforeAll(async () => {
    rules = await readRules();
    first = await createInstallation({ PARLEY_VERSION: "one" }, { suffix: "-first" });
    const ha = join(root, "deploy", "compose.ha.yml");
    const few = { PARLEY_VERSION: "one", API_SCALE: "1", GATEWAY_SCALE: "1" };
    second = await createInstallation(few, { suffix: "-second", files: [ha] });
    await makeImages(first, ["one", "two"]);
    await first.operate(["install"]);
    await first.docker([
      ...["run", "--detach", "--rm", "--init", "--pid", "host", "--user", "root", "--name", killer],
      ...["--entrypoint", "sleep", "nats:2.12-alpine", "infinity"],
    ]);
  }, 30 * minuteMs);
  afterAll(async () => {
    await first?.docker(["rm", "--force", killer]).catch(() => undefined);
    for (const installation of [second, first]) await installation?.remove();
  }, 10 * minuteMs);

  test(
    "backup",
    async () => {
      backup = join(await mkdtemp(join(runContext().folder, "backup-")), "first");
      const fixture = await createServerWithMembers(createClient(first.url), 2);
      await postMessage(fixture.owner, fixture.channel.id, "in the backup");
      await attachFile(first.url, fixture, Buffer.from("kept"));
      const cost = await drill("backup", first, {}, () => first.operate(["backup", backup]));
      expect(cost.failures).toEqual([]);
    },
    5 * minuteMs,
  );

  test.each(kills)(
    "kill -9 of %s heals by itself, and nothing that was acknowledged is lost, comes twice or is missed",
    async (what, service, count, alerts) => {
      const victims = (await first.containers({ service })).slice(0, count).map(({ ID }) => ID);
      expect(victims).toHaveLength(count);
      await drill(`kill -9 ${what}`, first, alerts, async () => {
        const before = await inspect("{{.State.StartedAt}}", victims);
        const processes = await inspect("{{.State.Pid}}", victims);
        await first.docker(["exec", killer, "sh", "-c", `kill -9 ${processes.join(" ")}`]);
        await waitUntil(
          async () => (await inspect("{{.State.StartedAt}}", victims)).every((started, at) => started !== before[at]),
          { timeoutMs: minuteMs, what: `${what} to start again` },
        );
      });
    },
    5 * minuteMs,
  );

  test(
    "the backup is restored on a second installation, whose servers take over from each other, and costs the first one nothing",
    async () => {
      await second.compose(["up", "--detach", "--wait", "--wait-timeout", "600"]);
      const cost = await drill("restore on a second installation, seen at the first one", first, {}, () =>
        second.operate(["restore", backup, "--yes"]),
      );
      expect(cost.failures).toEqual([]);
      expect(await contents(second)).toEqual(["in the backup", "a file"]);
    },
    20 * minuteMs,
  );

  test(
    "failover to the other PostgreSQL, back into the pair, and back to the first one",
    async () => {
      const away: Alerts = { ended: "ParleyStandbyAway", stays: "ParleyServerDown" };
      await drill("PostgreSQL gone for good, promote", second, away, async () => {
        const [primary] = await second.containers({ service: "postgres" });
        await second.docker(["kill", primary?.ID ?? ""]);
        await second.operate(["promote", "--yes"]);
      });
      const cost = await drill("rejoin", second, {}, () => second.operate(["rejoin", "--yes"]));
      expect(cost.failures).toEqual([]);
      await drill("back to the first one: promote, rejoin", second, away, async () => {
        await second.operate(["promote", "--yes"]);
        await second.operate(["rejoin", "--yes"]);
      });
      expect((await contents(second)).slice(0, 2)).toEqual(["in the backup", "a file"]);
      await second.remove();
    },
    20 * minuteMs,
  );

  test.each([
    ["upgrade", ["upgrade", "two", "--no-backup"]],
    ["rollback", ["rollback"]],
  ])(
    "%s costs no request",
    async (what, args) => {
      const cost = await drill(what, first, {}, () => first.operate(args));
      expect(cost.failures).toEqual([]);
    },
    20 * minuteMs,
  );
});

/** Runs a part of the drill under load, prints its line, and expects that nothing was lost, doubled or missed. */
async function drill(what: string, installation: Installation, alerts: Alerts, operation: () => Promise<unknown>) {
  let seconds = 0;
  const cost = await underLoad(installation.url, async () => {
    const startedAt = performance.now();
    await operation();
    await waitUntil(() => isHealthy(installation), { timeoutMs: 3 * minuteMs, what: `health after ${what}` });
    seconds = (performance.now() - startedAt) / 1_000;
  });
  const posts = `${cost.acknowledged} posts, ${cost.failures.length} requests failed, ${cost.lost} lost, ${cost.doubled} doubled, ${cost.missed} missed`;
  const line = [what, told(alerts), posts, `healthy after ${seconds.toFixed(1)} s`].join(" | ");
  process.stdout.write(`drill: | ${line} |\n`);
  expect(cost).toMatchObject({ lost: 0, doubled: 0, missed: 0 });
  return cost;
}

/** The alerts with the times after which their rules let them fire. */
function told({ ended, stays }: Alerts): string {
  const after = (name: string) => {
    const rule = rules.get(name);
    if (rule === undefined) throw new Error(`There is no alert ${name}.`);
    return `${name} (${rule.severity}) after ${rule.for}`;
  };
  const parts = [
    ...(ended === undefined ? [] : [after(ended)]),
    ...(stays === undefined ? [] : [`if it stays away ${after(stays)}`]),
  ];
  return parts.join("; ") || "none";
}

async function readRules(): Promise<typeof rules> {
  const Rule = z.object({
    alert: z.string().optional(),
    for: z.string().default("0m"),
    labels: z.object({ severity: z.string() }).optional(),
  });
  const File = z.object({ groups: z.array(z.object({ rules: z.array(Rule) })) });
  const text = await readFile(join(root, "deploy", "monitoring", "alerts.yml"), "utf8");
  const found = File.parse(parse(text)).groups.flatMap((group) => group.rules);
  return new Map(
    found.map((rule) => [rule.alert ?? "", { for: rule.for, severity: rule.labels?.severity ?? "" }] as const),
  );
}

/** Every container is healthy by its own check, and the edge answers with an api and the database behind it. */
async function isHealthy(installation: Installation): Promise<boolean> {
  const found = await installation.containers();
  if (found.some(({ Health }) => Health !== "healthy")) return false;
  return (await fetch(`${installation.url}/health/serving`, { signal: AbortSignal.timeout(5_000) })).status === 200;
}

async function inspect(format: string, ids: readonly string[]): Promise<string[]> {
  return (await first.docker(["inspect", "--format", format, ...ids])).trim().split("\n");
}

/** The messages of an installation, oldest first. */
async function contents(installation: Installation): Promise<string[]> {
  const sql = "SELECT content FROM messages ORDER BY id";
  const text = await installation.compose(["exec", "-T", "postgres", "psql", "-U", "parley", "-tAc", sql]);
  return text.trim().split("\n");
}
