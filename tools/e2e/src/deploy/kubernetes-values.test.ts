import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { provideProgram } from "./debian-program.js";
import { helmProgram } from "./helm-program.js";
import { startKubernetesApi } from "./kubernetes-api.js";
import {
  chart,
  examples,
  type KubernetesObject,
  parseObjects,
  renderChart,
  schemaErrors,
  typeErrors,
} from "./kubernetes-objects.js";

const run = promisify(execFile);
const helm = await provideProgram(helmProgram);
const program = helm ?? "";
const services = ["api", "automod", "discord", "gateway", "webhook-dispatcher"];

const Pods = z.object({
  spec: z.object({
    template: z.object({
      metadata: z.looseObject({ annotations: z.record(z.string(), z.string()).default({}) }),
      spec: z.looseObject({ volumes: z.unknown() }),
    }),
  }),
});
const Version = z.object({ version: z.string() });
const Rules = z.object({
  rules: z.object({
    custom: z.tuple([z.object({ seriesQuery: z.string(), name: z.object({ as: z.string() }) })]),
  }),
});
const podsOf = (objects: readonly KubernetesObject[], name: string) =>
  Pods.parse(find(objects, name === "migrate" ? "Job" : "Deployment", name)).spec.template;
const find = (objects: readonly KubernetesObject[], kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name);
/** The names of the Deployments whose pods an upgrade from one rendering to the other replaces. */
const replaced = (before: readonly KubernetesObject[], after: readonly KubernetesObject[]) =>
  after
    .filter(({ kind }) => kind === "Deployment")
    .map(({ metadata }) => metadata.name)
    .filter((name) => JSON.stringify(podsOf(before, name)) !== JSON.stringify(podsOf(after, name)))
    .toSorted();

