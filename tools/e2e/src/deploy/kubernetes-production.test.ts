import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { serviceNames } from "@parley/local-stack";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { provideProgram } from "./debian-program.js";
import { helmProgram } from "./helm-program.js";
import { examples, type KubernetesObject, renderChart } from "./kubernetes-objects.js";
import { Container, Edge, Sizes } from "./kubernetes-shapes.js";

const helm = await provideProgram(helmProgram);

describe.skipIf(helm === null)("production", () => {
  let objects: KubernetesObject[];
  beforeAll(async () => {
    objects = await renderChart(helm ?? "", "production");
  });

  test("production is scraped on the port that its services call metrics", () => {
    const monitor = objects.find(({ kind }) => kind === "ServiceMonitor");
    expect(monitor?.spec).toEqual({
      selector: { matchLabels: { "app.kubernetes.io/part-of": "parley" } },
      endpoints: [{ port: "metrics", path: "/metrics", interval: "15s" }],
    });
  });

  test("starts no edge before there is a certificate, which it looks for only then", () => {
    const edge = objects.find(({ kind, metadata }) => kind === "Deployment" && metadata.name === "edge");
    const secrets = Edge.parse(edge).spec.template.spec.volumes.flatMap(({ secret }) => secret ?? []);
    expect(secrets).toEqual([{ secretName: "parley-tls" }]);
  });

  test("adds processes when a third of a processor is busy, not at the first message", () => {
    const scaled = objects.filter(({ kind }) => kind === "HorizontalPodAutoscaler");
    for (const { metadata } of scaled) {
      const spec = objects.find(({ kind, metadata: { name } }) => kind === "Deployment" && name === metadata.name);
      const { cpu } = Container.parse(spec).spec.template.spec.containers[0].resources.requests;
      expect([metadata.name, cpu]).toEqual([metadata.name, expect.stringMatching(/^(1|500m)$/)]);
    }
  });

  test("pins every image to a version", () => {
    const images = JSON.stringify(objects).match(/"image":"[^"]+"/g) ?? [];
    expect(images).toHaveLength(7);
    for (const image of images)
      expect(image).toMatch(/^"image":"registry\.example\.com\/parley\/[a-z-]+:\d+\.\d+\.\d+"$/);
  });

  test("production is published over HTTPS alone, and the edge sees the clients' addresses", () => {
    expect(objects.find(({ kind, metadata }) => kind === "Service" && metadata.name === "edge")?.spec).toMatchObject({
      type: "LoadBalancer",
      externalTrafficPolicy: "Local",
      ports: [{ name: "https", port: 443, targetPort: "https" }],
    });
  });

  test("never opens more database connections than the 500 that it asks PostgreSQL for", () => {
    const configMap = objects.find(
      ({ kind, metadata }) => kind === "ConfigMap" && /^parley-settings/.test(metadata.name),
    );
    const { data } = z.object({ data: z.object({ DATABASE_POOL_MAX: z.coerce.number() }) }).parse(configMap);
    const pods = serviceNames.map((name) => {
      const named = objects.filter(({ metadata }) => metadata.name === name);
      const sizes = named.map(({ spec }) => Sizes.parse(spec ?? {}));
      return Math.max(...sizes.map(({ maxReplicas, replicas }) => maxReplicas ?? replicas ?? 0));
    });
    expect(Math.min(...pods)).toBeGreaterThan(0);
    // One more of each while it is replaced.
    const connections = pods.reduce((sum, count) => sum + (count + 1) * data.DATABASE_POOL_MAX, 0);
    // Some belong to PostgreSQL itself, to the migration, and to an operator who looks for a fault.
    expect(connections).toBeLessThanOrEqual(500 - 50);
  });

  test("production has a template with every secret that a pod asks for", async () => {
    const file = join(examples, "secret.yaml");
    const text = await readFile(file, "utf8");
    const secret = z.object({ stringData: z.record(z.string(), z.string()) }).parse(parse(text.replace("#JWT", "JWT")));
    const keys = [...JSON.stringify(objects).matchAll(/"secretKeyRef":\{"name":"parley-secrets","key":"(\w+)"/g)].map(
      ([, key]) => key,
    );
    expect(Object.keys(secret.stringData).toSorted()).toEqual([...new Set(keys)].toSorted());
  });
});
