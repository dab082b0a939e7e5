import {
  createClient,
  createServerWithMembers,
  type SharedStack,
  sharedStack,
  waitingForLocks,
  waitUntil,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let database: pg.Client;

beforeAll(async () => {
  stack = await sharedStack();
  database = new pg.Client(stack.databaseUrl);
  await database.connect();
});
afterAll(() => database?.end());

const Mark = z.tuple([z.object({ last_read_at: z.date() })]);
const DmChannel = z.object({ id: z.string() });

/** Whether a statement of a table waits for a row. */
const isWaiting = async (table: string) => (await waitingForLocks(database, { statement: `INTO ${table} ` })) > 0;

test.each([
  ["a channel", "read_states", "channels"],
  ["direct messages", "dm_read_states", "dm-channels"],
])("a mark of %s that waited for a later one does not move it back", async (_what, table, resource) => {
  const { owner, members, channel } = await createServerWithMembers(createClient(stack.edgeUrl), 1);
  const [member = owner] = members;
  const opened = await owner.post("/dm-channels", { user_id: member.user.id });
  const id = resource === "channels" ? channel.id : opened.expect(201, DmChannel).id;
  const acknowledge = () => owner.post(`/${resource}/${id}/ack`);
  expect((await acknowledge()).status).toBe(204);

  await database.query("BEGIN");
  const where = "WHERE user_id = $1 AND channel_id = $2";
  await database.query(`SELECT FROM ${table} ${where} FOR UPDATE`, [owner.user.id, id]);
  const answer = acknowledge();
  await waitUntil(() => isWaiting(table), { what: "the mark to wait for the row" });
  const { rows } = await database.query(
    `UPDATE ${table} SET last_read_at = date_trunc('milliseconds', now()) + interval '10 s' ${where} RETURNING last_read_at`,
    [owner.user.id, id],
  );
  await database.query("COMMIT");
  expect((await answer).status).toBe(204);
  const kept = await database.query(`SELECT last_read_at FROM ${table} ${where}`, [owner.user.id, id]);
  expect(Mark.parse(kept.rows)).toEqual(Mark.parse(rows));
});
