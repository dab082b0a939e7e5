import { createTestDatabase, type TestDatabase } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

// The hot queries of the services, in their simplest form, against a database in which a wrong plan would show: 400
// servers, 30,000 messages, a large server and small ones, a reader with 500 channels.

interface PlanNode {
  "Node Type": string;
  "Index Name"?: string | undefined;
  "Relation Name"?: string | undefined;
  "Actual Rows": number;
  "Actual Loops": number;
  Plans?: PlanNode[] | undefined;
}
const PlanNode: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    "Node Type": z.string(),
    "Index Name": z.string().optional(),
    "Relation Name": z.string().optional(),
    "Actual Rows": z.number(),
    "Actual Loops": z.number(),
    Plans: z.array(PlanNode).optional(),
  }),
);
const Explained = z.array(z.object({ "QUERY PLAN": z.array(z.object({ Plan: PlanNode })).length(1) })).length(1);

let database: TestDatabase;
let client: pg.Client;

/** The nodes of a prepared statement's plan after running it, root first. */
async function explain(mode: string, types: string, query: string, values: string[]): Promise<PlanNode[]> {
  await client.query(`SET plan_cache_mode = ${mode}`);
  await client.query(`PREPARE hot (${types}) AS ${query}`);
  try {
    const literals = values.map((value) => client.escapeLiteral(value)).join(", ");
    const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE hot (${literals})`);
    const [explained] = Explained.parse(rows);
    const flatten = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flatten)];
    return (explained?.["QUERY PLAN"] ?? []).flatMap(({ Plan }) => flatten(Plan));
  } finally {
    await client.query("DEALLOCATE hot");
  }
}

const indexesOf = (nodes: PlanNode[]) => nodes.flatMap((node) => node["Index Name"] ?? []);
const nodeTypes = (nodes: PlanNode[]) => nodes.map((node) => node["Node Type"]);
const scansWhole = (nodes: PlanNode[]) =>
  nodes.filter((node) => node["Node Type"] === "Seq Scan").map((node) => node["Relation Name"]);

const world = `
  INSERT INTO users (username) SELECT 'user' || n FROM generate_series(1, 200) AS n;
  INSERT INTO servers (name, owner_id, is_public)
    SELECT 'server' || n, (SELECT id FROM users WHERE username = 'user1'), n % 2 = 0 FROM generate_series(1, 400) AS n;
  INSERT INTO members (server_id, user_id)
    SELECT s.id, u.id FROM servers s, users u WHERE hashtext(s.name || u.username) % 20 = 0
      OR (u.username = 'user2' AND s.name ~ '^server[1-4]?[0-9]$');
  INSERT INTO channels (server_id, name, position) SELECT s.id, 'c', n FROM servers s, generate_series(1, 10) AS n;
  -- server1 is large: 15,000 messages in one channel, archived: all older than the 15,000 of the others.
  WITH spread AS (
    SELECT c.id, c.server_id, s.name AS server, row_number() OVER (ORDER BY c.id) AS n
      FROM channels c JOIN servers s ON s.id = c.server_id
  )
  INSERT INTO messages (id, channel_id, server_id, author_id, content, mention_everyone)
    SELECT uuidv7(make_interval(secs => -m)), id, server_id,
        (SELECT u.id FROM users u WHERE u.username = 'user' || (1 + m % 200)),
        CASE WHEN m % 7 = 0 THEN 'the knight moved to e5 number ' ELSE 'good morning number ' END || m, m % 100 = 0
      FROM generate_series(1, 15000) AS m
      JOIN spread ON spread.n = 1 + m % 4000
    UNION ALL
    SELECT uuidv7(make_interval(secs => -100000 - m)), id, server_id,
        (SELECT u.id FROM users u WHERE u.username = 'user' || (1 + m % 200)),
        CASE WHEN m % 3 = 0 THEN 'the knight moved to e5 number ' ELSE 'good morning number ' END || m, m % 100 = 0
      FROM generate_series(1, 15000) AS m
      JOIN (SELECT * FROM spread WHERE server = 'server1' LIMIT 1) AS large ON true;
  INSERT INTO messages (channel_id, server_id, content, thread_id)
    SELECT channel_id, server_id, 'a reply', id
      FROM (SELECT * FROM messages ORDER BY id LIMIT 500) AS roots, generate_series(1, 3);
  UPDATE messages SET pinned = true, pinned_at = now() WHERE id IN (SELECT id FROM messages ORDER BY id LIMIT 300);
  INSERT INTO dm_channels (user_low, user_high)
    SELECT a.id, b.id FROM users a, users b WHERE a.id < b.id AND hashtext(a.username || b.username) % 10 = 0;
  -- user4 and partner2000 have many channels, half of them never used, each in another half of the pairs.
  INSERT INTO users (username) SELECT 'partner' || n FROM generate_series(1, 2000) AS n;
  INSERT INTO dm_channels (user_low, user_high, last_message_at)
    SELECT least(a.id, b.id), greatest(a.id, b.id), CASE WHEN b.username ~ '[02468]$' THEN now() END
    FROM users a, users b WHERE a.username IN ('user4', 'partner2000') AND b.username ~ '^partner[0-9]+$'
      AND b.username <> 'partner2000';
  INSERT INTO dm_messages (channel_id, author_id, content)
    SELECT c.id, c.user_low, 'hi' FROM (SELECT * FROM dm_channels ORDER BY id LIMIT 10) AS c, generate_series(1, 500);
  INSERT INTO audit_log_entries (server_id, actor_id, action)
    SELECT s.id, s.owner_id, 'channel_create' FROM servers s, generate_series(1, 50);
  INSERT INTO outbox (subject, payload) SELECT 'events', '{}' FROM generate_series(1, 2000);`;

const one = async (query: string): Promise<string> => {
  const { rows } = await client.query<{ value: string }>(query);
  return rows[0]?.value ?? expect.fail(query);
};

let ids: Record<
  | "lowPartner"
  | "highPartner"
  | "reader"
  | "archivedChannel"
  | "dmChannel"
  | "largeServer"
  | "smallServer"
  | "author"
  | "root",
  string
>;

beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(world);
  await client.query("VACUUM ANALYZE");
  const server = (name: string) => one(`SELECT id AS value FROM servers WHERE name = '${name}'`);
  ids = {
    reader: await one("SELECT id AS value FROM users WHERE username = 'user2'"),
    lowPartner: await one("SELECT id AS value FROM users WHERE username = 'user4'"),
    highPartner: await one("SELECT id AS value FROM users WHERE username = 'partner2000'"),
    author: await one("SELECT id AS value FROM users WHERE username = 'user3'"),
    archivedChannel: await one("SELECT channel_id AS value FROM messages GROUP BY 1 ORDER BY count(*) DESC LIMIT 1"),
    dmChannel: await one("SELECT channel_id AS value FROM dm_messages LIMIT 1"),
    root: await one("SELECT thread_id AS value FROM messages WHERE thread_id IS NOT NULL LIMIT 1"),
    largeServer: await server("server1"),
    smallServer: await server("server300"),
  };
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const unreadOf = (counted: string) => `
  SELECT c.id, unread.count FROM members m JOIN channels c ON c.server_id = m.server_id
    LEFT JOIN read_states r ON r.user_id = m.user_id AND r.channel_id = c.id
    CROSS JOIN LATERAL (
      SELECT count(*)::integer FROM messages x WHERE x.channel_id = c.id AND x.listed
        AND x.created_at > COALESCE(r.last_read_at, m.joined_at - interval '1 day')
        AND x.author_id IS DISTINCT FROM m.user_id ${counted}
    ) AS unread WHERE m.user_id = $1 AND unread.count > 0`;
const mentionsMe = `AND (x.mention_everyone OR x.mention_user_ids <> ARRAY[]::uuid[])
  AND (x.mention_everyone OR $1 = ANY (x.mention_user_ids))`;

describe.each(["force_custom_plan", "force_generic_plan"])("with %s", (mode) => {
  test("a page of an archived channel's history reads exactly its rows, in order", async () => {
    const query = `SELECT * FROM messages WHERE channel_id = $1 AND listed
      AND (created_at, id) < (uuid_extract_timestamp($2), $2) ORDER BY created_at DESC, id DESC LIMIT 50`;
    const nodes = await explain(mode, "uuid, uuid", query, [
      ids.archivedChannel,
      "ffffffff-ffff-7fff-bfff-ffffffffffff",
    ]);
    expect(nodeTypes(nodes)).toEqual(["Limit", "Index Scan"]);
    expect(indexesOf(nodes)).toEqual(["messages_history_idx"]);
    expect(nodes[1]?.["Actual Rows"]).toBe(50);
  });

  test("the unread counts of a reader with 500 channels come from the index alone", async () => {
    const nodes = await explain(mode, "uuid", unreadOf(""), [ids.reader]);
    expect(nodes[0]?.["Actual Rows"]).toBeGreaterThan(400);
    const counting = nodes.find((node) => node["Index Name"] === "messages_history_idx");
    expect(counting?.["Node Type"]).toBe("Index Only Scan");
    expect(scansWhole(nodes)).not.toContain("messages");
  });

  test("the mention counts read only messages that mention somebody", async () => {
    const nodes = await explain(mode, "uuid", unreadOf(mentionsMe), [ids.reader]);
    expect(indexesOf(nodes)).toContain("messages_mentions_idx");
    expect(scansWhole(nodes)).not.toContain("messages");
  });

  test.each([
    ["a small server, for words that a large one is full of", "smallServer"],
    ["a large server", "largeServer"],
  ] as const)("a search reads only the matches of %s", async (_, key) => {
    const where = `server_id = $1 AND NOT deleted AND search @@ plainto_tsquery('english', $2)`;
    const query = `SELECT id, ts_rank(search, plainto_tsquery('english', $2)) FROM messages WHERE ${where}`;
    const nodes = await explain(mode, "uuid, text", query, [ids[key], "knights moved"]);
    const matches = Number(
      await one(
        `SELECT count(*)::text AS value FROM messages WHERE server_id = '${ids[key]}' AND content LIKE '%knight%'`,
      ),
    );
    expect(matches).toBeGreaterThan(0);
    const index = nodes.find((node) => node["Index Name"] === "messages_search_idx");
    expect(index?.["Actual Rows"]).toBe(matches);
  });

  test.each([
    [
      "an author's messages of the last minute",
      "messages_author_idx",
      "uuid",
      "SELECT id FROM messages WHERE author_id = $1 AND created_at >= now() - interval '60 seconds'",
      ["author"],
    ],
    [
      "an author's latest messages",
      "messages_author_idx",
      "uuid",
      "SELECT * FROM messages WHERE author_id = $1 AND NOT deleted ORDER BY created_at DESC, id DESC LIMIT 50",
      ["author"],
    ],
    [
      "a thread's page",
      "messages_thread_idx",
      "uuid",
      "SELECT * FROM messages WHERE thread_id = $1 AND NOT deleted ORDER BY created_at, id LIMIT 50",
      ["root"],
    ],
    [
      "a channel's pins",
      "messages_pinned_idx",
      "uuid",
      "SELECT * FROM messages WHERE channel_id = $1 AND pinned AND NOT deleted ORDER BY pinned_at DESC, id DESC",
      ["archivedChannel"],
    ],
    [
      "what a purge removes next of a deleted channel",
      "messages_history_idx",
      "uuid",
      `SELECT m.id FROM messages m WHERE m.channel_id = (SELECT $1)
        ORDER BY m.listed, m.created_at DESC, m.id DESC LIMIT 500`,
      ["archivedChannel"],
    ],
    ...["listed", "NOT listed"].flatMap((part) => [
      [
        `what an export reads next of a channel, ${part}`,
        "messages_history_idx",
        "uuid",
        `SELECT id FROM messages WHERE channel_id = $1 AND ${part} AND created_at <= now() AND NOT deleted
            AND (created_at, id) > (timestamptz '1970-01-01', uuid '00000000-0000-7000-8000-000000000000')
          ORDER BY created_at, id LIMIT 200`,
        ["archivedChannel"],
      ] as const,
      [
        `what a retention removes next of a channel, ${part}`,
        "messages_history_idx",
        "uuid",
        `SELECT id FROM messages WHERE channel_id = $1 AND ${part} AND created_at < now()
          ORDER BY created_at DESC, id DESC LIMIT 100`,
        ["archivedChannel"],
      ] as const,
    ]),
    [
      "the browse list",
      "servers_browse_idx",
      "integer",
      "SELECT * FROM servers WHERE is_public ORDER BY member_count DESC, created_at DESC, id DESC LIMIT $1",
      [],
    ],
    [
      "a page of the audit log",
      "audit_log_entries_server_id_created_at_id_idx",
      "uuid",
      "SELECT * FROM audit_log_entries WHERE server_id = $1 AND created_at < now() ORDER BY created_at DESC, id DESC LIMIT 10",
      ["smallServer"],
    ],
    ["a user's servers", "members_user_id_idx", "uuid", "SELECT * FROM members WHERE user_id = $1", ["author"]],
    ...(
      [
        ["user_low", "lowPartner"],
        ["user_high", "highPartner"],
      ] as const
    ).flatMap(([own, key]) => [
      [
        `a user's latest DM channels by ${own}`,
        `dm_channels_${own}_last_message_at_created_at_id_idx`,
        "uuid",
        `SELECT * FROM dm_channels WHERE ${own} = $1 AND last_message_at < 'infinity'
          ORDER BY last_message_at DESC LIMIT 20`,
        [key],
      ] as const,
      [
        `a user's never-used DM channels by ${own}`,
        `dm_channels_${own}_last_message_at_created_at_id_idx`,
        "uuid",
        `SELECT * FROM dm_channels WHERE ${own} = $1 AND last_message_at IS NULL AND (created_at, id) < (now(), $1)
          ORDER BY last_message_at DESC, created_at DESC, id DESC`,
        [key],
      ] as const,
    ]),
    [
      "an account's new DM channels of a day",
      "dm_channels_opened_by_created_at_idx",
      "uuid",
      `SELECT created_at FROM dm_channels WHERE opened_by = $1 AND created_at > now() - interval '24 hours'
        ORDER BY created_at DESC OFFSET 100 LIMIT 1`,
      ["author"],
    ],
    [
      "a page of direct messages",
      "dm_messages_history_idx",
      "uuid",
      "SELECT * FROM dm_messages WHERE channel_id = $1 ORDER BY created_at DESC, id DESC LIMIT 50",
      ["dmChannel"],
    ],
    [
      "the oldest events of the outbox",
      "outbox_pkey",
      "integer",
      "SELECT * FROM outbox ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED",
      [],
    ],
  ] as const)("%s: %s", async (_, index, type, query, keys) => {
    const nodes = await explain(mode, type, query, type === "integer" ? ["50"] : keys.map((key) => ids[key]));
    expect(indexesOf(nodes)).toContain(index);
    expect(scansWhole(nodes)).toEqual([]);
    if (query.includes("LIMIT")) expect(nodeTypes(nodes)).not.toContain("Sort");
  });
});