describe.skipIf(helm === null)("the values of the chart", () => {
  let folder: string;
  let plain: KubernetesObject[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parley-helm-"));
    plain = await renderChart(program, "production");
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Helm's objects for production.yaml and these values. */
  async function render(values: object): Promise<KubernetesObject[]> {
    const file = join(folder, "values.json");
    await writeFile(file, JSON.stringify(values));
    return renderChart(program, "production", ["--values", file]);
  }

  test.each([
    ["a setting that is secret", { settings: { JWT_SECRET: "x" } }, "settings.JWT_SECRET has a secret in it"],
    ["the address of a server with its password", { settings: { REDIS_URL: "redis://x" } }, "settings.REDIS_URL has"],
    ["a misspelt name", { gateway: { maxReplica: 3 } }, "maxReplica"],
    ["a quantity that is none", { api: { resources: { requests: { cpu: "1 core" } } } }, "/api/resources/requests/cpu"],
    ["a digest that is none", { image: { digests: { api: "latest" } } }, "/image/digests/api"],
    ["no registry", { image: { registry: "" } }, "image.registry has to say"],
    ["no word of where the servers are", { networkPolicy: { servers: [] } }, "networkPolicy.servers has to say"],
    ["a backup to nowhere", { backup: { enabled: true } }, "backup.claim names"],
  ])("are refused with %s", async (_, values, message) => {
    await expect(render(values)).rejects.toThrow(message);
  });

  test("are complete enough for helm lint without any others", async () => {
    const { stdout } = await run(program, ["lint", chart]);
    expect(stdout).toContain("1 chart(s) linted, 0 chart(s) failed");
  });

  test("migrate before an installation or upgrade touches anything, with nothing that the chart makes later", async () => {
    const job = find(plain, "Job", "migrate");
    expect(job?.metadata.annotations).toEqual({
      "helm.sh/hook": "pre-install,pre-upgrade",
      "helm.sh/hook-delete-policy": "before-hook-creation",
    });
    const others = plain.filter(({ kind }) => ["ConfigMap", "ServiceAccount"].includes(kind));
    const text = JSON.stringify(job?.spec);
    for (const { kind, metadata } of others) {
      const reference = kind === "ServiceAccount" ? `"serviceAccountName":"${metadata.name}"` : `"${metadata.name}"`;
      expect(text).not.toContain(reference);
    }
  });

  test("reach every pod: registry secrets, priority, digests, a certificate of one's own, a dump every night", async () => {
    const digest = `sha256:${"0".repeat(64)}`;
    const objects = await render({
      image: { pullSecrets: ["registry"], digests: { gateway: digest } },
      priorityClassName: "important",
      sysctls: { "net.core.somaxconn": "16384" },
      ca: { configMap: "authority" },
      backup: { enabled: true, claim: "dumps" },
      edge: { service: { type: "ClusterIP" }, tlsSecretName: "", files: { "trusted-proxies.conf": "# none\n" } },
      settings: { EVENTS_MAX_BYTES: 2_000_000_000 },
    });
    expect(await schemaErrors(objects)).toEqual([]);
    expect(await typeErrors(objects.filter(({ apiVersion }) => !apiVersion.startsWith("monitoring.coreos.com/")))).toBe(
      "",
    );
    for (const name of [...services, "edge", "migrate"]) {
      const { spec } = podsOf(objects, name);
      expect(spec).toMatchObject({ imagePullSecrets: [{ name: "registry" }], priorityClassName: "important" });
      expect(JSON.stringify(spec)).toContain('"sysctls":[{"name":"net.core.somaxconn","value":"16384"}]');
      if (name === "edge") continue;
      expect(spec.volumes).toContainEqual({ name: "ca", configMap: { name: "authority" } });
      expect(JSON.stringify(spec)).toContain('{"name":"NODE_EXTRA_CA_CERTS","value":"/etc/parley/ca/ca.crt"}');
      expect(JSON.stringify(spec)).toContain('"mountPath":"/etc/parley/ca"');
    }
    expect(JSON.stringify(podsOf(objects, "gateway"))).toContain(`registry.example.com/parley/gateway@${digest}`);
    expect(JSON.stringify(podsOf(objects, "api"))).toContain("registry.example.com/parley/api:0.1.0");
    expect(JSON.stringify(find(objects, "CronJob", "backup"))).toContain('{"claimName":"dumps"}');
    expect(find(objects, "ConfigMap", "edge-config")?.data).toMatchObject({ "trusted-proxies.conf": "# none\n" });
    expect(find(objects, "Service", "edge")?.spec).toMatchObject({ ports: [{ name: "http", port: 80 }] });
    expect(find(objects, "ConfigMap", "parley-settings")?.data).toMatchObject({ EVENTS_MAX_BYTES: "2000000000" });
  });

  test("replace the pods that a change of settings or of the edge's configuration concerns, and no others", async () => {
    expect(replaced(plain, await renderChart(program, "production"))).toEqual([]);
    expect(replaced(plain, await render({ settings: { LOG_LEVEL: "debug" } }))).toEqual(services);
    expect(replaced(plain, await render({ edge: { files: { "trusted-proxies.conf": "# one\n" } } }))).toEqual(["edge"]);
  });

  test("replace the pods of the services that read what changed in the Secret", async () => {
    const api = await startKubernetesApi(plain, "parley-secrets");
    try {
      const cluster = ["--dry-run=server", "--disable-openapi-validation", "--kube-apiserver", api.url];
      const renderWith = (secret: Record<string, string>) => {
        api.setSecret(secret);
        return renderChart(program, "production", cluster);
      };
      const secret = { DATABASE_URL: "a", JWT_SECRET: "b", TURN_SECRET: "c" };
      const before = await renderWith(secret);
      expect(replaced(plain, before)).toEqual(services);
      expect(replaced(before, await renderWith({ ...secret, unknown: "x" }))).toEqual([]);
      expect(replaced(before, await renderWith({ ...secret, TURN_SECRET: "new" }))).toEqual(["api"]);
      expect(replaced(before, await renderWith({ ...secret, JWT_SECRET: "new" }))).toEqual([
        "api",
        "discord",
        "gateway",
      ]);
      expect(replaced(before, await renderWith({ ...secret, DATABASE_URL: "new" }))).toEqual(services);
    } finally {
      await api.stop();
    }
  });

  test("work the same from a packaged chart, which has the edge's configuration inside", async () => {
    await run(program, ["package", chart, "--destination", folder]);
    const values = ["--values", join(examples, "production.yaml")];
    const packaged = join(folder, "parley-0.1.0.tgz");
    const options = ["template", "parley", packaged, "--namespace", "parley", ...values];
    const { stdout } = await run(program, options, { maxBuffer: 16 * 1024 * 1024 });
    expect(parseObjects(stdout)).toEqual(plain);
  });

  test("for three of each server make three copies of events and reach Redis by its Sentinels", async () => {
    const objects = await renderChart(program, "production", ["--values", join(examples, "ha.yaml")]);
    expect(await schemaErrors(objects)).toEqual([]);
    expect(await typeErrors(objects.filter(({ apiVersion }) => !apiVersion.startsWith("monitoring.coreos.com/")))).toBe(
      "",
    );
    expect(find(objects, "ConfigMap", "parley-settings")?.data).toMatchObject({ STREAM_REPLICAS: "3" });
    const policy = JSON.stringify(find(objects, "NetworkPolicy", "parley-servers")?.spec);
    expect([...policy.matchAll(/"port":(\d+)/g)].map(([, port]) => port).toSorted()).toEqual([
      "26379",
      "4222",
      "5432",
      "6379",
    ]);
    expect(podsOf(objects, "api").spec.volumes).toContainEqual({ name: "ca", configMap: { name: "parley-ca" } });
  });
});

test("the chart is of the version that the repository is", async () => {
  const { version } = Version.parse(JSON.parse(await readFile(join(chart, "..", "..", "..", "package.json"), "utf8")));
  expect(parse(await readFile(join(chart, "Chart.yaml"), "utf8"))).toMatchObject({ version, appVersion: version });
});

test("the example of an adapter serves the metric that gateways have and their autoscaler counts", async () => {
  const adapter = parse(await readFile(join(examples, "prometheus-adapter.yaml"), "utf8"));
  const [rule] = Rules.parse(adapter).rules.custom;
  const metrics = join(chart, "..", "..", "..", "services", "gateway", "src", "metrics.ts");
  expect(await readFile(metrics, "utf8")).toContain(`name: "${rule.name.as}"`);
  expect(rule.seriesQuery).toMatch(new RegExp(`^${rule.name.as}\\{`));
  const template = await readFile(join(chart, "templates", "gateway.yaml"), "utf8");
  expect(template).toContain(`metric: { name: ${rule.name.as} }`);
});

test("the example of a PostgreSQL cluster is as its operator defines it", async () => {
  const objects = parseObjects(await readFile(join(examples, "ha-postgres.yaml"), "utf8"));
  expect(objects.map(({ kind }) => kind)).toEqual(["Cluster"]);
  expect(await schemaErrors(objects)).toEqual([]);
  const [cluster] = objects;
  const wrong = { ...cluster, spec: { instances: "three" } } as KubernetesObject;
  expect(await schemaErrors([wrong])).toEqual([expect.stringContaining("spec/instances must be integer")]);
});
