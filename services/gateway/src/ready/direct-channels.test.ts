import { defineStatement } from "@parley/database";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readyDmChannelsMax } from "../limits.js";
import { type ReadyFixture, startReadyFixture } from "./ready-fixture.js";

let fixture: ReadyFixture;
beforeAll(async () => {
  fixture = await startReadyFixture();
});
afterAll(() => fixture?.stop());

const pairStatement = defineStatement({
  name: "test_direct_pair",
  text: `INSERT INTO dm_channels (user_low, user_high, created_at, last_message_at)
    VALUES (least($1::uuid, $2::uuid), greatest($1::uuid, $2::uuid), '2026-01-01', $3::timestamptz) RETURNING id::text AS id`,
  row: (row) => String(row.id),
});
/** With people in the order of their positions. */
const groupStatement = defineStatement({
  name: "test_direct_group",
  text: `WITH made AS (
      INSERT INTO dm_channels (name, created_at, last_message_at)
      VALUES ($1, '2026-01-02 03:04:05.006+00', $2::timestamptz) RETURNING id
    ), people AS (
      INSERT INTO dm_group_members (channel_id, user_id, position, joined_at)
      SELECT made.id, person.id, person.n, '2026-01-01' FROM made, unnest($3::uuid[]) WITH ORDINALITY AS person (id, n)
    )
    SELECT id::text AS id FROM made`,
  row: (row) => String(row.id),
});
const messageStatement = defineStatement({
  name: "test_direct_message",
  text: "INSERT INTO dm_messages (channel_id, author_id, content) VALUES ($1, $2, 'text')",
});
const manyPairsStatement = defineStatement({
  name: "test_direct_pairs",
  text: `WITH others AS (
      INSERT INTO users (username) SELECT 'direct_' || n FROM generate_series(1, $2::int) n RETURNING id
    )
    INSERT INTO dm_channels (user_low, user_high, last_message_at)
    SELECT least(id, $1::uuid), greatest(id, $1::uuid), '2026-02-01'::timestamptz FROM others`,
});

async function newGroup(name: string | null, usedAt: string | null, people: string[]): Promise<string> {
  const [id = ""] = await fixture.database.query(groupStatement, [name, usedAt, people]);
  return id;
}

async function newPair(user: string, usedAt: string | null): Promise<string> {
  const [id = ""] = await fixture.database.query(pairStatement, [user, await fixture.rows.user(), usedAt]);
  return id;
}

test("READY lists pairs and groups together, the newest first and unused ones last, and with v=1 pairs only", async () => {
  const { rows, ready } = fixture;
  const [user, other] = [await rows.user(), await rows.user()];
  const unused = await newPair(user, null);
  const oldPair = await newPair(user, "2026-02-01");
  const unusedGroup = await newGroup("unused", null, [other, user]);
  const group = await newGroup("used", "2026-02-02", [other, user]);
  const newPairId = await newPair(user, "2026-02-03");
  const ids = (channels: readonly { id: string }[]) => channels.map(({ id }) => id);
  expect(ids((await ready(user)).dm_channels)).toEqual([newPairId, oldPair, unused]);
  // Groups of this test were created after the pairs.
  expect(ids((await ready(user, 2)).dm_channels)).toEqual([newPairId, group, oldPair, unusedGroup, unused]);
});

test("READY names the people of a group in their order without the user, its owner and times, and what is unread", async () => {
  const { database, rows, ready } = fixture;
  const [user, first, second] = [await rows.user(), await rows.user(), await rows.user()];
  await database.prisma.user.update({ where: { id: second }, data: { bio: 'two\nlines and a "quote"' } });
  const group = await newGroup('a "name"\n', "2026-02-01 03:04:05.678+00", [second, user, first]);
  for (const author of [first, second, user]) await database.execute(messageStatement, [group, author]);
  const { dm_channels, unread_counts } = await ready(user, 2);
  expect(dm_channels).toMatchObject([
    {
      id: group,
      type: "group",
      recipient: { id: second, email: null, is_admin: false },
      recipients: [{ id: second, bio: 'two\nlines and a "quote"' }, { id: first }],
      name: 'a "name"\n',
      owner_id: second,
      icon_url: null,
      created_at: "2026-01-02T03:04:05.006Z",
      last_message_at: "2026-02-01T03:04:05.678Z",
    },
  ]);
  expect(unread_counts).toEqual([{ channel_id: group, unread_count: 2 }]);
});

test("READY shows somebody alone in a group as its recipient", async () => {
  const user = await fixture.rows.user();
  const group = await newGroup(null, null, [user]);
  expect((await fixture.ready(user, 2)).dm_channels).toMatchObject([
    { id: group, recipient: { id: user }, recipients: [], name: null, owner_id: user, last_message_at: null },
  ]);
});

test("READY leaves out the oldest pair for a newer group beyond the limit", async () => {
  const { database, rows, ready } = fixture;
  const user = await rows.user();
  await database.execute(manyPairsStatement, [user, readyDmChannelsMax]);
  const group = await newGroup("newest", "2026-02-02", [user]);
  const [before, after] = [await ready(user), await ready(user, 2)];
  expect(before.dm_channels).toHaveLength(readyDmChannelsMax);
  expect(after.dm_channels.map(({ id }) => id)).toEqual([
    group,
    ...before.dm_channels.slice(0, -1).map(({ id }) => id),
  ]);
});
