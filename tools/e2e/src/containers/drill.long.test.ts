import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { createClient, createServerWithMembers, postMessage, runContext, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Alert, type Alerts, publishPrometheus, startAlerts } from "./alerts.js";
import { attachFile } from "./attach-file.js";
import { makeImages } from "./images.js";
import { createInstallation, hasEngine, type Installation } from "./installation.js";
import { type Cost, failuresByKind, underLoad } from "./load.js";

// The work of an operator, one line each: backup, the death of every kind of process, restore on a second installation,
// failover and back, upgrade and rollback, while people write and listen. The figures of deploy/runbook.md (The drill)
// are from here. Every test continues the ones before it.

const minuteMs = 60_000;
const { root } = runContext();
const killer = `parley-test-killer-${process.pid}`;

const restarted = (job: string): Alert => ({ alertname: "ParleyRestarted", job });
const missing = (job: string): Alert => ({ alertname: "ParleyServiceMissing", job });
const fewer = (job: string): Alert => ({ alertname: "ParleyProcessMissing", job });
const serverDown = (job: string): Alert => ({ alertname: "ParleyServerDown", job });
const unreachable: Alert = { alertname: "ParleyUnreachable" };

const bothApisWithNonces = "both apis, posts with a nonce";

/** The processes that are killed and start again, with the alert that says so. */
const kills: readonly [string, string, number, Alert | null][] = [
  ["one api", "api", 1, restarted("api")],
  ["both apis", "api", 2, restarted("api")],
  [bothApisWithNonces, "api", 2, restarted("api")],
  ["one gateway", "gateway", 1, restarted("gateway")],
  ["both gateways", "gateway", 2, restarted("gateway")],
  ["automod", "automod", 1, restarted("automod")],
  ["webhook-dispatcher", "webhook-dispatcher", 1, restarted("webhook-dispatcher")],
  ["discord", "discord", 1, restarted("discord")],
  ["edge", "edge", 1, null],
  ["edge-port", "edge-port", 1, null],
  ["NATS", "nats", 1, null],
  ["Redis", "redis", 1, null],
  ["PostgreSQL", "postgres", 1, null],
];

/** The processes that stay away, each group at the same time, with their alerts. */
const aways: readonly (readonly [string, string, number, Alert])[][] = [
  [
    ["one api", "api", 1, fewer("api")],
    ["one gateway", "gateway", 1, fewer("gateway")],
    ["automod", "automod", 1, missing("automod")],
    ["webhook-dispatcher", "webhook-dispatcher", 1, missing("webhook-dispatcher")],
    ["discord", "discord", 1, missing("discord")],
  ],
  [["both apis", "api", 2, missing("api")]],
  [["both gateways", "gateway", 2, missing("gateway")]],
  [["edge", "edge", 1, unreachable]],
  [["edge-port", "edge-port", 1, unreachable]],
  [
    ["NATS", "nats", 1, serverDown("nats")],
    ["Redis", "redis", 1, serverDown("redis")],
    ["PostgreSQL", "postgres", 1, serverDown("postgres")],
  ],
];

const standbyAway: Alert = { alertname: "ParleyStandbyAway" };

let first: Installation;
let second: Installation;
let backup: string;
let alerts: Alerts | null;
let prometheusOfSecond: string;

