import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isBlocked, mayMessage } from "./may-message.js";
import { indexesOf, nodeTypes, planModes, scansWhole, startPlanWorld } from "./query-plans-fixture.js";
import { mentionCount } from "./unread-counts.js";

/** 2,200 users with 20,000 friendships and more blocks; one conversation with most of the direct messages. */
const additions = `
  INSERT INTO users (username) SELECT 'partner' || n FROM generate_series(1, 2000) AS n;
  INSERT INTO members (server_id, user_id)
    SELECT s.id, u.id FROM servers s, users u
      WHERE u.username ~ '^partner' AND hashtext(s.name || u.username) % 40 = 0 ON CONFLICT DO NOTHING;
  INSERT INTO user_blocks (blocker_id, blocked_id)
    SELECT a.id, b.id FROM users a, users b
      WHERE a.id <> b.id AND (hashtext(a.username || b.username) % 200 = 0 OR a.username = 'user5');
  INSERT INTO friendships (user_low, user_high, requested_by, accepted_at)
    SELECT a.id, b.id, a.id, CASE WHEN hashtext(b.username) % 2 = 0 THEN now() END FROM users a, users b
      WHERE a.id < b.id AND (hashtext(b.username || a.username) % 120 = 0 OR 'user6' IN (a.username, b.username));
  -- user7 is in no server, user8 is nobody's friend.
  DELETE FROM members WHERE user_id = (SELECT id FROM users WHERE username = 'user7');
  DELETE FROM friendships WHERE (SELECT id FROM users WHERE username = 'user8') IN (user_low, user_high);
  DELETE FROM user_blocks USING users u
    WHERE u.id IN (blocker_id, blocked_id) AND u.username IN ('user2', 'user7', 'user8', 'user9');
  DELETE FROM friendships WHERE (SELECT id FROM users WHERE username = 'user2') IN (user_low, user_high);
  UPDATE friendships SET accepted_at = now() FROM users u
    WHERE u.username = 'user9' AND u.id IN (user_low, user_high);
  UPDATE users SET dms_from = 'servers' WHERE username = 'user2';
  UPDATE users SET dms_from = 'friends' WHERE username = 'user6';

  INSERT INTO dm_channels (user_low, user_high)
    SELECT a.id, b.id FROM users a, users b WHERE a.id < b.id AND hashtext(a.username || b.username) % 1000 = 0;
  INSERT INTO dm_messages (channel_id, author_id, content)
    SELECT c.id, c.user_low,
        CASE WHEN n % 7 = 0 THEN 'the knight moved to e5 number ' ELSE 'good morning number ' END || n
      FROM (SELECT * FROM dm_channels ORDER BY id LIMIT 1) AS c, generate_series(1, 10000) AS n
    UNION ALL
    SELECT c.id, c.user_low, 'the knight moved to e5 number ' || n
      FROM (SELECT * FROM dm_channels ORDER BY id DESC LIMIT 50) AS c, generate_series(1, 20) AS n;

  -- Half of what mentions everyone is by people whom user5 has blocked, as they have everybody.
  INSERT INTO messages (channel_id, server_id, author_id, content, mention_everyone)
    SELECT c.id, c.server_id, CASE WHEN m % 2 = 0 THEN u.id END, 'hello', m % 10 = 0
      FROM (SELECT * FROM channels ORDER BY id LIMIT 1) AS c, generate_series(1, 5000) AS m
      JOIN users u ON u.username = 'user' || (10 + m % 100);

  INSERT INTO group_mentions (message_id, bucket, by_role, user_ids)
    SELECT id, 0, true, ARRAY[author_id] FROM messages WHERE author_id IS NOT NULL;
`;

let world: Awaited<ReturnType<typeof startPlanWorld>>;
type Name = "friend" | "strict" | "blocker" | "popular" | "loner" | "friendless" | "largeConversation" | "channel";
let ids: Record<Name, string>;

beforeAll(async () => {
  world = await startPlanWorld(additions);
  const idOf = (name: string) => world.one(`SELECT id AS value FROM users WHERE username = '${name}'`);
  ids = {
    friend: await idOf("user9"),
    strict: await idOf("user2"),
    blocker: await idOf("user5"),
    popular: await idOf("user6"),
    loner: await idOf("user7"),
    friendless: await idOf("user8"),
    largeConversation: await world.one(
      "SELECT channel_id AS value FROM dm_messages GROUP BY 1 ORDER BY count(*) DESC LIMIT 1",
    ),
    channel: await world.one("SELECT channel_id AS value FROM messages LIMIT 1"),
  };
});
afterAll(() => world.stop());

const mayNot = `SELECT r.id FROM unnest($2::uuid[]) AS r (id)
  WHERE r.id <> $1::uuid AND NOT ${mayMessage("$1::uuid", "r.id")} LIMIT 1`;
