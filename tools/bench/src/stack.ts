import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAccessTokens } from "@parley/auth";
import { gatewayPaths } from "@parley/contracts";
import { migrate } from "@parley/database";
import {
  findFreePort,
  type ServerProcess,
  type ServiceName,
  startNatsServer,
  startPostgresServer,
  startRedisServer,
  startService,
} from "@parley/local-stack";
import { connectGateway, type GatewayClient } from "@parley/testing/gateway-client";
import pg from "pg";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");

/** Servers and services of one benchmark, durable as in production. */
export type BenchStack = Awaited<ReturnType<typeof startBenchStack>>;

/** Limits that no benchmark reaches, and any port for the inspector of a process that is asked to collect garbage. */
const serviceSettings = {
  NODE_OPTIONS: "--inspect-port=0",
  RATE_LIMIT_REST_RPS: "1000000",
  RATE_LIMIT_REST_BURST: "1000000",
  RATE_LIMIT_AUTH_RPS: "1000000",
  RATE_LIMIT_AUTH_BURST: "1000000",
  RATE_LIMIT_BOT_RPS: "1000000",
  RATE_LIMIT_BOT_ADDRESS_RPS: "1000000",
  LOG_LEVEL: "warn",
};

/** The most that a benchmark sends to the database itself. */
export const statementsAtOnce = 16;

/** Starts PostgreSQL, Redis and NATS in a folder of their own; services start on demand. */
export async function startBenchStack(env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  // Nothing of it is used afterwards, so it need not stop in order.
  const own = <Server extends ServerProcess>(server: Server, end: "kill" | "stop" = "kill") => {
    undo.push(() => server[end]());
    return server;
  };
  // PostgreSQL may run as another user, which has to pass through.
  await chmod(folder, 0o755);
  const postgres = own(
    await startPostgresServer({
      dataDir: join(folder, "postgres"),
      port: await findFreePort(),
      password: randomBytes(12).toString("hex"),
      durable: true,
      database: "parley",
    }),
    // It would leave shared memory behind.
    "stop",
  );
  const redis = own(await startRedisServer({ dataDir: join(folder, "redis"), port: await findFreePort() }));
  const nats = own(await startNatsServer({ dataDir: join(folder, "nats"), port: await findFreePort() }));
  const databaseUrl = postgres.databaseUrl("parley");
  await migrate({ databaseUrl });
  const uploadDir = join(folder, "uploads");
  await mkdir(uploadDir);
  const jwtSecret = randomBytes(32).toString("hex");
  const surroundings = { root, host: "127.0.0.1", databaseUrl, redisUrl: redis.url, natsUrl: nats.url, jwtSecret };
  const serviceEnv = { PATH: process.env.PATH, HOME: process.env.HOME, ...serviceSettings, ...env };
  const tokens = createAccessTokens({ secret: jwtSecret, ttlSeconds: 24 * 60 * 60 });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: statementsAtOnce });
  // A connection that is ending may still get the notice of a restart; without a listener that would end the benchmark.
  pool.on("error", () => undefined);
  undo.push(() => pool.end());
  const socketPath = (userId: string, query = "") => `${gatewayPaths[0]}?token=${tokens.issue({ userId })}${query}`;
  let number = 0;
  const urls: Partial<Record<ServiceName, string[]>> = {};
  return {
    /** Their processes, whose processor time is measured. */
    servers: { postgres, redis, nats },
    pool,
    databaseUrl,
    async start(name: ServiceName): Promise<ServerProcess> {
      number += 1;
      const service = { name, number, port: await findFreePort() };
      const { api: apiUrls = [], gateway: gatewayUrls = [] } = urls;
      const others = name === "discord" ? { apiUrls, gatewayUrls } : {};
      const started = own(await startService({ ...surroundings, ...others, uploadDir, env: serviceEnv }, service));
      urls[name] = [...(urls[name] ?? []), started.url];
      return started;
    },
    /** Headers of an account. */
    headers: (userId: string) => ({ authorization: `Bearer ${tokens.issue({ userId })}` }),
    /** The path with which an account connects to a gateway. */
    socketPath,
    /** Connects an account to a gateway. */
    connect(userId: string, { url }: { url: string }, parameters = ""): GatewayClient {
      const [path = "", query = ""] = socketPath(userId, parameters).split("?");
      return connectGateway(url, "", { path, query });
    },
    async stop() {
      for (const step of undo.splice(0).reverse()) await step();
    },
  };
}

/** Runs a benchmark on servers of its own. */
export async function withStack<Result>(
  env: Record<string, string>,
  run: (stack: BenchStack) => Promise<Result>,
): Promise<Result> {
  const stack = await startBenchStack(env);
  try {
    return await run(stack);
  } finally {
    await stack.stop();
  }
}
