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

/** What every object has; the rest is for whoever looks at one. */
export const KubernetesObject = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), namespace: z.string().optional() }),
});
export type KubernetesObject = z.infer<typeof KubernetesObject>;

/** What `kubectl kustomize` makes of an overlay. */
export async function renderOverlay(kubectl: string, overlay: string): Promise<KubernetesObject[]> {
  const folder = join(root, "deploy", "kubernetes", "overlays", overlay);
  const { stdout } = await run(kubectl, ["kustomize", folder], { maxBuffer: 16 * 1024 * 1024 });
  return parseAllDocuments(stdout).map((document) => KubernetesObject.parse(document.toJS()));
}

/**
 * Has the TypeScript compiler compare the objects with the types of the Kubernetes API, which finds unknown, missing and
 * mistyped fields. Returns what it says; nothing when all is well.
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
