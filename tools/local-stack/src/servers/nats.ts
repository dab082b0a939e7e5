import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ServerProcess, startServerProcess } from "../server-process.js";
import { findSystemProgram } from "./system-programs.js";

/**
 * Starts NATS with JetStream on 127.0.0.1, its streams stored in `dataDir`, and resolves when it is ready.
 *
 * @param options.name of the server, unique in a cluster
 * @param options.settings further lines of its configuration
 */
export async function startNatsServer(options: {
  dataDir: string;
  port: number;
  name?: string;
  settings?: readonly string[];
  onLine?: ((line: string) => void) | undefined;
  abort?: AbortSignal | undefined;
}): Promise<ServerProcess> {
  const command = await findSystemProgram("nats-server");
  await mkdir(options.dataDir, { recursive: true });
  await chmod(options.dataDir, 0o700);
  const configFile = join(options.dataDir, "nats.conf");
  await writeFile(
    configFile,
    [
      "host: 127.0.0.1",
      `port: ${options.port}`,
      `server_name: ${options.name ?? "local"}`,
      `jetstream { store_dir: ${JSON.stringify(join(options.dataDir, "streams"))} }`,
      ...(options.settings ?? []),
      "",
    ].join("\n"),
  );
  return startServerProcess({
    name: "NATS",
    url: `nats://127.0.0.1:${options.port}`,
    port: options.port,
    ready: { line: /Server is ready/ },
    stopSignal: "SIGTERM",
    abort: options.abort,
    start: { command, args: ["-c", configFile], env: process.env, cwd: options.dataDir, onLine: options.onLine },
  });
}
