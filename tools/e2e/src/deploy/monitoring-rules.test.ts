import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { promtoolProgram, provideProgram } from "./debian-program.js";
import { helmProgram } from "./helm-program.js";
import { renderChart } from "./kubernetes-objects.js";

// The alerts of deploy/monitoring for processes that are there or away, as Prometheus reads them.

const run = promisify(execFile);
const monitoring = join(import.meta.dirname, "..", "..", "..", "..", "deploy", "monitoring");
const promtool = await provideProgram(promtoolProgram);
const helm = await provideProgram(helmProgram);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parley-rules-"));
  await cp(join(monitoring, "alerts.yml"), join(folder, "alerts.yml"));
  await symlink("/bin/true", join(folder, "prometheus"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The files that start.sh writes before it becomes Prometheus. */
async function start(env: Record<string, string>): Promise<void> {
  const script = (await readFile(join(monitoring, "start.sh"), "utf8")).replaceAll("/tmp/", `${folder}/`);
  await run("sh", ["-c", script], { env: { PATH: `${folder}:${process.env.PATH}`, ...env } });
}
/** The alerts that fire after ten minutes in which the series have these values, as `alert job`. */
async function firing(series: Record<string, string>, rules = ["alerts.yml", "wanted.yml"]): Promise<string[]> {
  const names = [
    "ParleyServiceMissing",
    "ParleyProcessMissing",
    "ParleyProcessDown",
    "ParleyRestarted",
    "ParleyStandbyAway",
  ];
  const tests = {
    rule_files: rules,
    evaluation_interval: "15s",
    tests: [
      {
        interval: "15s",
        input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
        alert_rule_test: names.map((alertname) => ({ eval_time: "10m", alertname, exp_alerts: [] })),
      },
    ],
  };
  await writeFile(join(folder, "test.yml"), JSON.stringify(tests));
  // Nothing is expected, so promtool prints every alert that fires.
  const { stderr, stdout } = await run(promtool ?? "", ["test", "rules", "test.yml"], { cwd: folder }).catch(
    (error: unknown) => z.object({ stderr: z.string(), stdout: z.string() }).parse(error),
  );
  const found: string[] = [];
  for (const part of `${stdout}${stderr}`.split("alertname: ").slice(1)) {
    const name = /^\w+/.exec(part)?.[0];
    for (const [labels] of part.slice(part.indexOf("got:")).matchAll(/Labels:\{[^}]*\}/g)) {
      found.push([name, /job="([^"]+)"/.exec(labels)?.[1]].filter(Boolean).join(" "));
    }
  }
  return found.sort();
}
const up = (job: string, instance: number, values = "1x80") => ({
  [`up{job="${job}",instance="10.0.0.${instance}:9090"}`]: values,
});
const allUp = {
  ...up("api", 1),
  ...up("api", 2),
  ...up("gateway", 3),
  ...up("gateway", 4),
  ...up("automod", 5),
  ...up("webhook-dispatcher", 6),
  ...up("discord", 15),
};

test("nothing fires while everything that there should be answers, and while an upgrade has more", async () => {
  await start({});
  expect(await firing(allUp)).toEqual([]);
  expect(await firing({ ...allUp, ...up("gateway", 7, "1x60") })).toEqual([]);
});

test("a process that is gone for good, and so no target any more, is missed by its number", async () => {
  await start({});
  expect(await firing({ ...allUp, ...up("gateway", 4, "1x20 stale") })).toEqual(["ParleyProcessMissing gateway"]);
  expect(await firing({ ...allUp, ...up("automod", 5, "1x20 stale") })).toEqual(["ParleyServiceMissing automod"]);
  expect(await firing({ ...allUp, ...up("discord", 15, "1x20 stale") })).toEqual(["ParleyServiceMissing discord"]);
  await start({ DISCORD_SCALE: "0" });
  expect(await firing({ ...allUp, ...up("discord", 15, "1x20 stale") })).toEqual([]);
  await start({ GATEWAY_SCALE: "1" });
  expect(await firing({ ...allUp, ...up("gateway", 4, "1x20 stale") })).toEqual([]);
});

test("what is a target and does not answer fires, and so does what watches", async () => {
  await start({});
  expect(await firing({ ...allUp, ...up("api", 2, "0x80"), ...up("redis-exporter", 8, "0x80") })).toEqual([
    "ParleyProcessDown api",
    "ParleyProcessDown redis-exporter",
    "ParleyProcessMissing api",
  ]);
  expect(await firing({ ...allUp, ...up("of-somebody-else", 9, "0x80") })).toEqual([]);
});

test("a process that died and was back within a scrape leaves an alert, and one that an upgrade replaces none", async () => {
  await start({});
  const started = (instance: number, values: string) => ({
    [`process_start_time_seconds{job="api",instance="10.0.0.${instance}:9090"}`]: values,
  });
  expect(await firing({ ...allUp, ...started(1, "100x20 400x60"), ...started(2, "100x80") })).toEqual([
    "ParleyRestarted api",
  ]);
  expect(await firing({ ...allUp, ...started(1, "100x20 stale"), ...started(7, "_x20 400x60") })).toEqual([]);
});

test("a primary without its standby fires where there should be one", async () => {
  const replication = (values: string) => ({
    'pg_stat_replication_pg_wal_lsn_diff{job="postgres-exporter",application_name="standby"}': values,
  });
  await start({ STANDBYS: "1" });
  expect(await firing({ ...allUp, ...replication("0x80") })).toEqual([]);
  expect(await firing({ ...allUp, ...replication("0x20 stale") })).toEqual(["ParleyStandbyAway"]);
  await start({});
  expect(await firing(allUp)).toEqual([]);
});

test("every server of the example with servers that take over is asked, also one that has no address any more", async () => {
  const example = parse(await readFile(join(monitoring, "..", "compose.ha.yml"), "utf8"), { merge: true });
  const environment = z.record(z.string(), z.string()).parse(example.services.prometheus.environment);
  await start(environment);
  const asked = await Promise.all(
    ["postgres", "redis", "nats"].map((name) => readFile(join(folder, `targets-${name}.yml`), "utf8")),
  );
  const targets = z.array(z.object({ targets: z.array(z.string()) })).parse(asked.flatMap((text) => parse(text)));
  const names = targets.flatMap((group) => group.targets.map((target) => /([\w-]+):\d+/.exec(target)?.[1]));
  const others = Object.keys(example.services).filter((name) => /^(postgres|redis|nats|sentinel)(-\d)?$/.test(name));
  expect(names.sort()).toEqual(others.sort());
  // On the lines of PostgreSQL's own standby and of every other server.
  expect(environment.STANDBYS).toBe("1");
});

test("the chart's rules miss a process by the least number of its values", async () => {
  const objects = await renderChart(helm ?? "", "production");
  const rule = objects.find(({ kind }) => kind === "PrometheusRule");
  await writeFile(join(folder, "chart.yml"), JSON.stringify(rule?.spec));
  const three = {
    ...allUp,
    ...up("api", 11),
    ...up("gateway", 12),
    ...up("automod", 13),
    ...up("webhook-dispatcher", 14),
    ...up("discord", 16),
  };
  expect(await firing(three, ["chart.yml"])).toEqual([]);
  expect(await firing({ ...three, ...up("api", 11, "1x20 stale") }, ["chart.yml"])).toEqual([
    "ParleyProcessMissing api",
  ]);
});
