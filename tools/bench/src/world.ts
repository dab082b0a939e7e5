import { randomBytes } from "node:crypto";
import { hashToken } from "@parley/auth";
import type pg from "pg";
import { z } from "zod";

const Ids = z.array(z.object({ id: z.string() }));

/** One channel, and its readers. */
export interface Room {
  serverId: string;
  channelId: string;
  userIds: string[];
}

/** Inserts a server with one channel and so many members. */
export async function createRoom(pool: pg.Pool, users: number): Promise<Room> {
  const userIds = await insertUsers(pool, users);
  const [serverId = ""] = await insertIds(
    pool,
    "INSERT INTO servers (name, owner_id) VALUES ('bench', $1) RETURNING id",
    userIds[0],
  );
  const [channelId = ""] = await insertIds(
    pool,
    "INSERT INTO channels (server_id, name, position) VALUES ($1, 'bench', 0) RETURNING id",
    serverId,
  );
  // In an empty table the trigger that places members would read all of them for each.
  for (const part of [userIds.slice(0, 1_000), userIds.slice(1_000)]) {
    await pool.query("INSERT INTO members (server_id, user_id) SELECT $1, unnest($2::uuid[])", [serverId, part]);
    await pool.query("ANALYZE");
  }
  return { serverId, channelId, userIds };
}

/** The numbers of a community: per user, and altogether. */
export interface CommunityShape {
  users: number;
  /** A multiple of `serversPerUser`. */
  servers: number;
  serversPerUser: number;
  channelsPerServer: number;
  messagesPerChannel: number;
  /** Even, and less than `users`. */
  directMessagesPerUser: number;
}

/** Inserts servers whose members overlap, with roles and unread messages in every channel. Returns the users. */
export async function createCommunity(pool: pg.Pool, shape: CommunityShape): Promise<string[]> {
  const users = await insertUsers(pool, shape.users);
  const servers = await insertIds(
    pool,
    "INSERT INTO servers (name, owner_id) SELECT 'bench ' || n, $1 FROM generate_series(1, $2::int) n RETURNING id",
    users[0],
    shape.servers,
  );
  await pool.query(
    `INSERT INTO members (server_id, user_id, joined_at)
      SELECT ($1::uuid[])[1 + (u + k * ($4 / $3)) % $4], ($2::uuid[])[1 + u], now() - interval '1 day'
      FROM generate_series(0, $5::int - 1) u, generate_series(0, $3::int - 1) k`,
    [servers, users, shape.serversPerUser, shape.servers, shape.users],
  );
  await pool.query(
    "INSERT INTO roles (server_id, name, position) SELECT s, 'role ' || n, n FROM unnest($1::uuid[]) s, generate_series(1, 3) n",
    [servers],
  );
  await pool.query(
    `INSERT INTO channels (server_id, name, position)
      SELECT s, 'channel-' || n, n FROM unnest($1::uuid[]) s, generate_series(1, $2::int) n`,
    [servers, shape.channelsPerServer],
  );
  await pool.query(
    `INSERT INTO messages (channel_id, server_id, author_id, content)
      SELECT c.id, c.server_id, $2, 'unread ' || n
      FROM channels c, generate_series(1, $3::int) n WHERE c.server_id = ANY ($1::uuid[])`,
    [servers, users[0], shape.messagesPerChannel],
  );
  await pool.query(
    `INSERT INTO dm_channels (user_low, user_high, last_message_at)
      SELECT least(a, b), greatest(a, b), now()
      FROM (
        SELECT ($1::uuid[])[1 + u] AS a, ($1::uuid[])[1 + (u + k) % $2] AS b
        FROM generate_series(0, $2::int - 1) u, generate_series(1, $3::int / 2) k
      ) pairs ON CONFLICT DO NOTHING`,
    [users, shape.users, shape.directMessagesPerUser],
  );
  await pool.query("ANALYZE");
  return users;
}

/** A channel of a server, and the members of the server, as positions in a list of users. */
export interface Audience {
  serverId: string;
  channelId: string;
  members: number[];
}

const Servers = z.array(z.object({ server_id: z.string(), channel_id: z.string(), user_ids: z.array(z.string()) }));

