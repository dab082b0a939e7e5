import { Message } from "@parley/contracts";
import type { GatewayClient } from "@parley/testing/gateway-client";
import type pg from "pg";
import { type Pace, sendSteadily } from "../measure.js";
import { createPoster } from "../poster.js";
import type { BenchStack } from "../stack.js";
import { createRoom, insertIds, type Room } from "../world.js";

/** A server with many members, most of them offline. */
export interface LargeServer extends Room {
  readonly roleId: string;
}

/** The processes under measurement, and requests as any account. */
export type LargeServerWorld = Awaited<ReturnType<typeof startLargeServerWorld>>;

const eventTimeoutMs = 20_000;
/** Messages are alike in length, so that their frames differ from those of presence. */
const contentOf = (n: number) => `message ${String(n).padStart(6, "0")}`;

export async function startLargeServerWorld(stack: BenchStack) {
  const api = await stack.start("api");
  const post = createPoster(api.url);
  const gateways = [await stack.start("gateway"), await stack.start("gateway")] as const;
  const call = (userId: string, method: string, path: string, body: unknown = {}) =>
    post(path, body, stack.headers(userId), method);
  return {
    stack,
    pool: stack.pool,
    api,
    gateways,
    call,
    send: async (userId: string, channelId: string, content: string) =>
      Message.parse(await call(userId, "POST", `/channels/${channelId}/messages`, { content })),
    /** Connects to one of the gateways. */
    connect: (userId: string, gateway: 0 | 1 = 0, parameters = ""): GatewayClient =>
      stack.connect(userId, gateways[gateway], parameters),
  };
}

/**
 * The first user owns the server, the others joined one after another; every tenth member has a role, and every tenth
 * channel is hidden from members without it.
 */
export async function createLargeServer(pool: pg.Pool, members: number, channels: number): Promise<LargeServer> {
  const room = await createRoom(pool, members);
  await pool.query("UPDATE servers SET is_public = true WHERE id = $1", [room.serverId]);
  await pool.query(
    "UPDATE members SET joined_at = now() - interval '1 day' + join_order * interval '10 ms' WHERE server_id = $1",
    [room.serverId],
  );
  await pool.query(
    "INSERT INTO channels (server_id, name, position) SELECT $1, 'channel-' || n, n FROM generate_series(2, $2::int) n",
    [room.serverId, channels],
  );
  const [roleId = ""] = await insertIds(
    pool,
    "INSERT INTO roles (server_id, name, position, permissions) VALUES ($1, 'regular', 1, 3) RETURNING id",
    room.serverId,
  );
  await pool.query(
    `INSERT INTO member_roles (server_id, user_id, role_id)
      SELECT $1, user_id, $2 FROM unnest($3::uuid[]) WITH ORDINALITY AS u (user_id, n) WHERE n % 10 = 0`,
    [room.serverId, roleId, room.userIds],
  );
  await pool.query(
    `INSERT INTO channel_overrides (channel_id, role_id, allow, deny)
      SELECT id, $2, 0, 1 FROM channels WHERE server_id = $1 AND position % 10 = 9`,
    [room.serverId, roleId],
  );
  await pool.query("ANALYZE");
  return { ...room, roleId };
}

/** Sends messages to everybody in the server. @returns when each was sent, by the machine's monotonic clock */
export function sendMessages({ send }: LargeServerWorld, { channelId, userIds }: LargeServer, pace: Pace) {
  return sendSteadily(pace, (n) => send(userIds[1] ?? "", channelId, contentOf(n)));
}

/** The bytes of the event of such a message, which nobody else may be connected to receive. */
export async function messageBytes(world: LargeServerWorld, { channelId, userIds }: LargeServer): Promise<number> {
  const author = userIds[1] ?? "";
  const samples = [world.connect(author, 0), world.connect(author, 1)];
  await Promise.all(samples.map(({ ready }) => ready));
  const { id } = await world.send(author, channelId, contentOf(0));
  // On both gateways, so that it has passed when the counting begins.
  const isIt = (message: { id: string }) => message.id === id;
  await Promise.all(samples.map((client) => client.waitFor("MESSAGE_CREATE", isIt, { timeoutMs: eventTimeoutMs })));
  for (const client of samples) client.terminate();
  return Buffer.byteLength(samples[0]?.frames.find((frame) => frame.includes(`"id":"${id}"`)) ?? "");
}