const blocked = `SELECT ${isBlocked("$1::uuid", "$2::uuid")} AS blocked`;

/** Most rows of a table that one node has read. */
const rowsOf = (nodes: Awaited<ReturnType<typeof world.explain>>, table: string) =>
  Math.max(0, ...nodes.flatMap((node) => (node["Relation Name"] === table ? node["Actual Rows"] : [])));

describe.each(planModes)("with %s", (mode) => {
  test.each([
    ["somebody whom the recipient has blocked", "popular", "blocker", 1],
    ["a stranger, to somebody in many servers", "loner", "strict", 1],
    ["who shares servers", "friendless", "strict", 0],
    ["a friend", "friend", "popular", 0],
    ["a stranger, to somebody with many friends", "friendless", "popular", 1],
    ["a stranger, to somebody who takes messages of everyone", "strict", "loner", 0],
  ] as const)("whether %s may write is asked of indexes alone", async (_, sender, recipient, refused) => {
    const nodes = await world.explain(mode, "uuid, uuid[]", mayNot, [ids[sender], `{${ids[recipient]}}`]);
    expect(nodes[0]?.["Actual Rows"]).toBe(refused);
    expect(scansWhole(nodes)).toEqual([]);
    // One row per block, friendship and account, and no more memberships than the recipient has.
    for (const table of ["user_blocks", "friendships", "users"]) expect(rowsOf(nodes, table)).toBeLessThanOrEqual(1);
    expect(rowsOf(nodes, "members")).toBeLessThan(100);
  });

  test("whether one of a pair has blocked the other is asked of the key of blocks", async () => {
    const nodes = await world.explain(mode, "uuid, uuid", blocked, [ids.strict, ids.blocker]);
    expect(new Set(indexesOf(nodes))).toEqual(new Set(["user_blocks_pkey"]));
    expect(rowsOf(nodes, "user_blocks")).toBeLessThanOrEqual(1);
    expect(scansWhole(nodes)).toEqual([]);
  });

  test("mentions by people whom a reader of a channel has blocked are left out by an index", async () => {
    const count = mentionCount({ channel: "$1::uuid", mark: "$2::timestamptz", user: "$3::uuid" });
    const nodes = await world.explain(mode, "uuid, timestamptz, uuid", `SELECT ${count}`, [
      ids.channel,
      "2020-01-01T00:00:00Z",
      ids.blocker,
    ]);
    expect(indexesOf(nodes)).toEqual(expect.arrayContaining(["messages_mentions_idx", "user_blocks_pkey"]));
    expect(scansWhole(nodes)).toEqual([]);
  });

  test.each([
    [
      "whom somebody has blocked",
      ["user_blocks_pkey"],
      "SELECT blocked_id FROM user_blocks WHERE blocker_id = $1",
      "blocker",
    ],
    [
      "somebody's friends and requests",
      ["friendships_pkey", "friendships_user_high_idx"],
      "SELECT user_low, user_high FROM friendships WHERE user_low = $1 OR user_high = $1",
      "strict",
    ],
  ] as const)("the query of %s reads no whole table", async (_, indexes, query, key) => {
    const nodes = await world.explain(mode, "uuid", query, [ids[key]]);
    expect(indexesOf(nodes).toSorted()).toEqual(indexes);
    expect(scansWhole(nodes)).toEqual([]);
  });

  test("a search reads only the matches of its conversation", async () => {
    const query = `SELECT m.id, m.created_at FROM dm_messages m
      WHERE m.language IS NOT NULL AND m.search @@ plainto_tsquery('simple', $2) AND m.channel_id = $1
      ORDER BY m.created_at DESC, m.id DESC LIMIT 10000`;
    const nodes = await world.explain(mode, "uuid, text", query, [ids.largeConversation, "knight moved"]);
    const matches = Number(
      await world.one(
        `SELECT count(*)::text AS value FROM dm_messages
           WHERE channel_id = '${ids.largeConversation}' AND content LIKE '%knight%'`,
      ),
    );
    expect(matches).toBeGreaterThan(1_000);
    const index = nodes.find((node) => node["Index Name"] === "dm_messages_words_idx");
    expect(index?.["Actual Rows"]).toBe(matches);
    expect(scansWhole(nodes)).toEqual([]);
  });

  test("the first messages of a conversation from an instant on are read exactly, in order", async () => {
    const query =
      "SELECT * FROM dm_messages WHERE channel_id = $1 AND created_at >= $2 ORDER BY created_at, id LIMIT 1";
    const nodes = await world.explain(mode, "uuid, timestamptz", query, [
      ids.largeConversation,
      "2020-01-01T00:00:00Z",
    ]);
    expect(nodeTypes(nodes)).toEqual(["Limit", "Index Scan"]);
    expect(indexesOf(nodes)).toEqual(["dm_messages_history_idx"]);
    expect(nodes[1]?.["Actual Rows"]).toBe(1);
  });
});
