import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { connectGateway, createClient, startStack } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { readExposition, readQuery } from "./prometheus-queries.js";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const read = (file: string) => readFile(join(root, "deploy", file), "utf8");

const Rules = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Parley[A-Z]\w+$/),
          expr: z.string(),
          for: z.string().optional(),
          labels: z.strictObject({ severity: z.enum(["page", "ticket"]) }),
          annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
        }),
      ),
    }),
  ),
});
const Dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

/** The labels that Prometheus adds to every series. */
const addedLabels = ["job", "instance", "le"];
/** Metrics and labels of the programs beside the services: Prometheus, its blackbox and node exporters, the probe. */
const foreignMetrics = [
  // The exporters of the servers, and the command that makes backups.
  ...[
    "pg_stat_activity_count",
    "pg_stat_activity_max_tx_duration",
    "pg_stat_replication_pg_wal_lsn_diff",
    "redis_memory_used_bytes",
    "redis_memory_max_bytes",
  ],
  // deploy/monitoring/start.sh records these.
  ...["parley_processes_wanted", "parley_standbys_wanted"],
  ...["jetstream_consumer_num_pending", "parley_backup_last_success_timestamp_seconds"],
  // The test of edge-status has them from the process itself.
  ...["edge_answers_total", "edge_answer_seconds_bucket"],
  ...["parley_probe_seconds_bucket", "parley_probe_failures_total", "parley_probe_success"],
  ...["up", "probe_success", "probe_ssl_earliest_cert_expiry", "node_filesystem_avail_bytes"],
  "node_filesystem_size_bytes",
];
const foreignLabels = ["fstype", "mountpoint", "stage", "datname", "state", "stream_name", "consumer_name", "by"];

let metrics: Set<string>;
let labels: Set<string>;
let alerts: z.infer<typeof Rules>["groups"][number]["rules"];
let queries: string[];

beforeAll(async () => {
  const rules = Rules.parse(parse(await read("monitoring/alerts.yml")));
  alerts = rules.groups.flatMap((group) => group.rules);
  const dashboard = Dashboard.parse(JSON.parse(await read("monitoring/grafana/dashboards/parley.json")));
  const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  queries = [...alerts.map(({ expr }) => expr), ...shown];

  const env = { SMTP_URL: "smtp://127.0.0.1:9", PUBLIC_URL: "https://chat.example.com" };
  // Its own: every metric is looked at, and those of a mail server that is away.
  const stack = await startStack({ apis: 1, gateways: 1, automods: 1, webhookDispatchers: 1, discords: 1, env });
  try {
    const user = await createClient(stack.edgeUrl).register();
    const connection = connectGateway(stack.edgeUrl, user.accessToken);
    await connection.ready;
    const services = [
      ...stack.apis,
      ...stack.gateways,
      ...stack.automods,
      ...stack.webhookDispatchers,
      ...stack.discords,
    ];
    const texts = await Promise.all(services.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
    ({ metrics, labels } = readExposition(texts.join("\n")));
    await connection.close();
  } finally {
    await stack.stop();
  }
});

test("alerts and dashboard read only metrics that the services export", () => {
  const missing = queries.flatMap((query) =>
    readQuery(query)
      .selectors.filter(({ metric }) => !foreignMetrics.includes(metric) && !metrics.has(metric))
      .map(({ metric }) => `${metric} in ${query}`),
  );
  expect(missing).toEqual([]);
  expect(queries.length).toBeGreaterThan(40);
});

test("the operations read only metrics that the services export", async () => {
  const folder = join(root, "deploy", "operations");
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));
  const asked = [...texts.join("\n").matchAll(/\$\(metric \S+ (\w+)/g)].map(([, name = ""]) => name);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter((name) => !metrics.has(name))).toEqual([]);
});

test("alerts and dashboard ask only for labels that there are", async () => {
  // These have samples only once something has happened, so their labels are named here.
  const quiet = ["moment", "rule", "action", "outcome", "limit", "consumer", "work", "reason", "event", "from"];
  const known = new Set([...labels, ...addedLabels, ...foreignLabels, ...quiet]);
  const unknown = queries.flatMap((query) => {
    const { selectors, groupings } = readQuery(query);
    return [...selectors.flatMap((selector) => selector.labels), ...groupings].filter((label) => !known.has(label));
  });
  expect(unknown).toEqual([]);
});

test("every metric of our own is on the dashboard or in an alert", () => {
  const used = new Set(queries.flatMap((query) => readQuery(query).selectors.map(({ metric }) => metric)));
  const ours = [...metrics].filter((name) =>
    /^(auth|limited|http|gateway|database|redis|nats|parley|outbox|automod|webhook|interaction|push|pushes|notification|name|events|job)_/.test(
      name,
    ),
  );
  const families = new Set(ours.map((name) => name.replace(/_(bucket|sum|count)$/, "")));
  const unused = [...families].filter((name) => ![name, `${name}_bucket`].some((series) => used.has(series)));
  expect(unused).toEqual([]);
});

test("a probe that fails is no failed request", () => {
  const failing = queries.filter((query) => query.includes('status=~"5.."'));
  expect(failing.length).toBeGreaterThan(1);
  const shares = failing.filter((query) => query.includes("/ "));
  for (const query of shares) expect(query.match(/path!~"\/health\.\*"/g), query).toHaveLength(2);
});

describe("the runbook", () => {
  test("the runbook has a section for each alert, and none for alerts that do not exist", async () => {
    const sections = [...(await read("runbook.md")).matchAll(/^#+ (Parley[A-Z]\w+)$/gm)].map(([, name]) => name);
    expect(sections.toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
    for (const { alert, annotations } of alerts) {
      expect(annotations.runbook).toBe(`deploy/runbook.md#${alert.toLowerCase()}`);
    }
  });
});

test("the runbook by symptom names only metrics that there are", async () => {
  const [, section = ""] = /\n## By symptom\n(.*?)\n## /s.exec(await read("runbook.md")) ?? [];
  const spans = [...section.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text.replaceAll("\\|", "|"));
  const named = spans.flatMap((text) => text.match(/\b[a-z]+(?:_[a-z0-9]+)+(?=[\s{[)(]|$)/g) ?? []);
  const isMetric =
    /^(gateway|http|auth_attempts|limited_total|outbox|parley|nats|redis|database|pg|automod|nodejs|process|pictures)_?/;
  const families = new Set([...metrics, ...foreignMetrics].map((name) => name.replace(/_(bucket|sum|count)$/, "")));
  const known = (name: string) => families.has(name.replace(/_(bucket|sum|count)$/, ""));
  const unknown = named.filter((name) => isMetric.test(name) && !known(name));
  expect(unknown).toEqual([]);
  expect(named.length).toBeGreaterThan(20);
});

test("a query for a metric that does not exist would be noticed", () => {
  expect(readQuery('rate(gateway_nothing_total{job="x"}[5m])').selectors).toEqual([
    { metric: "gateway_nothing_total", labels: ["job"] },
  ]);
  expect(() => readQuery("sum(rate(")).toThrow("No PromQL");
});
