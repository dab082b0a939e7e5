import { setTimeout as pause } from "node:timers/promises";
import { Message } from "@parley/contracts";
import { connectGateway, type GatewayClient } from "@parley/testing/gateway-client";
import type pg from "pg";
import { ascending, clockMs, type Pace, sendSteadily } from "../measure.js";
import { createPoster } from "../poster.js";
import type { BenchStack } from "../stack.js";
import { createRoom, insertIds, type Room } from "../world.js";

/** A server with many members, most of whom are offline. */
export interface LargeServer extends Room {
  readonly roleId: string;
}

/** The processes under measurement, and requests as any account. */
export type LargeServerWorld = Awaited<ReturnType<typeof startLargeServerWorld>>;

const eventTimeoutMs = 20_000;
/** Messages are alike in length, so that their frames can be told from those of presence. */
const contentOf = (n: number) => `message ${String(n).padStart(6, "0")}`;

export async function startLargeServerWorld(stack: BenchStack) {
  const post = createPoster((await stack.start("api")).url);
  const gateways = [await stack.start("gateway"), await stack.start("gateway")] as const;
  const call = (userId: string, method: string, path: string, body: unknown = {}) =>
    post(path, body, stack.headers(userId), method);
  return {
    ...stack,
    gateways,
    call,
    send: async (userId: string, channelId: string, content: string) =>
      Message.parse(await call(userId, "POST", `/channels/${channelId}/messages`, { content })),
    /** Connects to one of the gateways. */
    connect(userId: string, gateway = 0): GatewayClient {
      const [path, query = ""] = stack.socketPath(userId).split("?");
      return connectGateway(gateways[gateway % 2 === 0 ? 0 : 1].url, "", { path: path ?? "", query });
    },
  };
}

/**
 * The first user owns the server, the others joined one after another; a role is held by every tenth member, and every
 * tenth channel is hidden from others.
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
  const samples = [0, 1].map((gateway) => world.connect(author, gateway));
  await Promise.all(samples.map(({ ready }) => ready));
  const { id } = await world.send(author, channelId, contentOf(0));
  // On both gateways, so that it has passed when the counting begins.
  await Promise.all(samples.map((client) => received(client, id)));
  for (const client of samples) client.terminate();
  return Buffer.byteLength(samples[0]?.frames.find((frame) => frame.includes(`"id":"${id}"`)) ?? "");
}

async function received(client: GatewayClient | undefined, id: string): Promise<void> {
  await client?.waitFor("MESSAGE_CREATE", (message) => message.id === id, { timeoutMs: eventTimeoutMs });
}

/** Latencies of a small server's messages, ascending: until the answer, and until another member has it as well. */
export type NeighbourLatencies = Record<"postMs" | "deliveredMs", Float64Array>;

/** {@link connectNeighbour}. */
export type Neighbour = Awaited<ReturnType<typeof connectNeighbour>>;

/** A small server on the nodes of a large one: five members on both gateways, one of whom sends and one reads. */
export async function connectNeighbour(world: LargeServerWorld) {
  const room = await createRoom(world.pool, 5);
  const clients = room.userIds.map((userId, index) => world.connect(userId, index));
  await Promise.all(clients.map(({ ready }) => ready));
  return {
    /** Sends messages, one after another, ten a second at most, until it is over. */
    async measure(isOver: () => boolean): Promise<NeighbourLatencies> {
      const postMs: number[] = [];
      const deliveredMs: number[] = [];
      while (!isOver()) {
        const from = clockMs();
        const { id } = await world.send(room.userIds[0] ?? "", room.channelId, "quiet");
        postMs.push(clockMs() - from);
        await received(clients[1], id);
        deliveredMs.push(clockMs() - from);
        await pause(Math.max(0, from + 100 - clockMs()));
      }
      return { postMs: ascending(postMs), deliveredMs: ascending(deliveredMs) };
    },
    close() {
      for (const client of clients) client.terminate();
    },
  };
}
