import {
  connectGateway,
  createChannel,
  createClient,
  createServerWithMembers,
  type SharedStack,
  sharedStack,
  waitingForLocks,
  waitUntil,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { expectError } from "./direct-stage.js";

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

const Heard = z.object({ last_read_at: z.string(), unread_count: z.number() });
const Sent = z.object({ id: z.string(), created_at: z.string() });

describe.each([
  ["a channel", "channels", "messages"],
  ["direct messages", "dm-channels", "dm-messages"],
])("a mark of %s up to a message", (_what, resource, messages) => {
  /** A reader, a writer, and a way to send to a place of both. */
  async function place() {
    const { owner, members, server, channel } = await createServerWithMembers(createClient(stack.edgeUrl), 2);
    const [reader = owner, third = owner] = members;
    const ids =
      resource === "channels"
        ? [channel.id, (await createChannel(owner, server.id)).id]
        : await Promise.all(
            [reader, third].map(
              async (person) =>
                (await owner.post("/dm-channels", { user_id: person.user.id })).expect(201, DmChannel).id,
            ),
          );
    const [id = "", other = ""] = ids;
    const send = async (content: string, to = id) =>
      (await owner.post(`/${resource}/${to}/messages`, { content })).expect(201, Sent);
    const ack = (body?: object) => reader.post(`/${resource}/${id}/ack`, body);
    const unread = async () => {
      const gateway = connectGateway(stack.edgeUrl, reader.accessToken);
      const { unread_counts } = await gateway.ready;
      await gateway.close();
      return unread_counts.find(({ channel_id }) => channel_id === id)?.unread_count ?? 0;
    };
    const markedAt = async () => {
      const table = resource === "channels" ? "read_states" : "dm_read_states";
      const where = "WHERE user_id = $1 AND channel_id = $2";
      const { rows } = await database.query(`SELECT last_read_at FROM ${table} ${where}`, [reader.user.id, id]);
      return Mark.parse(rows)[0].last_read_at.toISOString();
    };
    return { owner, reader, id, other, send, ack, unread, markedAt };
  }

  test("reads nothing that was sent after it, whenever it comes, and never moves back", async () => {
    const { owner, send, ack, unread, markedAt } = await place();
    const first = await send("shown");
    const second = await send("shown, too, and deleted since");
    await send("on its way");
    expect((await owner.delete(`/${messages}/${second.id}`)).status).toBe(204);
    expect((await ack({ message_id: first.id })).status).toBe(204);
    expect(await markedAt()).toBe(first.created_at);
    expect((await ack({ message_id: second.id.toUpperCase() })).status).toBe(204);
    expect([await markedAt(), await unread()]).toEqual([second.created_at, 1]);
    expect((await ack({ message_id: first.id })).status).toBe(204);
    expect(await markedAt()).toBe(second.created_at);
    for (const body of [{ message_id: null }, {}, undefined]) {
      await send("more");
      expect([(await ack(body)).status, await unread()]).toEqual([204, 0]);
    }
  });

  test("goes back to just before an unread message, through either api, never forward, and the devices hear of it", async () => {
    const { reader, id, send, ack, unread, markedAt } = await place();
    const [one, two] = [await send("one"), await send("two")];
    const query = `v=2&token=${reader.accessToken}`;
    const devices = stack.gateways.map(({ url }) => connectGateway(url, "", { query }));
    await Promise.all(devices.map(({ ready }) => ready));
    const markUnread = async (message_id: string, api: number) => {
      const caller = createClient(stack.apis[api]?.url ?? "").withAuthorization(`Bearer ${reader.accessToken}`);
      expect((await caller.post(`/${resource}/${id}/ack`, { message_id, unread: true })).status).toBe(204);
    };
    const justBefore = ({ created_at }: { created_at: string }) => new Date(Date.parse(created_at) - 1).toISOString();
    const heard = () =>
      devices.map(({ events }) => {
        const { payload } = events.findLast(({ name }) => name === "READ_STATE_UPDATE") ?? {};
        const { data } = Heard.safeParse(payload);
        return [data?.last_read_at, data?.unread_count];
      });
    // Without a mark, all is unread.
    await markUnread(two.id, 0);
    expect(await unread()).toBe(2);
    await ack();
    await markUnread(two.id, 1);
    expect([await markedAt(), await unread()]).toEqual([justBefore(two), 1]);
    await expect.poll(heard).toEqual(devices.map(() => [justBefore(two), 1]));
    await markUnread(one.id, 0);
    await markUnread(two.id, 1);
    expect([await markedAt(), await unread()]).toEqual([justBefore(one), 2]);
    await expect.poll(heard).toEqual(devices.map(() => [justBefore(one), 2]));
    expect((await ack({ message_id: two.id, unread: false })).status).toBe(204);
    expect(await unread()).toBe(0);
    expectError(await ack({ unread: true }), 400, "Invalid message_id");
    expectError(await ack({ message_id: one.id, unread: 1 }), 400, "unread must be a boolean");
    expectError(await ack({ message_id: crypto.randomUUID(), unread: true }), 404, "Message not found");
    expect(await unread()).toBe(0);
    for (const device of devices) device.terminate();
  });

  test("of another channel, or of none, moves nothing", async () => {
    const { other, send, ack, unread } = await place();
    await send("unread");
    const elsewhere = await send("elsewhere", other);
    expectError(await ack({ message_id: elsewhere.id }), 404, "Message not found");
    expectError(await ack({ message_id: crypto.randomUUID() }), 404, "Message not found");
    for (const message_id of ["x", "", 7, {}, ["a"], true]) {
      expectError(await ack({ message_id }), 400, "Invalid message_id");
    }
    expect(await unread()).toBe(1);
  });
});
