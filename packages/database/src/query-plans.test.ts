import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { indexesOf, nodeTypes, planModes, scansWhole, startPlanWorld } from "./query-plans-fixture.js";
import { serverExists } from "./server-exists.js";

/** Direct messages, an audit log, an outbox; 2,200 users; 20 of them changed their presence within the last minute. */
const additions = `
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
  INSERT INTO outbox (subject, payload) SELECT 'events', '{}' FROM generate_series(1, 2000);
  UPDATE users SET presence_changed_at = now() - make_interval(
      secs => CASE WHEN username ~ '^user1?[0-9]$' OR username = 'user20' THEN 1 ELSE 3600 END)
    WHERE username !~ '5$';`;

let world: Awaited<ReturnType<typeof startPlanWorld>>;
let ids: Record<"lowPartner" | "highPartner" | "dmChannel" | "smallServer" | "author", string>;

beforeAll(async () => {
  world = await startPlanWorld(additions);
  ids = {
    lowPartner: await world.one("SELECT id AS value FROM users WHERE username = 'user4'"),
    highPartner: await world.one("SELECT id AS value FROM users WHERE username = 'partner2000'"),
    author: await world.one("SELECT id AS value FROM users WHERE username = 'user3'"),
    dmChannel: await world.one("SELECT channel_id AS value FROM dm_messages LIMIT 1"),
    smallServer: await world.one("SELECT id AS value FROM servers WHERE name = 'server300'"),
  };
});
afterAll(() => world.stop());

describe.each(planModes)("with %s", (mode) => {
  test("the presences that changed lately are read in order, with their servers, and no others", async () => {
    const query = `SELECT u.id, u.status, ARRAY(
        SELECT m.server_id::text FROM members m WHERE m.user_id = u.id AND ${serverExists("m.server_id")})
      FROM users u WHERE u.presence_changed_at >= to_timestamp($1::float8)
      ORDER BY u.presence_changed_at DESC LIMIT $2::bigint`;
    const since = await world.one("SELECT (extract(epoch FROM now()) - 900)::text AS value");
    const nodes = await world.explain(mode, "float8, bigint", query, [since, "20000"]);
    const scan = nodes.find((node) => node["Index Name"] === "users_presence_changed_at_idx");
    expect(scan?.["Actual Rows"]).toBe(18);
    expect(indexesOf(nodes)).toContain("members_user_id_idx");
    expect(scansWhole(nodes)).toEqual([]);
    expect(nodeTypes(nodes)).not.toContain("Sort");
  });

  test.each([
    [
      "the browse list",
      "servers_listed_idx",
      "integer",
      "SELECT * FROM servers WHERE is_public AND listed ORDER BY featured DESC, member_count DESC, created_at DESC, id DESC LIMIT $1",
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
  ] as const)("the query of %s uses %s and reads no whole table", async (_, index, type, query, keys) => {
    const nodes = await world.explain(mode, type, query, type === "integer" ? ["50"] : keys.map((key) => ids[key]));
    expect(indexesOf(nodes)).toContain(index);
    expect(scansWhole(nodes)).toEqual([]);
    if (query.includes("LIMIT")) expect(nodeTypes(nodes)).not.toContain("Sort");
  });
});
