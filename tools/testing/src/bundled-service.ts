import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServiceName } from "@parley/local-stack";
import { build, type Plugin } from "rolldown";

const bundles = new Map<ServiceName, Promise<string>>();

/** The bundle of a service, looked for once: nothing is built during a run of tests. */
export function bundledService(root: string, name: ServiceName): Promise<string> {
  const bundle = bundles.get(name) ?? findOrMakeBundle(root, name);
  bundles.set(name, bundle);
  return bundle;
}

/**
 * The built program of a service in one file with all that it imports: a process loads that in 40 % of the processor time.
 * A bundle is kept until something is built or installed, beside the service's modules, where it finds native ones.
 *
 * @param root the repository's root
 * @returns the file's path
 */
export async function findOrMakeBundle(root: string, name: ServiceName): Promise<string> {
  const service = join(root, "services", name);
  const kept = join(service, "node_modules", ".bundles");
  await mkdir(kept, { recursive: true });
  const bundle = `${await digestOfBuild(root, service)}.mjs`;
  const found = await readdir(kept);
  if (!found.includes(bundle)) {
    for (const old of found) if (old.endsWith(".mjs")) await rm(join(kept, old), { force: true });
    // Another process may be making it as well.
    const unfinished = join(kept, randomBytes(4).toString("hex"));
    await makeBundle(join(service, "dist", "main.js"), unfinished);
    await rename(unfinished, join(kept, bundle));
  }
  return join(kept, bundle);
}

async function makeBundle(input: string, file: string): Promise<void> {
  await build({
    input,
    platform: "node",
    external: ["sharp", "@node-rs/argon2", "pg-native"],
    plugins: [keepAddresses],
    output: { file, format: "esm", codeSplitting: false },
    logLevel: "warn",
  });
}

/** What a module reads from beside itself is still there. */
const keepAddresses: Plugin = {
  name: "keep addresses",
  transform: (code, id) =>
    code.includes("import.meta.url")
      ? code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
      : undefined,
};

/** Changes when the service, a package or the installed modules change. */
async function digestOfBuild(root: string, service: string): Promise<string> {
  const packages = await readdir(join(root, "packages"));
  // A package that was removed leaves its folder, with modules in it.
  const folders = [service, ...packages.map((name) => join(root, "packages", name))].map((each) => join(each, "dist"));
  const built = await Promise.all(folders.filter(existsSync).map(filesIn));
  const files = [...built.flat().filter((file) => file.endsWith(".js")), join(root, "node_modules", ".modules.yaml")];
  const states = await Promise.all(
    files.toSorted().map(async (file) => {
      const { mtimeMs, size } = await stat(file);
      return `${file} ${mtimeMs} ${size}`;
    }),
  );
  return createHash("sha256").update(states.join("\n")).digest("hex").slice(0, 16);
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true })).map((file) => join(folder, file));
