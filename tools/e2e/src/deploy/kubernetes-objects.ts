import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { parseAllDocuments } from "yaml";
import { z } from "zod";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..", "..", "..");

/** The fields of every object; a test reads the rest itself. */
export const KubernetesObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});
export type KubernetesObject = z.infer<typeof KubernetesObject>;

export const chart = join(root, "deploy", "helm", "parley");
export const examples = join(root, "deploy", "helm", "examples");

/** Helm's objects for the chart with an example's values and the options; hooks as well. */
export async function renderChart(
  helm: string,
  example: string,
  options: readonly string[] = [],
): Promise<KubernetesObject[]> {
  const values = ["--values", join(examples, `${example}.yaml`)];
  const all = ["template", "parley", chart, "--namespace", "parley", ...values, ...options];
  const { stdout } = await run(helm, all, { maxBuffer: 16 * 1024 * 1024 });
  return parseObjects(stdout);
}

/** The objects of a file with several. */
export function parseObjects(text: string): KubernetesObject[] {
  const documents = parseAllDocuments(text).map((document) => z.unknown().parse(document.toJS()));
  // A template that makes nothing leaves a comment.
  return documents.filter((value) => value !== null).map((value) => KubernetesObject.parse(value));
}

/**
 * The faults of the objects by the schemas of the API: values that they do not allow, as a quantity of "1 core". Fields
 * that they do not know are left to {@link typeErrors}.
 */
export async function schemaErrors(objects: readonly KubernetesObject[]): Promise<string[]> {
  const errors = objects.map(async (object) => {
    const { apiVersion, kind, metadata } = object;
    const [, operator] = Object.entries(operators).find(([group]) => apiVersion.startsWith(`${group}/`)) ?? [];
    const model: unknown = await import(`${operator ?? "kubernetes-models"}/${apiVersion}/${kind}`);
    try {
      const Model = Models.parse(model)[kind];
      if (Model === undefined) throw new Error("There is no schema.");
      new Model(object).validate();
      return [];
    } catch (error) {
      return [`${kind} ${metadata.name}: ${String(error)}`];
    }
  });
  return (await Promise.all(errors)).flat();
}

/** Packages of the objects that others than Kubernetes define, by their group. */
const operators = {
  "monitoring.coreos.com": "@kubernetes-models/prometheus-operator",
  "postgresql.cnpg.io": "@kubernetes-models/cloudnative-pg",
};
type Model = new (data: object) => { validate(): void };
const Models = z.record(
  z.string(),
  z.custom<Model>((value) => typeof value === "function"),
);

/**
 * Makes the TypeScript compiler compare the objects with the types of the Kubernetes API, which finds unknown, missing
 * and mistyped fields. Returns its errors; none when all is well.
 */
export async function typeErrors(objects: readonly KubernetesObject[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parley-kubernetes-"));
  try {
    const types = dirname(createRequire(import.meta.url).resolve("kubernetes-types/package.json"));
    await symlink(types, join(folder, "api"));
    const lines = objects.map(({ apiVersion, kind, ...rest }, at) => {
      const module = apiVersion.includes("/") ? apiVersion.replace(/\.k8s\.io/, "") : `core/${apiVersion}`;
      const value = JSON.stringify({ apiVersion, kind, ...rest }, null, 2);
      return `export const ${kind}${at}: import("./api/${module}").${kind} = ${value};`;
    });
    await writeFile(join(folder, "objects.ts"), lines.join("\n"));
    const options = ["--noEmit", "--strict", "--module", "esnext", "--moduleResolution", "bundler", "--skipLibCheck"];
    const compiler = join(root, "node_modules", ".bin", "tsc");
    return await run(compiler, [...options, "--types", "", "objects.ts"], { cwd: folder }).then(
      () => "",
      (error: unknown) => (error instanceof Error && "stdout" in error ? String(error.stdout) : String(error)),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
