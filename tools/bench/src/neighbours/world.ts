import { randomBytes } from "node:crypto";
import { hashToken } from "@parley/auth";
import { findFreePort, startEdge } from "@parley/local-stack";
import { connectGateway, type GatewayClient } from "@parley/testing/gateway-client";
import { startBenchStack } from "../stack.js";
import { insertIds, type Room } from "../world.js";
import type { HostileRequest } from "./loads.js";
import { allowances } from "./sizes.js";

/** One process of each service, which both tenants use, with the limits of docs/interface.md#1.6. */
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
      connect(userId: string, parameters = ""): GatewayClient {
        const [path, query = ""] = stack.socketPath(userId, parameters).split("?");
        return connectGateway(gateway.url, "", { path: path ?? "", query });
      },
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

/** A bot's user, and what its requests carry. */
export interface HostileBot {
  readonly userId: string;
  readonly authorization: string;
}

/** Inserts bots of the room's first user, who are members of the room. */
export async function insertBots({ pool }: Neighbourhood, room: Room, count: number): Promise<HostileBot[]> {
  const bots: HostileBot[] = [];
  while (bots.length < count) {
    const token = randomBytes(32).toString("hex");
    const [userId = ""] = await insertIds(
      pool,
      `WITH account AS (INSERT INTO users (username) VALUES ($1) RETURNING id),
        bot AS (INSERT INTO bots (user_id, name, created_by, token_hash) SELECT id, 'bench', $2, $3 FROM account)
        INSERT INTO members (server_id, user_id) SELECT $4, id FROM account RETURNING user_id AS id`,
      `bot_${randomBytes(6).toString("hex")}`,
      room.userIds[0],
      hashToken(token),
      room.serverId,
    );
    bots.push({ userId, authorization: `Bot ${token}` });
  }
  return bots;
}

/** Makes a bot of the room its owner: what an account may do 10 times a second, a bot may 50 times. */
export async function insertOwningBot(world: Neighbourhood, room: Room): Promise<HostileBot> {
  const [bot] = await insertBots(world, room, 1);
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

/** Lets every member of the room hold a role and have read its channel. */
export async function insertReaders({ pool }: Neighbourhood, { serverId, channelId }: Room): Promise<void> {
  const [roleId] = await insertIds(
    pool,
    "INSERT INTO roles (server_id, name, position) VALUES ($1, 'held', 0) RETURNING id",
    serverId,
  );
  await pool.query(
    "INSERT INTO member_roles (server_id, user_id, role_id) SELECT server_id, user_id, $2 FROM members WHERE server_id = $1",
    [serverId, roleId],
  );
  await pool.query("INSERT INTO read_states SELECT user_id, $2, now() FROM members WHERE server_id = $1", [
    serverId,
    channelId,
  ]);
  await pool.query("ANALYZE member_roles, read_states");
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
 * Inserts DM channels of one account with many others, who have as much in their profiles as one may write, in the
 * characters that take most room in JSON. A user's bots open them at 50 a second, and each has been written in, at its
 * own time: those of one time would all be on one page.
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