describe.skipIf(!hasEngine())("a drill", () => {
  beforeAll(async () => {
    const prometheus = await publishPrometheus();
    first = await createInstallation({ PARLEY_VERSION: "one" }, { suffix: "-first", files: [prometheus.file] });
    const ha = join(root, "deploy", "compose.ha.yml");
    const few = { PARLEY_VERSION: "one", API_SCALE: "1", GATEWAY_SCALE: "1" };
    const other = await publishPrometheus();
    prometheusOfSecond = other.url;
    second = await createInstallation(few, { suffix: "-second", files: [ha, other.file] });
    await makeImages(first, ["one", "two"]);
    await first.operate(["install"]);
    alerts = await startAlerts(first, prometheus.url, "blackbox");
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
      const cost = await drill("backup", first, () => first.operate(["backup", backup]));
      expect(cost.failures).toEqual([]);
    },
    5 * minuteMs,
  );

  test.each(kills)(
    "kill -9 of %s heals by itself, and nothing that was acknowledged is lost, comes twice or is missed",
    async (what, service, count, alert) => {
      const victims = await idsOf(service, count);
      const cost = await drill(
        `kill -9 ${what}`,
        first,
        async () => {
          const before = await inspect("{{.State.StartedAt}}", victims);
          const processes = await inspect("{{.State.Pid}}", victims);
          await first.docker(["exec", killer, "sh", "-c", `kill -9 ${processes.join(" ")}`]);
          await waitUntil(
            async () => (await inspect("{{.State.StartedAt}}", victims)).every((started, at) => started !== before[at]),
            { timeoutMs: minuteMs, what: `${what} to start again` },
          );
        },
        { alert, withNonces: what === bothApisWithNonces },
      );
      if (service === "postgres") await printReturn("PostgreSQL killed", cost, victims[0] ?? "");
    },
    10 * minuteMs,
  );

  test.each(aways)(
    "a process that stays away fires its alert, and the command that doctor names brings it back (%#)",
    async (...victims) => {
      const told = [];
      for (const [what, service, count, alert] of victims) {
        // For Docker that is a stop by somebody, after which it restarts nothing.
        await first.docker(["kill", ...(await idsOf(service, count))]);
        const fired = alerts?.untilFires(alert, -1, performance.now());
        told.push(
          fired?.then((seconds) => print(`${what} stays away | ${alert.alertname} after ${seconds.toFixed(0)} s`)),
        );
      }
      await Promise.all(told);
      await first.compose(["up", "--detach", "--no-recreate"]);
      await waitUntil(() => isHealthy(first), { timeoutMs: 4 * minuteMs, what: "health" });
      for (const [, , , alert] of victims) await alerts?.untilResolved(alert);
    },
    10 * minuteMs,
  );

  test(
    "the backup is restored on a second installation, whose servers take over from each other, and costs the first one nothing",
    async () => {
      await second.compose(["up", "--detach", "--wait", "--wait-timeout", "600"]);
      const cost = await drill("restore on a second installation, seen at the first one", first, () =>
        second.operate(["restore", backup, "--yes"]),
      );
      expect(cost.failures).toEqual([]);
      // The load was writing while the backup was made.
      expect((await contents(second)).slice(0, 2)).toEqual(["in the backup", "a file"]);
    },
    20 * minuteMs,
  );

  test(
    "failover to the other PostgreSQL, back into the pair, and back to the first one",
    async () => {
      const [[primary], [standby]] = await Promise.all([
        second.containers({ service: "postgres" }),
        second.containers({ service: "postgres-2" }),
      ]);
      const failover = await drill("PostgreSQL gone for good, promote", second, async () => {
        await second.docker(["kill", primary?.ID ?? ""]);
        await second.operate(["promote", "--yes"]);
      });
      await printReturn("standby promoted", failover, standby?.ID ?? "");
      const cost = await drill("rejoin", second, () => second.operate(["rejoin", "--yes"]));
      expect(cost.failures).toEqual([]);
      await drill("back to the first one: promote, rejoin", second, async () => {
        await second.operate(["promote", "--yes"]);
        await second.operate(["rejoin", "--yes"]);
      });
      expect((await contents(second)).slice(0, 2)).toEqual(["in the backup", "a file"]);
    },
    20 * minuteMs,
  );

  test(
    "a standby that stays away fires its alert, writes go on without it as the runbook says, and it follows again",
    async () => {
      const own = await startAlerts(second, prometheusOfSecond, "postgres-exporter");
      const [standby] = await second.containers({ service: "postgres-2" });
      await second.docker(["kill", standby?.ID ?? ""]);
      const seconds = await own?.untilFires(standbyAway, -1, performance.now());
      if (seconds !== undefined) print(`standby stays away | ParleyStandbyAway after ${seconds.toFixed(0)} s`);
      await waitForStandby("");
      const cost = await drill("no standby, writes go on", second, async () => undefined);
      expect(cost.failures).toEqual([]);
      await second.compose(["up", "--detach", "--no-recreate", "--no-deps", "--wait", "postgres-2"]);
      await waitForStandby("standby");
      const followed = await drill("the standby is back", second, async () => undefined);
      expect(followed.failures).toEqual([]);
      await own?.untilResolved(standbyAway);
      await second.remove();
    },
    10 * minuteMs,
  );

  test.each([
    ["upgrade", ["upgrade", "two", "--no-backup"]],
    ["rollback", ["rollback"]],
  ])(
    "%s costs no request",
    async (what, args) => {
      const cost = await drill(what, first, () => first.operate(args));
      expect(cost.failures).toEqual([]);
    },
    20 * minuteMs,
  );
});

