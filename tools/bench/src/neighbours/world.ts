import { randomBytes } from "node:crypto";
import { createAccessTokens, hashToken } from "@parley/auth";
import { gatewayPaths } from "@parley/contracts";
import { type Edge, findFreePort, type ServerProcess, startEdge } from "@parley/local-stack";
import pg from "pg";
import { z } from "zod";
import { type BenchStack, startBenchStack } from "../stack.js";
import type { Room } from "../world.js";
import { allowances } from "./sizes.js";

/** One process of each service, which both tenants use, with the limits of docs/interface.md#1.6. */
export interface Neighbourhood {
  readonly stack: BenchStack;
  readonly pool: pg.Pool;
  readonly api: ServerProcess;
  readonly gateway: ServerProcess;
  readonly edge: Edge;
  /** Headers of an account that calls from an address. */
  readonly account: (userId: string, address: string) => Record<string, string>;
  readonly socketPath: (userId: string) => string;
  readonly stop: () => Promise<void>;
}

/** Where the hostile tenant's requests come from: one address. */
export const hostileAddress = "203.0.113.1";

/** The quiet tenant's members come from many addresses, so that none of them meets a limit of its own. */
export function quietAddress(n: number): string {
  return `198.51.100.${1 + (n % 200)}`;
}

const limits = {
  RATE_LIMIT_REST_RPS: String(allowances.restPerSecond),
  RATE_LIMIT_REST_BURST: "20",
  RATE_LIMIT_AUTH_RPS: "2",
  RATE_LIMIT_AUTH_BURST: "5",
  RATE_LIMIT_BOT_RPS: String(allowances.botPerSecond),
  RATE_LIMIT_BOT_ADDRESS_RPS: String(allowances.botsPerSecond),
};

export async function startNeighbourhood(): Promise<Neighbourhood> {
  const stack = await startBenchStack(limits);
  const undo = [() => stack.stop()];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const api = await stack.start("api");
    const [gateway] = await Promise.all([
      stack.start("gateway"),
      stack.start("automod"),
      stack.start("webhook-dispatcher"),
    ]);
    const pool = new pg.Pool({ connectionString: stack.databaseUrl });
    undo.push(() => pool.end());
    const edge = await startEdge({
      hosts: ["127.0.0.1"],
      port: await findFreePort(),
      apis: () => [api.url],
      gateways: () => [gateway.url],
    });
    undo.push(() => edge.close());
    const tokens = createAccessTokens({ secret: stack.jwtSecret, ttlSeconds: 24 * 60 * 60 });
    return {
      stack,
      pool,
      api,
      gateway,
      edge,
      account: (userId, address) => ({
        authorization: `Bearer ${tokens.issue({ userId })}`,
        "x-forwarded-for": address,
      }),
      socketPath: (userId) => `${gatewayPaths[0]}?token=${tokens.issue({ userId })}`,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A bot, and what its requests carry. */
export interface HostileBot {
  readonly userId: string;
  readonly headers: Record<string, string>;
}

/** Inserts bots of the room's first user, who are members of the room. */
export async function insertBots({ pool }: Neighbourhood, room: Room, count: number): Promise<HostileBot[]> {
  const bots: HostileBot[] = [];
  for (let n = 0; n < count; n += 1) {
    const token = randomBytes(32).toString("hex");
    const { rows } = await pool.query(
      `WITH account AS (INSERT INTO users (username) VALUES ($1) RETURNING id),
        bot AS (INSERT INTO bots (user_id, name, created_by, token_hash) SELECT id, 'bench', $2, $3 FROM account)
        INSERT INTO members (server_id, user_id) SELECT $4, id FROM account RETURNING user_id`,
      [`bot_${randomBytes(6).toString("hex")}`, room.userIds[0], hashToken(token), room.serverId],
    );
    const [{ user_id: userId }] = z.tuple([z.object({ user_id: z.string() })]).parse(rows);
    bots.push({ userId, headers: { authorization: `Bot ${token}`, "x-forwarded-for": hostileAddress } });
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

/** Inserts accounts with as much in their profiles as one may write, in the characters that take most room in JSON. */
export async function insertFatAccounts({ pool }: Neighbourhood, count: number): Promise<string[]> {
  const { rows } = await pool.query(
    `INSERT INTO users (username, bio, pronouns, custom_status, activity)
      SELECT 'fat_' || gen_random_uuid(), repeat(E'\\x01', 500), repeat(E'\\x01', 40), repeat(E'\\x01', 128), repeat(E'\\x01', 128)
      FROM generate_series(1, $1::int) RETURNING id`,
    [count],
  );
  return z
    .array(z.object({ id: z.string() }))
    .parse(rows)
    .map(({ id }) => id);
}

/**
 * Inserts DM channels of one account with many; a user's bots open them at 50 a second, and each has been written in, at
 * its own time: those of one time would all be on one page.
 */
export async function insertDirectChannels({ pool }: Neighbourhood, userId: string, others: readonly string[]) {
  await pool.query(
    `INSERT INTO dm_channels (user_low, user_high, last_message_at)
      SELECT least($1::uuid, other), greatest($1::uuid, other), now() - n * interval '20 milliseconds'
      FROM unnest($2::uuid[]) WITH ORDINALITY AS opened (other, n)`,
    [userId, others],
  );
  await pool.query("ANALYZE dm_channels");
}
