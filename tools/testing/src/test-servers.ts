import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  findFreePort,
  type PostgresServer,
  type ServerProcess,
  startNatsServer,
  startPostgresServer,
  startRedisServer,
} from "@parley/local-stack";
import { runContext } from "./run-context.js";

/**
 * A Redis of this test file's own, on a free port; call `stop` in `afterAll`. Its data survives `kill` and `restart`.
 *
 * @param settings further lines of its configuration
 */
export async function startRedis(...settings: string[]): Promise<ServerProcess> {
  return startRedisServer({ dataDir: freshFolder("redis"), port: await findFreePort(), settings });
}

/**
 * A NATS with JetStream of this test file's own, on a free port; call `stop` in `afterAll`. Streams survive `kill` and `restart`.
 *
 * @param dataDir where it stores them; a folder that goes with the run by default
 */
export async function startNats(dataDir = freshFolder("nats")): Promise<ServerProcess> {
  return startNatsServer({ dataDir, port: await findFreePort() });
}

/**
 * A whole PostgreSQL of this test file's own, for tests that stop or kill it; everything else shares one through
 * createTestDatabase. Its databases are empty.
 */
export async function startPostgres({
  durable = false,
  dataDir = freshFolder("postgres"),
}: {
  durable?: boolean;
  dataDir?: string;
} = {}): Promise<PostgresServer> {
  return startPostgresServer({
    dataDir,
    port: await findFreePort(),
    password: randomBytes(12).toString("hex"),
    durable,
  });
}

/** A folder of this test file's own that goes with the run; not yet created. */
export function freshFolder(name: string): string {
  return join(runContext().folder, `${name}-${randomBytes(6).toString("hex")}`);
}
