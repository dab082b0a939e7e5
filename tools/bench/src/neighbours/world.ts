import { findFreePort, startEdge } from "@parley/local-stack";
import type { GatewayClient } from "@parley/testing/gateway-client";
import { startBenchStack } from "../stack.js";
import { type Bot, insertBots, type Room } from "../world.js";
import type { HostileRequest } from "./loads.js";
import { allowances } from "./sizes.js";

/** One process of each service, which both tenants use, with the limits of docs/protocol/limits.md#1.6. */
export type Neighbourhood = Awaited<ReturnType<typeof startNeighbourhood>>;

/** Where the hostile tenant's requests come from: one address. */
const hostileAddress = { "x-forwarded-for": "203.0.113.1" };

const limits = {
  RATE_LIMIT_REST_RPS: String(allowances.restPerSecond),
  RATE_LIMIT_REST_BURST: "20",
  RATE_LIMIT_AUTH_RPS: "2",
  RATE_LIMIT_AUTH_BURST: "5",
  RATE_LIMIT_BOT_RPS: String(allowances.botPerSecond),
  RATE_LIMIT_BOT_ADDRESS_RPS: String(allowances.botsPerSecond),
  LINK_PREVIEW_ALLOWED_NETWORKS: "127.0.0.2/32",
};

export async function startNeighbourhood() {
  const stack = await startBenchStack(limits);
  try {
    const api = await stack.start("api");
    const [gateway] = await Promise.all([
      stack.start("gateway"),
      stack.start("automod"),
      stack.start("webhook-dispatcher"),
    ]);
    const edge = await startEdge({
      hosts: ["127.0.0.1"],
      port: await findFreePort(),
      apis: () => [api.url],
      gateways: () => [gateway.url],
    });
    return {
      ...stack,
      api,
      gateway,
      edge,
      /** The n-th request of the quiet tenant: its members come from many addresses, so that none meets a limit of its own. */
      quietHeaders: (userId: string, n: number) => ({
        ...stack.headers(userId),
        "x-forwarded-for": `198.51.100.${1 + (n % 200)}`,
      }),
      /** A request to the api by somebody hostile: an account by its id, or a bot by its authorization. */
      request(caller: string | { authorization: string }, call: string, body?: unknown): HostileRequest {
        const [method = "", path = ""] = call.split(" ");
        const authorization = typeof caller === "string" ? stack.headers(caller) : caller;
        return { method, url: api.url + path, headers: { ...authorization, ...hostileAddress }, body };
      },
      connect: (userId: string, parameters = ""): GatewayClient => stack.connect(userId, gateway, parameters),
      async stop() {
        await edge.close();
        await stack.stop();
      },
    };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** Makes a bot of the room its owner: an account has 10 requests a second, a bot 50. */
export async function insertOwningBot(world: Neighbourhood, room: Room): Promise<Bot> {
  const [bot] = await insertBots(world.pool, room, 1);
  if (bot === undefined) throw new Error("No bot was inserted.");
  await world.pool.query("UPDATE servers SET owner_id = $2 WHERE id = $1", [room.serverId, bot.userId]);
  return bot;
}

/** Inserts messages that all have the word "needle"; a bot needs 20 s for 1,000 of them. */
export async function insertMessages({ pool }: Neighbourhood, room: Room, count: number): Promise<void> {
  await pool.query(
    `INSERT INTO messages (channel_id, server_id, author_id, content)
      SELECT $1, $2, $3, 'needle number ' || n || ' in a stack of ' || md5(n::text) FROM generate_series(1, $4::int) n`,
    [room.channelId, room.serverId, room.userIds[0], count],
  );
  await pool.query("ANALYZE messages");
}

/** Whether rows of something deleted are still stored. */
export async function hasOrphans({ pool }: Neighbourhood): Promise<boolean> {
  return (await pool.query("SELECT FROM orphans LIMIT 1")).rowCount !== 0;
}

/** Makes an account a member of servers of its own, with so many channels each. */
export async function insertMemberships({ pool }: Neighbourhood, userId: string, servers: number, channels: number) {
  await pool.query(
    `WITH made AS (
        INSERT INTO servers (name, owner_id) SELECT 'bench ' || n, $1 FROM generate_series(1, $2::int) n RETURNING id
      ), joined AS (INSERT INTO members (server_id, user_id) SELECT id, $1 FROM made)
      INSERT INTO channels (server_id, name, position)
      SELECT id, 'channel-' || n, n FROM made, generate_series(1, $3::int) n`,
    [userId, servers, channels],
  );
  await pool.query("ANALYZE");
}

/**
 * Inserts DM channels of one account with many others, whose profiles are as long as allowed, in the characters that
 * take most room in JSON. A user's bots open them at 50 a second, and each has a message of its own time: channels of
 * one time would all be on one page.
 */
export async function insertDirectChannels({ pool }: Neighbourhood, userId: string, count: number): Promise<void> {
  await pool.query(
    `WITH others AS (
        INSERT INTO users (username, bio, pronouns, custom_status, activity)
        SELECT 'fat_' || gen_random_uuid(), repeat(E'\\x01', 500), repeat(E'\\x01', 40), repeat(E'\\x01', 128), repeat(E'\\x01', 128)
        FROM generate_series(1, $2::int) RETURNING id)
      INSERT INTO dm_channels (user_low, user_high, last_message_at)
      SELECT least($1::uuid, id), greatest($1::uuid, id), now() - row_number() OVER () * interval '20 milliseconds'
      FROM others`,
    [userId, count],
  );
  await pool.query("ANALYZE dm_channels");
}
