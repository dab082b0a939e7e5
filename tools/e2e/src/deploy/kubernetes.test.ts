import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { configSchema as api } from "../../../../services/api/src/config.js";
import { configSchema as automod } from "../../../../services/automod/src/config.js";
import { configSchema as discord } from "../../../../services/discord/src/config.js";
import { configSchema as gateway } from "../../../../services/gateway/src/config.js";
import { configSchema as dispatcher } from "../../../../services/webhook-dispatcher/src/config.js";
import { readCompose } from "./compose-file.js";
import { provideProgram } from "./debian-program.js";
import { helmProgram } from "./helm-program.js";
import { type KubernetesObject, renderChart, schemaErrors, typeErrors } from "./kubernetes-objects.js";
import { Deployment, Edge, Egress, Migration, Policy, Scaler, Service } from "./kubernetes-shapes.js";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const helm = await provideProgram(helmProgram);
const schemas: Record<string, z.ZodObject> = { api, gateway, automod, "webhook-dispatcher": dispatcher, discord };
const services = Object.keys(schemas);
const behindEdge = ["api", "gateway", "discord"];

describe.skipIf(helm === null).each(["trial", "production"])("the chart with the values %s", (example) => {
  let objects: KubernetesObject[];
  const get = (kind: string, name: string) => {
    const found = objects.find((object) => object.kind === kind && object.metadata.name === name);
    if (found === undefined) throw new Error(`There is no ${kind} ${name}.`);
    return found;
  };
  const deployment = (name: string) => Deployment.parse(get("Deployment", name)).spec;
  const container = (name: string) => deployment(name).template.spec.containers[0];
  const settings = () => {
    const name = container("api").envFrom[0].configMapRef.name;
    return z.object({ data: z.record(z.string(), z.string()) }).parse(get("ConfigMap", name)).data;
  };

  beforeAll(async () => {
    objects = await renderChart(helm ?? "", example);
  });

  test("consists of objects as the Kubernetes API defines them, each once", async () => {
    expect(await typeErrors(objects.filter(({ apiVersion }) => !apiVersion.startsWith("monitoring.coreos.com/")))).toBe(
      "",
    );
    expect(await schemaErrors(objects)).toEqual([]);
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).toEqual([...new Set(names)]);
  });

  test.each(services)("%s runs without rights, within limits, spread over zones and machines", (name) => {
    const { template, selector } = deployment(name);
    expect(template.metadata.labels).toEqual(selector.matchLabels);
    expect(template.spec.topologySpreadConstraints.map(({ topologyKey }) => topologyKey)).toEqual([
      "topology.kubernetes.io/zone",
      "kubernetes.io/hostname",
    ]);
  });

  test.each(services)("%s is alive without its servers, and out of service only without the database", (name) => {
    const { startupProbe, livenessProbe, readinessProbe, ports } = container(name);
    expect([startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet)).toEqual([
      { path: "/health/live", port: "http" },
      { path: "/health/live", port: "http" },
      { path: "/health/serving", port: "http" },
    ]);
    expect(ports).toEqual([
      { name: "http", containerPort: 8080 },
      { name: "metrics", containerPort: 9090 },
    ]);
  });

  test.each(services)("%s gets the time that its shutdown takes", (name) => {
    const { terminationGracePeriodSeconds: grace, containers } = deployment(name).template.spec;
    const [, preStopSeconds] = containers[0].lifecycle.preStop.exec.command;
    const shutdownSeconds = Number(schemas[name]?.shape.SHUTDOWN_TIMEOUT_MS?.safeParse(undefined).data) / 1_000;
    // One step may use up its limit; the connections of a gateway have DRAIN_SECONDS and 5 s besides.
    const drainSeconds = name === "gateway" ? Number(settings().DRAIN_SECONDS) + 5 : 0;
    // The edge may ask a pod until its address has left every cache of the DNS.
    expect(preStopSeconds).toBeGreaterThanOrEqual(behindEdge.includes(name) ? 30 + 5 : 5);
    expect(grace).toBeGreaterThanOrEqual(preStopSeconds + drainSeconds + shutdownSeconds + 10);
  });

  test.each(services)("%s gets every setting that it requires, and no secret that it does not know", (name) => {
    const schema = schemas[name];
    const known = Object.keys(schema?.shape ?? {});
    const names = container(name).env.map((variable) => variable.name);
    expect(names.filter((variable) => !known.includes(variable))).toEqual([]);
    const secrets = Object.fromEntries(names.map((variable) => [variable, exampleOf(variable)]));
    expect(schema?.safeParse({ ...settings(), ...secrets }).error).toBeUndefined();
    for (const { name: variable, valueFrom } of container(name).env) {
      expect(valueFrom.secretKeyRef).toMatchObject({ name: "parley-secrets", key: variable });
    }
  });

  test.each(services)("%s gets from the Secret whatever is secret in Docker Compose", async (name) => {
    const required = ["POSTGRES", "REDIS", "NATS", "GRAFANA"].map((server) => [`${server}_PASSWORD`, "x"]);
    const secrets = ["JWT_SECRET", "FILE_URL_SECRET", "TURN_SECRET"].map((secret) => [secret, "x"]);
    const file = await readCompose(join(root, "docker-compose.yml"), Object.fromEntries([...required, ...secrets]));
    const given = Object.keys(file.services[name]?.environment ?? {});
    // URLs of servers have passwords in them.
    const secret = given.filter((variable) => /SECRET|PASSWORD|_KEY$|^(DATABASE|REDIS|NATS|SMTP)_URL$/.test(variable));
    const taken = container(name).env.map((variable) => variable.name);
    expect(secret.filter((variable) => !taken.includes(variable))).toEqual([]);
  });

  test("names only settings that a service knows, and no secret", () => {
    const known = new Set(Object.values(schemas).flatMap((schema) => Object.keys(schema.shape)));
    const names = Object.keys(settings());
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(names.filter((name) => /SECRET|PASSWORD|(?<!^(?:API|GATEWAY|PUBLIC))_URL$/.test(name))).toEqual([]);
    expect(objects.filter(({ kind }) => kind === "Secret")).toEqual([]);
  });

  test("migrates in a job that knows the owner of the database and no other secret", () => {
    const [migrate] = Migration.parse(get("Job", example === "trial" ? "migrate-1" : "migrate")).spec.template.spec
      .containers;
    expect(migrate.env.map(({ name: variable }) => variable)).toEqual([
      "DATABASE_URL",
      "MIGRATION_DATABASE_URL",
      "SERVICE_ROLE",
      "SERVICE_PASSWORD",
    ]);
  });

  test("lets at most one pod of a service be evicted at a time", () => {
    for (const name of services) {
      const budget = get("PodDisruptionBudget", name);
      expect(budget.spec).toEqual({
        maxUnavailable: 1,
        selector: { matchLabels: deployment(name).selector.matchLabels },
      });
    }
  });

  test("scales the api by CPU and the gateway by connections, with CPU to fall back on", () => {
    const metrics = (name: string) => {
      const { scaleTargetRef, metrics: scaledBy } = Scaler.parse(get("HorizontalPodAutoscaler", name)).spec;
      expect(scaleTargetRef.name).toBe(name);
      return scaledBy;
    };
    expect(metrics("api").map(({ type }) => type)).toEqual(["Resource"]);
    expect(metrics("gateway").map(({ type }) => type)).toEqual(["Pods", "Resource"]);
  });

  test("denies all other connections, and opens metrics to the monitoring namespace alone", () => {
    const policies = objects.filter(({ kind }) => kind === "NetworkPolicy");
    const part = { matchLabels: { "app.kubernetes.io/part-of": "parley" } };
    expect(get("NetworkPolicy", "parley-deny").spec).toEqual({ podSelector: part, policyTypes: ["Ingress", "Egress"] });
    const opened = policies.flatMap((policy) => Policy.parse(policy).spec.ingress ?? []);
    const from = (port: number) =>
      opened.filter(({ ports }) => ports.some((open) => open.port === port)).map((rule) => rule.from);
    expect(from(9090)).toEqual([
      [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } }],
    ]);
    const edge = { "app.kubernetes.io/name": "edge", "app.kubernetes.io/part-of": "parley" };
    const discord = { ...edge, "app.kubernetes.io/name": "discord" };
    // Anybody reaches the edge, the edge alone the services behind it, and one of these the two others.
    expect(from(8080)).toEqual([
      undefined,
      [{ podSelector: { matchLabels: edge } }],
      [{ podSelector: { matchLabels: discord } }],
    ]);
    expect(opened).toHaveLength(4);
  });

  test("lets services reach servers by name or network, never any address on a server's port", () => {
    const { egress } = Egress.parse(get("NetworkPolicy", "parley-servers")).spec;
    const ports = egress.flatMap((rule) => rule.ports.map(({ port }) => port));
    expect(ports.toSorted()).toEqual([4222, 5432, 6379]);
    for (const { to } of egress) {
      expect(to).not.toEqual([]);
      for (const peer of to ?? [{}]) expect(JSON.stringify(peer)).toMatch(/"app.kubernetes.io\/name":|"cidr":"10\./);
    }
    const others = objects
      .filter(({ kind, metadata }) => kind === "NetworkPolicy" && metadata.name !== "parley-servers")
      .flatMap((policy) => Egress.parse(policy).spec.egress);
    const open = others.filter(({ to }) => to === undefined).flatMap((rule) => rule.ports.map(({ port }) => port));
    expect(open).toEqual([443]);
  });

  test("has an edge with the configuration of its image, in front of the pods themselves", () => {
    const edge = Edge.parse(get("Deployment", "edge")).spec.template.spec;
    const config = edge.volumes.find((volume) => volume.configMap !== undefined);
    // Only the additions of an installation, beside the folder that the image has.
    expect(get("ConfigMap", config?.configMap?.name ?? "")).toMatchObject({ data: {} });
    const mount = edge.containers[0].volumeMounts.find(({ name }) => name === config?.name);
    expect(mount?.mountPath).toBe("/etc/nginx/parley");
    const [{ env }] = edge.containers;
    const values = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    expect(values).toMatchObject({
      EDGE_APIS: "api.$(NAMESPACE).svc.cluster.local",
      EDGE_GATEWAYS: "gateway.$(NAMESPACE).svc.cluster.local",
      EDGE_DISCORDS: "discord.$(NAMESPACE).svc.cluster.local",
      EDGE_CONNECTIONS_PER_ADDRESS: "1000",
    });
    // A load balancer of a cloud needs up to 30 s to notice that it leaves.
    expect(edge.containers[0].lifecycle.preStop.exec.command).toEqual(["sleep", 30]);
    expect(edge.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(30 + Number(values.EDGE_DRAIN_SECONDS) + 5);
    for (const name of behindEdge) expect(get("Service", name).spec).toMatchObject({ clusterIP: "None" });
    expect(objects.filter(({ kind }) => kind === "Ingress")).toEqual([]);
  });

  test("names no number of replicas where an autoscaler decides, so that an apply takes no pods away", () => {
    const scaled = objects.filter(({ kind }) => kind === "HorizontalPodAutoscaler");
    expect(scaled.map(({ metadata }) => metadata.name).toSorted()).toEqual([
      "api",
      "automod",
      "discord",
      "edge",
      "gateway",
    ]);
    for (const { metadata } of scaled) expect(get("Deployment", metadata.name).spec).not.toHaveProperty("replicas");
  });

  test("replaces gateways one at a time, each after the last one's clients have found another", () => {
    expect(get("Deployment", "gateway").spec).toMatchObject({
      minReadySeconds: 30,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    });
  });

  test("lets browsers open a channel with their hundred requests", () => {
    expect(settings()).toMatchObject({ RATE_LIMIT_REST_RPS: "50", RATE_LIMIT_REST_BURST: "200" });
  });

  test("has a service for each Deployment whose ports are the container's", () => {
    for (const name of services) {
      const { selector, ports } = Service.parse(get("Service", name)).spec;
      expect(selector).toEqual(deployment(name).selector.matchLabels);
      const expected = behindEdge.includes(name) ? ["http", "metrics"] : ["metrics"];
      expect(ports.map((port) => [port.name, port.targetPort])).toEqual(expected.map((port) => [port, port]));
    }
  });
});

