import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { indexesOf, nodeTypes, planModes, scansWhole, startPlanWorld } from "./query-plans-fixture.js";

/** 30,000 messages in a large server and in small ones. */
const messages = `
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
  INSERT INTO reactions (message_id, emoji, user_id)
    SELECT m.id, e::text, u.id FROM (SELECT id FROM messages ORDER BY id LIMIT 5000) AS m, generate_series(1, 4) AS e,
      (SELECT id FROM users ORDER BY id LIMIT 1) AS u;
  INSERT INTO reactions (message_id, emoji, user_id)
    SELECT (SELECT max(message_id::text)::uuid FROM reactions), '♥', id FROM users WHERE username LIKE 'user%';
  INSERT INTO attachments (message_id, filename, stored_name, file_size, mime_type)
    SELECT id, 'a', md5(id::text) || '_a', 1, 'text/plain' FROM messages ORDER BY id LIMIT 5000;
`;

let world: Awaited<ReturnType<typeof startPlanWorld>>;
let ids: Record<"reader" | "archivedChannel" | "largeServer" | "smallServer" | "author" | "root" | "reacted", string>;

beforeAll(async () => {
  world = await startPlanWorld(messages);
  const server = (name: string) => world.one(`SELECT id AS value FROM servers WHERE name = '${name}'`);
  ids = {
    reader: await world.one("SELECT id AS value FROM users WHERE username = 'user2'"),
    author: await world.one("SELECT id AS value FROM users WHERE username = 'user3'"),
    archivedChannel: await world.one(
      "SELECT channel_id AS value FROM messages GROUP BY 1 ORDER BY count(*) DESC LIMIT 1",
    ),
    reacted: await world.one("SELECT message_id AS value FROM reactions WHERE emoji = '♥' LIMIT 1"),
    root: await world.one("SELECT thread_id AS value FROM messages WHERE thread_id IS NOT NULL LIMIT 1"),
    largeServer: await server("server1"),
    smallServer: await server("server300"),
  };
});
afterAll(() => world.stop());

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