/**
 * Runs a part of the drill under load, prints its line, and expects that nothing was lost, doubled or missed.
 *
 * @param options.alert that fires because of it, or whose value grows
 * @param options.withNonces has the posts be such that the edge may repeat
 */
async function drill(
  what: string,
  installation: Installation,
  operation: () => Promise<unknown>,
  { alert = null, withNonces = false }: { alert?: Alert | null; withNonces?: boolean } = {},
): Promise<Cost> {
  const valueBefore = alert === null ? 0 : ((await alerts?.valueOf(alert)) ?? 0);
  let fired: Promise<number> | undefined;
  let seconds = 0;
  const cost = await underLoad(
    installation.url,
    async () => {
      const startedAt = performance.now();
      if (alert !== null) fired = alerts?.untilFires(alert, valueBefore, startedAt);
      // Awaited below, also where it fails before.
      fired?.catch(() => undefined);
      await operation();
      await waitUntil(() => isHealthy(installation), { timeoutMs: 4 * minuteMs, what: `health after ${what}` });
      seconds = (performance.now() - startedAt) / 1_000;
    },
    { withNonces },
  );
  const failed = cost.failures.length === 0 ? "none failed" : `failed: ${failuresByKind(cost.failures)}`;
  const kept = `${cost.lost} lost, ${cost.doubled} doubled, ${cost.missed} missed`;
  const times = `longest gap ${(cost.gapMs / 1_000).toFixed(1)} s | healthy after ${seconds.toFixed(1)} s`;
  const sockets = `${cost.continued} sockets continued, ${cost.readAnew} read anew`;
  print(`${what} | ${cost.acknowledged} posts, ${failed} | ${kept}, ${sockets} | ${times}`);
  if (fired !== undefined) print(`${what} | ${alert?.alertname} after ${(await fired).toFixed(0)} s`);
  expect(cost).toMatchObject({ lost: 0, doubled: 0, missed: 0 });
  return cost;
}

/** Says for which standby writes wait, by the statements of deploy/runbook.md (Failover). */
async function waitForStandby(name: string): Promise<void> {
  const statements = [`ALTER SYSTEM SET synchronous_standby_names = '${name}'`, "SELECT pg_reload_conf()"];
  const options = statements.flatMap((statement) => ["--command", statement]);
  await second.compose(["exec", "-T", "postgres", "psql", "--username", "parley", ...options]);
}

/** Prints how long after PostgreSQL took statements, by its log, the first post was answered. */
async function printReturn(what: string, { answeredAt }: Cost, container: string): Promise<void> {
  const log = await first.shell(
    `docker logs --timestamps ${container} 2>&1 | grep 'ready to accept connections' | tail -n 1`,
  );
  const readyAt = Date.parse(log.split(" ")[0] ?? "");
  const next = answeredAt.toSorted((one, other) => one - other).find((at) => at > readyAt) ?? Number.NaN;
  print(
    `${what} | the next post is answered ${((next - readyAt) / 1_000).toFixed(1)} s after PostgreSQL takes statements`,
  );
}

function print(line: string): void {
  process.stdout.write(`drill: | ${line} |\n`);
}

/** Every container is healthy by its own check, and the edge answers with an api and the database behind it. */
async function isHealthy(installation: Installation): Promise<boolean> {
  const found = await installation.containers();
  if (found.some(({ Health }) => Health !== "healthy")) return false;
  return (await fetch(`${installation.url}/health/serving`, { signal: AbortSignal.timeout(5_000) })).status === 200;
}

async function idsOf(service: string, count: number): Promise<string[]> {
  const ids = (await first.containers({ service })).slice(0, count).map(({ ID }) => ID);
  expect(ids).toHaveLength(count);
  return ids;
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
