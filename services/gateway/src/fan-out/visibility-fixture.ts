import type { ChannelOverride, Role } from "@parley/database/prisma";
import { createTestDatabase, startNats, startRedis } from "@parley/testing";
import {
  connectClient,
  createRows,
  type GatewayFixture,
  messageOf,
  publish,
  startGateway,
  type TestClient,
} from "../gateway-fixture.js";

/** The bit VIEW_CHANNEL. */
export const viewBit = 1;

/** A server with one channel, an owner, and a member who holds a role; both are connected. */
export interface Scene {
  ownerId: string;
  memberId: string;
  server_id: string;
  channel_id: string;
  role_id: string;
  owner: TestClient;
  member: TestClient;
}

/** A gateway with servers of its own, for tests of visibility. */
export interface Stage extends GatewayFixture {
  rows: ReturnType<typeof createRows>;
  createScene(): Promise<Scene>;
  /** A further member of the scene's server, without its role. */
  joinedUser(scene: Scene): Promise<string>;
  /** Posts a message and returns its content once a client that sees everything has it. */
  post(witness: TestClient, target: { server_id: string; channel_id: string }): Promise<string>;
  /** Takes the scene's channel out of sight of those who hold its role. */
  hide(scene: Scene): Promise<ChannelOverride>;
  /** The scene's role as its events show it. */
  roleOf(scene: Scene): Promise<Omit<Role, "created_at" | "rights"> & { created_at: string }>;
}

export async function startStage(): Promise<Stage> {
  const testDatabase = await createTestDatabase();
  const nats = await startNats();
  const redis = await startRedis();
  const fixture = await startGateway({ databaseUrl: testDatabase.url, natsUrl: nats.url, redisUrl: redis.url });
  const { database, messaging } = fixture;
  const rows = createRows(database);
  let number = 0;
  return {
    ...fixture,
    rows,
    async createScene() {
      const [ownerId, memberId] = [await rows.user(), await rows.user()];
      const server_id = await rows.server(ownerId, [memberId]);
      const channel_id = await rows.channel(server_id);
      const role_id = await rows.role(server_id);
      await rows.giveRole(server_id, memberId, role_id);
      const [owner, member] = [await connectClient(fixture, ownerId), await connectClient(fixture, memberId)];
      return { ownerId, memberId, server_id, channel_id, role_id, owner, member };
    },
    async joinedUser({ server_id }) {
      const userId = await rows.user();
      await rows.member(server_id, userId);
      return userId;
    },
    async post(witness, target) {
      const content = `message ${++number}`;
      await publish(messaging, "MESSAGE_CREATE", target, messageOf(target.channel_id, content));
      await witness.receive("MESSAGE_CREATE", (d) => d.content === content);
      return content;
    },
    async hide({ server_id, channel_id, role_id }) {
      const override = await rows.override(channel_id, { role_id }, { deny: viewBit });
      await publish(messaging, "CHANNEL_OVERRIDE_UPDATE", { server_id }, override);
      return override;
    },
    async roleOf({ role_id }) {
      const { rights: _, ...role } = await database.prisma.role.findUniqueOrThrow({ where: { id: role_id } });
      return { ...role, created_at: role.created_at.toISOString() };
    },
    async stop() {
      for (const stop of [fixture.stop, nats.stop, redis.stop, testDatabase.drop]) await stop();
    },
  };
}

/** Contents of the messages that a client has received, once it has everything that was sent to it. */
export async function received(client: TestClient): Promise<unknown[]> {
  await client.settled();
  return client.frames.flatMap((frame) => (frame.t === "MESSAGE_CREATE" ? [frame.d.content] : []));
}

export const serverOf = ({ server_id }: Scene) => ({ server_id });

/** Payload of MEMBER_ROLE_ADD and MEMBER_ROLE_REMOVE for the scene's member and role. */
export const memberRole = ({ server_id, memberId, role_id }: Scene) => ({
  server_id,
  user_id: memberId,
  role_id,
  role_name: "role",
  role_color: "#95a5a6",
});
