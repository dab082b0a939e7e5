import { execFile } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { runContext } from "@parley/testing";

const run = promisify(execFile);

/**
 * The folder of an empty project that has the packed client, and ws, as `npm install` puts them there.
 *
 * @param archive address or path of the client's package; by default the one that the build has made
 */
export async function installPackedClient(archive?: string): Promise<string> {
  const { root, folder } = runContext();
  const project = await mkdtemp(join(folder, "packed-"));
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "empty", version: "1.0.0", type: "module" }));
  const built = join(root, "services", "api", "generated", "parley-client.tgz");
  const ws = join(root, "node_modules", "ws");
  // Nothing comes from a registry: this one does not answer.
  const options = [
    "--registry=http://127.0.0.1:1",
    "--fetch-retries=0",
    "--no-audit",
    "--no-fund",
    "--install-links=true",
  ];
  await run("npm", ["install", ...options, archive ?? built, ws], { cwd: project });
  return project;
}

/** The compiler's errors of a file of a strict project; none when it is right. */
export async function compileStrictly(project: string, file: string, options: readonly string[]): Promise<string> {
  const compiler = join(runContext().root, "node_modules", "typescript", "bin", "tsc");
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--target", "es2022", "--module", "nodenext"];
  const compiled = run(process.execPath, [compiler, ...strict, ...options, file], { cwd: project });
  return compiled.then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? String(error),
  );
}

/** Options of the compiler for a file that uses nothing but the platform. */
export const platformOnly = ["--noEmit", "--lib", "es2022,dom,dom.iterable", "--types", ""];
