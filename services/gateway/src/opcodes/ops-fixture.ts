import { connectClient, createRows, type GatewayFixture, type TestClient } from "../gateway-fixture.js";
import { startServers, type TestServers } from "../servers-fixture.js";

/** Two nodes, whose clients send ops. */
export interface OpsStage {
  first: GatewayFixture;
  second: GatewayFixture;
  /** Starts one more node. */
  startNode: TestServers["startNode"];
  rows: ReturnType<typeof createRows>;
  /** Two members of a server, and the client of the second on another node. */
  createPair(): Promise<{
    userId: string;
    friendId: string;
    friend: TestClient;
    server_id: string;
    channel_id: string;
  }>;
  /** The status that the database has. */
  statusOf(userId: string): Promise<string>;
  /** Resolves when a client has every earlier event of both nodes, of servers whose rights are loaded. */
  delivered(client: TestClient): Promise<void>;
  stop(): Promise<void>;
}

export async function startOpsStage(): Promise<OpsStage> {
  const servers = await startServers();
  const [first, second] = [await servers.startNode(), await servers.startNode()];
  const rows = createRows(first.database);
  return {
    first,
    second,
    startNode: servers.startNode,
    rows,
    async createPair() {
      const [userId, friendId] = [await rows.user(), await rows.user()];
      const server_id = await rows.server(userId, [friendId]);
      const channel_id = await rows.channel(server_id);
      const friend = await connectClient(second, friendId);
      return { userId, friendId, friend, server_id, channel_id };
    },
    statusOf: async (userId) => (await first.database.prisma.user.findUniqueOrThrow({ where: { id: userId } })).status,
    async delivered(client) {
      // After two rounds NATS has every message that each node sent before its ping, and each node has the messages of
      // NATS before the answer to the next.
      for (let round = 0; round < 2; round += 1) {
        await Promise.all([first, second].map(({ messaging }) => messaging.ping(15_000)));
      }
      await client.settled();
    },
    stop: servers.stop,
  };
}

export async function closeAll(...clients: readonly TestClient[]): Promise<void> {
  for (const client of clients) await client.close();
}

/** Resolves when everything that was sent to these clients before has arrived. */
export async function settleAll(...clients: readonly TestClient[]): Promise<void> {
  await Promise.all(clients.map((client) => client.settled()));
}
