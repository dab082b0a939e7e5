import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { configSchema as api } from "../../../../services/api/src/config.js";
import { configSchema as automod } from "../../../../services/automod/src/config.js";
import { configSchema as gateway } from "../../../../services/gateway/src/config.js";
import { configSchema as dispatcher } from "../../../../services/webhook-dispatcher/src/config.js";
import { kubectlProgram, provideProgram } from "./debian-program.js";
import { type KubernetesObject, renderOverlay, typeErrors } from "./kubernetes-objects.js";
import { Deployment, Ingress, Migration, Policy, Scaler, Service } from "./kubernetes-shapes.js";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const kubectl = await provideProgram(kubectlProgram);
const schemas: Record<string, z.ZodObject> = { api, gateway, automod, "webhook-dispatcher": dispatcher };
const services = Object.keys(schemas);

describe.skipIf(kubectl === null).each(["dev", "production"])("the overlay %s", (overlay) => {
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
    objects = await renderOverlay(kubectl ?? "", overlay);
  });

  test("consists of objects as the Kubernetes API defines them, each once and in one namespace", async () => {
    expect(await typeErrors(objects.filter(({ kind }) => kind !== "ServiceMonitor"))).toBe("");
    const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names).toEqual([...new Set(names)]);
    const namespaces = objects.filter(({ kind }) => kind !== "Namespace").map(({ metadata }) => metadata.namespace);
    expect(new Set(namespaces).size).toBe(1);
  }, 60_000);

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
    expect(preStopSeconds).toBeGreaterThanOrEqual(5);
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

  test("names only settings that a service knows, and no secret", () => {
    const known = new Set(Object.values(schemas).flatMap((schema) => Object.keys(schema.shape)));
    const names = Object.keys(settings());
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(names.filter((name) => /SECRET|PASSWORD|_URL$/.test(name))).toEqual([]);
    expect(objects.filter(({ kind }) => kind === "Secret")).toEqual([]);
  });

  test("migrates in a job that may not change anything else", () => {
    const [migrate] = Migration.parse(get("Job", "migrate")).spec.template.spec.containers;
    expect(migrate.env[0].name).toBe("DATABASE_URL");
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

  test("denies what is not allowed, and opens metrics to the monitoring namespace alone", () => {
    const policies = objects.filter(({ kind }) => kind === "NetworkPolicy");
    const part = { matchLabels: { "app.kubernetes.io/part-of": "parley" } };
    expect(get("NetworkPolicy", "parley-deny").spec).toEqual({ podSelector: part, policyTypes: ["Ingress", "Egress"] });
    const opened = policies.flatMap((policy) => Policy.parse(policy).spec.ingress ?? []);
    const from = (port: number) =>
      opened.filter(({ ports }) => ports.some((open) => open.port === port)).map((rule) => rule.from);
    const namespace = (name: string) => [
      { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } } },
    ];
    expect(from(9090)).toEqual([namespace("monitoring")]);
    expect(from(8080)).toEqual([namespace("ingress-nginx")]);
    expect(opened).toHaveLength(2);
  });

  test("routes /ws to the gateways with an hour of silence, and the rest to the apis with bodies of 52 MB", () => {
    const routes = (name: string) =>
      Ingress.parse(get("Ingress", name)).spec.rules.flatMap(({ http }) =>
        http.paths.map(({ path, pathType, backend }) => `${pathType} ${path} ${backend.service.name}`),
      );
    expect(routes("gateway")).toEqual(["Exact /ws gateway", "Exact /api/ws gateway"]);
    expect(routes("api")).toEqual(["Prefix / api"]);
    const annotations = (name: string) => Ingress.parse(get("Ingress", name)).metadata.annotations;
    expect(annotations("gateway")).toMatchObject({
      "nginx.ingress.kubernetes.io/proxy-read-timeout": "3600",
      "nginx.ingress.kubernetes.io/proxy-send-timeout": "3600",
    });
    expect(annotations("api")).toMatchObject({
      "nginx.ingress.kubernetes.io/proxy-body-size": "52m",
      "nginx.ingress.kubernetes.io/proxy-request-buffering": "off",
    });
  });

  test("has a service for each Deployment whose ports are the container's", () => {
    for (const name of services) {
      const { selector, ports } = Service.parse(get("Service", name)).spec;
      expect(selector).toEqual(deployment(name).selector.matchLabels);
      const expected = name === "api" || name === "gateway" ? ["http", "metrics"] : ["metrics"];
      expect(ports.map((port) => [port.name, port.targetPort])).toEqual(expected.map((port) => [port, port]));
    }
  });
});

describe.skipIf(kubectl === null)("production", () => {
  let objects: KubernetesObject[];
  beforeAll(async () => {
    objects = await renderOverlay(kubectl ?? "", "production");
  });

  test("is scraped on the port that its services call metrics", () => {
    const monitor = objects.find(({ kind }) => kind === "ServiceMonitor");
    expect(monitor?.spec).toEqual({
      selector: { matchLabels: { "app.kubernetes.io/part-of": "parley" } },
      endpoints: [{ port: "metrics", path: "/metrics", interval: "15s" }],
    });
  });

  test("pins every image to a version", () => {
    const images = JSON.stringify(objects).match(/"image":"[^"]+"/g) ?? [];
    expect(images).toHaveLength(5);
    for (const image of images)
      expect(image).toMatch(/^"image":"registry\.example\.com\/parley\/[a-z-]+:\d+\.\d+\.\d+"$/);
  });

  test("has a template with every secret that a pod asks for", async () => {
    const file = join(root, "deploy", "kubernetes", "overlays", "production", "secret.example.yaml");
    const text = await readFile(file, "utf8");
    const secret = z.object({ stringData: z.record(z.string(), z.string()) }).parse(parse(text.replace("#JWT", "JWT")));
    const keys = [...JSON.stringify(objects).matchAll(/"secretKeyRef":\{"key":"(\w+)"/g)].map(([, key]) => key);
    expect(Object.keys(secret.stringData).toSorted()).toEqual([...new Set(keys)].toSorted());
  });
});

test("the script of the development overlay makes every secret that is required there", async () => {
  const { stdout } = await promisify(execFile)(join(root, "deploy", "kubernetes", "make-secret.sh"));
  const { stringData } = z.object({ stringData: z.record(z.string(), z.string()) }).parse(parse(stdout));
  for (const schema of Object.values(schemas)) expect(schema.safeParse(stringData).error).toBeUndefined();
  expect(stringData.DATABASE_URL).toContain(`:${stringData.POSTGRES_PASSWORD}@postgres:`);
});

test("the type check finds a field that Kubernetes does not know", async () => {
  const wrong = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "x" }, spec: { replica: 1 } };
  expect(await typeErrors([wrong])).toContain("replica");
}, 30_000);

function exampleOf(name: string): string {
  if (name === "DATABASE_URL") return "postgresql://a:b@c/d";
  if (name === "REDIS_URL") return "redis://a";
  if (name === "NATS_URL") return "nats://a";
  return "0".repeat(64);
}