test("the script for a trial makes every secret that is required there", async () => {
  const { stdout } = await promisify(execFile)(join(root, "deploy", "helm", "make-secret.sh"));
  const { stringData } = z.object({ stringData: z.record(z.string(), z.string()) }).parse(parse(stdout));
  for (const schema of Object.values(schemas)) expect(schema.safeParse(stringData).error).toBeUndefined();
  expect(stringData.DATABASE_URL).toContain(`:${stringData.POSTGRES_PASSWORD}@postgres:`);
});

test("the schema check finds a value that Kubernetes does not allow", async () => {
  const template = { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a" }] } };
  const spec = { selector: { matchLabels: { a: "b" } }, template, strategy: { type: "Rolling" } };
  const wrong = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "x" }, spec };
  expect(await schemaErrors([wrong])).toEqual([expect.stringContaining("strategy/type must be equal to one of")]);
  expect(await schemaErrors([{ ...wrong, spec: { ...spec, strategy: { type: "Recreate" } } }])).toEqual([]);
});

test("the type check finds a field that Kubernetes does not know", async () => {
  const wrong = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "x" }, spec: { replica: 1 } };
  expect(await typeErrors([wrong])).toContain("replica");
});

function exampleOf(name: string): string {
  if (name === "DATABASE_URL") return "postgresql://a:b@c/d";
  if (name === "REDIS_URL") return "redis://a";
  if (name === "NATS_URL") return "nats://a";
  if (name === "SMTP_URL") return "smtps://a:b@c";
  return "0".repeat(64);
}
