import { execFile } from "node:child_process";
import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { runContext } from "@parley/testing";

const run = promisify(execFile);

/** The folder of an empty project that has the packed client, and ws, as `npm install` would put them there. */
export async function installPackedClient(): Promise<string> {
  const { root, folder } = runContext();
  const project = await mkdtemp(join(folder, "packed-"));
  await run("npm", ["pack", "--pack-destination", project], { cwd: join(root, "packages", "client") });
  const archives = (await readdir(project)).filter((name) => name.endsWith(".tgz"));
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "empty", version: "1.0.0", type: "module" }));
  const ws = join(root, "node_modules", "ws");
  const options = ["--offline", "--no-audit", "--no-fund", "--install-links=true"];
  await run("npm", ["install", ...options, ...archives.map((name) => join(project, name)), ws], { cwd: project });
  return project;
}
