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

/** A Redis of this test file's own, on a free port; call `stop` in `afterAll`. Its data survives `kill` and `restart`. */
export async function startRedis(): Promise<ServerProcess> {
  return startRedisServer({ dataDir: freshFolder("redis"), port: await findFreePort() });
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
export async function startPostgres({ durable = false }: { durable?: boolean } = {}): Promise<PostgresServer> {
  return startPostgresServer({
    dataDir: freshFolder("postgres"),
    port: await findFreePort(),
    password: randomBytes(12).toString("hex"),
    durable,
  });
}

/** A folder of this test file's own that goes with the run; not yet created. */
export function freshFolder(name: string): string {
  return join(runContext().folder, `${name}-${randomBytes(6).toString("hex")}`);
}