/** The servers of some users with a channel each. */
export async function audiencesOf(pool: pg.Pool, userIds: readonly string[]): Promise<Audience[]> {
  const { rows } = await pool.query(
    `SELECT m.server_id, (SELECT c.id FROM channels c WHERE c.server_id = m.server_id AND c.position = 1) AS channel_id,
        array_agg(m.user_id) AS user_ids
      FROM members m WHERE m.user_id = ANY ($1::uuid[]) GROUP BY m.server_id`,
    [userIds],
  );
  const position = new Map(userIds.map((userId, index) => [userId, index]));
  return Servers.parse(rows).map(({ server_id, channel_id, user_ids }) => ({
    serverId: server_id,
    channelId: channel_id,
    members: user_ids.flatMap((userId) => position.get(userId) ?? []),
  }));
}

let usersMade = 0;

/** Inserts accounts with names that begin with `bench_`. */
export async function insertUsers(pool: pg.Pool, count: number): Promise<string[]> {
  const from = usersMade;
  usersMade += count;
  return insertIds(
    pool,
    "INSERT INTO users (username) SELECT 'bench_' || ($1::int + n) FROM generate_series(1, $2::int) n RETURNING id",
    from,
    count,
  );
}

/** Runs a statement that returns ids. */
export async function insertIds(pool: pg.Pool, text: string, ...values: unknown[]): Promise<string[]> {
  const { rows } = await pool.query(text, values);
  return Ids.parse(rows).map(({ id }) => id);
}

/** Inserts webhooks for messages. @returns their ids */
export function insertWebhooks(pool: pg.Pool, serverId: string, url: string, count: number): Promise<string[]> {
  return insertIds(
    pool,
    `INSERT INTO webhooks (server_id, created_by, name, url, event_types, secret)
      SELECT id, owner_id, 'bench', $2, '{message.created}', repeat('0', 64) FROM servers, generate_series(1, $3::int)
      WHERE id = $1 RETURNING id`,
    serverId,
    url,
    count,
  );
}

/** Inserts forbidden words, with an expression of SQL for the n-th of them. */
export async function insertWords(pool: pg.Pool, serverId: string, count: number, word: string): Promise<void> {
  await pool.query(
    `INSERT INTO automod_words (server_id, word) SELECT $1, ${word} FROM generate_series(1, $2::int) n`,
    [serverId, count],
  );
  await pool.query("UPDATE servers SET automod_words_version = automod_words_version + 1 WHERE id = $1", [serverId]);
}

/** A bot's user, and the credential of its requests. */
export interface Bot {
  readonly userId: string;
  readonly token: string;
  readonly authorization: string;
}

/** Inserts bots of the room's first user, as members of the room. */
export async function insertBots(pool: pg.Pool, { serverId, userIds }: Room, count: number): Promise<Bot[]> {
  const bots: Bot[] = [];
  while (bots.length < count) {
    const token = randomBytes(32).toString("hex");
    const [userId = ""] = await insertIds(
      pool,
      `WITH account AS (INSERT INTO users (username) VALUES ($1) RETURNING id),
        bot AS (INSERT INTO bots (user_id, name, created_by, token_hash) SELECT id, 'bench', $2, $3 FROM account)
        INSERT INTO members (server_id, user_id) SELECT $4, id FROM account RETURNING user_id AS id`,
      `bot_${randomBytes(6).toString("hex")}`,
      userIds[0],
      hashToken(token),
      serverId,
    );
    bots.push({ userId, token, authorization: `Bot ${token}` });
  }
  return bots;
}

/** Inserts roles that every member of a server holds. @returns their ids */
export async function insertHeldRoles(pool: pg.Pool, serverId: string, count: number): Promise<string[]> {
  const ids = await insertIds(
    pool,
    "INSERT INTO roles (server_id, name, position) SELECT $1, 'held', 2 FROM generate_series(1, $2::int) RETURNING id",
    serverId,
    count,
  );
  await pool.query(
    `INSERT INTO member_roles (server_id, user_id, role_id)
      SELECT server_id, user_id, unnest($2::uuid[]) FROM members WHERE server_id = $1`,
    [serverId, ids],
  );
  return ids;
}

/** Inserts channels that every member of a server has read. @returns their ids */
export async function insertReadChannels(pool: pg.Pool, serverId: string, count: number): Promise<string[]> {
  const ids = await insertIds(
    pool,
    "INSERT INTO channels (server_id, name, position) SELECT $1, 'read', 0 FROM generate_series(1, $2::int) RETURNING id",
    serverId,
    count,
  );
  await pool.query(
    "INSERT INTO read_states SELECT user_id, unnest($2::uuid[]), now() FROM members WHERE server_id = $1",
    [serverId, ids],
  );
  return ids;
}
