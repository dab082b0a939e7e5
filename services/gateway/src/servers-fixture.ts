import { createTestDatabase, startNats, startRedis } from "@parley/testing";
import { type GatewayFixture, startGateway } from "./gateway-fixture.js";

type NodeOptions = Omit<Parameters<typeof startGateway>[0], "databaseUrl" | "natsUrl" | "redisUrl">;

/** A database, NATS and Redis of the test's own, for any number of nodes. */
export interface TestServers {
  urls: Pick<GatewayFixture, "databaseUrl" | "natsUrl" | "redisUrl">;
  nats: Awaited<ReturnType<typeof startNats>>;
  /** Starts a node, which stops with the servers. */
  startNode(options?: NodeOptions): Promise<GatewayFixture>;
  /** Stops the nodes, the last one first, then the servers. */
  stop(): Promise<void>;
}

export async function startServers(): Promise<TestServers> {
  const [database, nats, redis] = [await createTestDatabase(), await startNats(), await startRedis()];
  const urls = { databaseUrl: database.url, natsUrl: nats.url, redisUrl: redis.url };
  const nodes: GatewayFixture[] = [];
  return {
    urls,
    nats,
    async startNode(options) {
      const node = await startGateway({ ...urls, ...options });
      nodes.unshift(node);
      return node;
    },
    async stop() {
      for (const node of nodes) await node.stop();
      await nats.stop();
      await redis.stop();
      await database.drop();
    },
  };
}
