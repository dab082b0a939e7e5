import { type ChildProcess, spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { runContext } from "@parley/testing";

/**
 * Starts an operation of deploy/parley where docker-stand-in.sh stands for docker.
 *
 * @param options.folder the stand-in's, with it in `programs` and the settings in `env`
 * @param options.programs the folder with the programs of PostgreSQL
 */
export function startOperation(
  operation: string,
  args: readonly string[],
  options: { folder: string; programs: string; env: Record<string, string> },
): ChildProcess {
  const { folder, programs } = options;
  const env = {
    ...process.env,
    PATH: [join(folder, "programs"), programs, process.env.PATH].join(delimiter),
    STAND_IN: folder,
    COMPOSE_ENV_FILES: join(folder, "env"),
    TEXTFILES: folder,
    ...options.env,
  };
  // Its own process group, which Ctrl-C means.
  return spawn(join(runContext().root, "deploy", "parley"), [operation, ...args], {
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** The exit code of a process, and its output. */
export async function ended(child: ChildProcess): Promise<{ code: number; output: string }> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part: Buffer) => (output += part.toString()));
  const code = await new Promise<number>((resolve) => child.on("close", (status) => resolve(status ?? -1)));
  return { code, output };
}
