import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort, findSystemProgram, type ServerProcess, startServerProcess } from "@parley/local-stack";
import { freshFolder, startRedis } from "./test-servers.js";
import { waitUntil } from "./wait-until.js";

/** A Redis primary, its replica, and the three sentinels that make one of them primary when the other is gone. */
export interface RedisWithSentinels {
  /** Names the sentinels, with the passwords. */
  readonly url: string;
  /** The primary at the start, and its replica. */
  readonly servers: readonly [ServerProcess, ServerProcess];
  readonly sentinels: readonly ServerProcess[];
  /** Which of the servers the sentinels call primary. */
  readonly primary: () => Promise<ServerProcess>;
  /** Ends all of them. */
  readonly stop: () => Promise<void>;
}

const watched = "parley";
const password = "redis-secret";
const sentinelPassword = "sentinel-secret";

/** Starts them and resolves when a failover would work: the sentinels know each other and the replica is in step. */
export async function startRedisWithSentinels(): Promise<RedisWithSentinels> {
  const credentials = [`requirepass ${password}`, `masterauth ${password}`];
  const first = await startRedis(...credentials);
  const second = await startRedis(...credentials, `replicaof 127.0.0.1 ${first.port}`);
  const servers = [first, second] as const;
  const sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(first.port)));
  const ask = (sentinel: ServerProcess, ...command: string[]) => redisCli(sentinel.port, sentinelPassword, command);
  await waitUntil(async () => (await redisCli(second.port, password, ["info"])).includes("master_link_status:up"));
  for (const sentinel of sentinels) {
    const isReady = async () =>
      (await ask(sentinel, "sentinel", "ckquorum", watched)).startsWith("OK 3 usable") &&
      (await ask(sentinel, "sentinel", "replicas", watched)).includes(String(second.port));
    await waitUntil(isReady, { what: "a sentinel to know the others and the replica", timeoutMs: 30_000 });
  }
  return {
    url:
      `redis+sentinel://:${password}@${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(",")}/${watched}` +
      `?sentinelPassword=${sentinelPassword}`,
    servers,
    sentinels,
    primary: async () => {
      const running = sentinels.find((sentinel) => sentinel.running());
      if (running === undefined) throw new Error("No sentinel runs.");
      const address = await ask(running, "sentinel", "get-master-addr-by-name", watched);
      const primary = servers.find(({ port }) => address.split("\n").includes(String(port)));
      if (primary === undefined) throw new Error(`The sentinels name none of the servers: ${address}`);
      return primary;
    },
    stop: async () => {
      await Promise.all([...sentinels, ...servers].map((server) => server.kill()));
    },
  };
}

async function startSentinel(primaryPort: number): Promise<ServerProcess> {
  const folder = freshFolder("sentinel");
  await mkdir(folder, { recursive: true });
  const port = await findFreePort();
  const file = join(folder, "sentinel.conf");
  const lines = [
    "bind 127.0.0.1",
    `port ${port}`,
    `dir ${JSON.stringify(folder)}`,
    'logfile ""',
    `requirepass ${sentinelPassword}`,
    `sentinel sentinel-pass ${sentinelPassword}`,
    `sentinel monitor ${watched} 127.0.0.1 ${primaryPort} 2`,
    `sentinel auth-pass ${watched} ${password}`,
    `sentinel down-after-milliseconds ${watched} 1000`,
    `sentinel failover-timeout ${watched} 3000`,
    "",
  ];
  await writeFile(file, lines.join("\n"));
  return startServerProcess({
    name: "Redis Sentinel",
    url: `redis://127.0.0.1:${port}`,
    port,
    ready: { line: /\+monitor master/ },
    stopSignal: "SIGTERM",
    start: {
      command: await findSystemProgram("redis-server"),
      args: [file, "--sentinel"],
      env: process.env,
      cwd: folder,
    },
  });
}

/** The answer of Redis to a command, as redis-cli prints it. */
async function redisCli(port: number, auth: string, command: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("redis-cli", ["-p", String(port), "--raw", ...command], {
    env: { ...process.env, REDISCLI_AUTH: auth },
    timeout: 5_000,
  });
  return stdout.trim();
}