describe.each(planModes)("with %s", (mode) => {
  test("the reactions and attachments of a page are read for its messages alone", async () => {
    const page = await world.one(
      "SELECT array_agg(id)::text AS value FROM (SELECT id FROM messages ORDER BY id LIMIT 100) AS page",
    );
    const query = `SELECT message.id,
        (SELECT json_agg(emoji ORDER BY first) FROM (
          SELECT emoji, count(*), bool_or(user_id = $2), min(created_at) AS first
          FROM reactions WHERE message_id = message.id GROUP BY emoji) AS counted),
        (SELECT json_agg(to_json(a) ORDER BY a.id) FROM attachments a WHERE a.message_id = message.id)
      FROM unnest($1::uuid[]) AS message (id)`;
    const nodes = await world.explain(mode, "uuid[], uuid", query, [page, ids.reader]);
    expect(indexesOf(nodes)).toEqual(
      expect.arrayContaining([
        "reactions_message_id_emoji_created_at_user_id_idx",
        "attachments_message_id_stored_name_key",
      ]),
    );
    expect(scansWhole(nodes)).toEqual([]);
  });

  test("a page of those who reacted reads exactly its rows, in order, wherever it begins", async () => {
    const page = (after: string) => `SELECT u.id FROM (
        SELECT r.user_id, r.created_at FROM reactions r WHERE r.message_id = $1 AND r.emoji = $2 ${after}
        ORDER BY r.created_at, r.user_id LIMIT 50) AS page
      JOIN users u ON u.id = page.user_id ORDER BY page.created_at, page.user_id`;
    const later = `AND (r.created_at, r.user_id) > (
      (SELECT a.created_at FROM reactions a WHERE a.message_id = $1 AND a.emoji = $2 AND a.user_id = $3), $3::uuid)`;
    for (const [types, query, values] of [
      ["uuid, text", page(""), [ids.reacted, "♥"]],
      ["uuid, text, uuid", page(later), [ids.reacted, "♥", ids.author]],
    ] as const) {
      const nodes = await world.explain(mode, types, query, [...values]);
      const reading = nodes.find((node) => node["Index Name"] === "reactions_message_id_emoji_created_at_user_id_idx");
      expect([reading?.["Node Type"], reading?.["Actual Rows"]]).toEqual(["Index Only Scan", 50]);
      expect(scansWhole(nodes)).not.toContain("reactions");
    }
  });

  test("a page of an archived channel's history reads exactly its rows, in order", async () => {
    const query = `SELECT * FROM messages WHERE channel_id = $1 AND listed
      AND (created_at, id) < (uuid_extract_timestamp($2), $2) ORDER BY created_at DESC, id DESC LIMIT 50`;
    const nodes = await world.explain(mode, "uuid, uuid", query, [
      ids.archivedChannel,
      "ffffffff-ffff-7fff-bfff-ffffffffffff",
    ]);
    expect(nodeTypes(nodes)).toEqual(["Limit", "Index Scan"]);
    expect(indexesOf(nodes)).toEqual(["messages_history_idx"]);
    expect(nodes[1]?.["Actual Rows"]).toBe(50);
  });

  test("the first messages of an archived channel from an instant on are read exactly, in order", async () => {
    const query =
      "SELECT * FROM messages WHERE channel_id = $1 AND listed AND created_at >= $2 ORDER BY created_at, id LIMIT 1";
    const since = await world.one(
      `SELECT created_at::text AS value FROM messages WHERE channel_id = '${ids.archivedChannel}' ORDER BY id OFFSET 7000 LIMIT 1`,
    );
    const nodes = await world.explain(mode, "uuid, timestamptz", query, [ids.archivedChannel, since]);
    expect(nodeTypes(nodes)).toEqual(["Limit", "Index Scan"]);
    expect(indexesOf(nodes)).toEqual(["messages_history_idx"]);
    expect(nodes[1]?.["Actual Rows"]).toBe(1);
  });

  test("the unread counts of a reader with 500 channels come from the index alone", async () => {
    const nodes = await world.explain(mode, "uuid", unreadOf(""), [ids.reader]);
    expect(nodes[0]?.["Actual Rows"]).toBeGreaterThan(400);
    const counting = nodes.find((node) => node["Index Name"] === "messages_history_idx");
    expect(counting?.["Node Type"]).toBe("Index Only Scan");
    expect(scansWhole(nodes)).not.toContain("messages");
  });

  test("the mention counts read only messages that mention somebody", async () => {
    const nodes = await world.explain(mode, "uuid", unreadOf(mentionsMe), [ids.reader]);
    expect(indexesOf(nodes)).toContain("messages_mentions_idx");
    expect(scansWhole(nodes)).not.toContain("messages");
  });

  test.each([
    ["a small server, for words that a large one is full of", "smallServer"],
    ["a large server", "largeServer"],
  ] as const)("a search reads only the matches of %s", async (_, key) => {
    const where = `server_id = $1 AND NOT deleted AND search @@ plainto_tsquery('simple', $2)`;
    const query = `SELECT id, ts_rank(search, plainto_tsquery('simple', $2)) FROM messages WHERE ${where}`;
    const nodes = await world.explain(mode, "uuid, text", query, [ids[key], "knight moved"]);
    const matches = Number(
      await world.one(
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
      "what is deleted next of a deleted channel",
      "messages_history_idx",
      "uuid",
      `SELECT m.id FROM messages m WHERE m.channel_id = $1
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
  ] as const)("the query of %s uses %s and reads no whole table", async (_, index, type, query, keys) => {
    const nodes = await world.explain(
      mode,
      type,
      query,
      keys.map((key) => ids[key]),
    );
    expect(indexesOf(nodes)).toContain(index);
    expect(scansWhole(nodes)).toEqual([]);
    if (query.includes("LIMIT")) expect(nodeTypes(nodes)).not.toContain("Sort");
  });
});
