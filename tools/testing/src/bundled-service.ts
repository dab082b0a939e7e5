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
 * The built service in few files with all that it imports: a process loads them in a third of the processor time, and
 * files for rare features only where they are used. A bundle is kept until something is built or installed, beside the
 * service's modules, where it finds native ones.
 *
 * @param root the repository's root
 * @returns the folder: `main.mjs` is the program, and `run.mjs` is the service's `run.js`
 */
export async function findOrMakeBundle(root: string, name: ServiceName): Promise<string> {
  const service = join(root, "services", name);
  const kept = join(service, "node_modules", ".bundles");
  await mkdir(kept, { recursive: true });
  const bundle = `${await digestOfBuild(root, service)}.bundle`;
  const found = await readdir(kept);
  if (!found.includes(bundle)) {
    for (const old of found) if (old.endsWith(".bundle")) await rm(join(kept, old), { recursive: true, force: true });
    // Another process may be making it as well.
    const unfinished = join(kept, randomBytes(4).toString("hex"));
    await makeBundle(join(service, "dist"), unfinished);
    await rename(unfinished, join(kept, bundle)).catch(async (error) => {
      await rm(unfinished, { recursive: true });
      if (!existsSync(join(kept, bundle))) throw error;
    });
  }
  return join(kept, bundle);
}

async function makeBundle(built: string, dir: string): Promise<void> {
  await build({
    input: { main: join(built, "main.js"), run: join(built, "run.js") },
    platform: "node",
    external: ["sharp", "@node-rs/argon2", "pg-native"],
    plugins: [keepAddresses],
    output: { dir, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
    logLevel: "warn",
  });
}

/** Keeps each module's own address, so that it still finds the files beside itself. */
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
