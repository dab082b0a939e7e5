import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
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
import pg from "pg";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");

/** Servers and services of one benchmark, durable as in production. */
export interface BenchStack {
  databaseUrl: string;
  redisUrl: string;
  natsUrl: string;
  jwtSecret: string;
  /** Their processes, whose processor time is measured. */
  servers: Readonly<Record<"postgres" | "redis", Pick<ServerProcess, "pid">>> & { readonly nats: ServerProcess };
  start(name: ServiceName): Promise<ServerProcess>;
  /** For settings of PostgreSQL that only a start reads; no service may be running. */
  restartPostgres(): Promise<void>;
  stop(): Promise<void>;
}

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

/** Starts PostgreSQL, Redis and NATS in a folder of their own; services start on demand. */
export async function startBenchStack(env: Record<string, string> = {}): Promise<BenchStack> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  const undo: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const own = (server: ServerProcess) => {
    undo.push(() => server.stop());
    return server;
  };
  const { chmod } = await import("node:fs/promises");
  // PostgreSQL may run as another user, which has to pass through.
  await chmod(folder, 0o755);
  const postgres = await startPostgresServer({
    dataDir: join(folder, "postgres"),
    port: await findFreePort(),
    password: randomBytes(12).toString("hex"),
    durable: true,
    database: "parley",
  });
  own(postgres);
  const redis = own(await startRedisServer({ dataDir: join(folder, "redis"), port: await findFreePort() }));
  const nats = own(await startNatsServer({ dataDir: join(folder, "nats"), port: await findFreePort() }));
  const databaseUrl = postgres.databaseUrl("parley");
  await migrate({ databaseUrl });
  const uploadDir = join(folder, "uploads");
  await mkdir(uploadDir);
  const jwtSecret = randomBytes(32).toString("hex");
  let number = 0;
  return {
    databaseUrl,
    redisUrl: redis.url,
    natsUrl: nats.url,
    jwtSecret,
    servers: { postgres, redis, nats },
    async start(name) {
      number += 1;
      return own(
        await startService(
          {
            root,
            host: "127.0.0.1",
            databaseUrl,
            redisUrl: redis.url,
            natsUrl: nats.url,
            jwtSecret,
            uploadDir,
            env: { PATH: process.env.PATH, HOME: process.env.HOME, ...serviceSettings, ...env },
          },
          { name, number, port: await findFreePort() },
        ),
      );
    },
    restartPostgres: postgres.restart,
    async stop() {
      for (const step of undo.splice(0).reverse()) await step();
    },
  };
}

/** Runs work on a pool of connections to the stack's database. */
export async function withPool<Result>(
  { databaseUrl }: Pick<BenchStack, "databaseUrl">,
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const pool = new pg.Pool({ connectionString: databaseUrl });
  // A connection that is ending may still be told of a restart; without a listener that would end the benchmark.
  pool.on("error", () => undefined);
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}
