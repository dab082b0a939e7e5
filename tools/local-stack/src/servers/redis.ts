import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ServerProcess, startServerProcess } from "../server-process.js";
import { findSystemProgram } from "./system-programs.js";

/**
 * Starts Redis on 127.0.0.1 with an append-only file in `dataDir`, and resolves when it is ready.
 *
 * @param options.settings further lines of its configuration
 */
export async function startRedisServer(options: {
  dataDir: string;
  port: number;
  settings?: readonly string[];
  onLine?: ((line: string) => void) | undefined;
  abort?: AbortSignal | undefined;
}): Promise<ServerProcess> {
  const command = await findSystemProgram("redis-server");
  await mkdir(options.dataDir, { recursive: true });
  await chmod(options.dataDir, 0o700);
  const configFile = join(options.dataDir, "redis.conf");
  await writeFile(
    configFile,
    [
      "bind 127.0.0.1",
      `port ${options.port}`,
      `dir ${JSON.stringify(options.dataDir)}`,
      "daemonize no",
      'logfile ""',
      "appendonly yes",
      "appendfsync everysec",
      'save ""',
      ...(options.settings ?? []),
      "",
    ].join("\n"),
  );
  return startServerProcess({
    name: "Redis",
    url: `redis://127.0.0.1:${options.port}`,
    port: options.port,
    ready: { line: /Ready to accept connections/ },
    stopSignal: "SIGTERM",
    abort: options.abort,
    start: { command, args: [configFile], env: process.env, cwd: options.dataDir, onLine: options.onLine },
  });
}
