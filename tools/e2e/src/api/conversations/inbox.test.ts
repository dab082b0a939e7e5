import { randomUUID } from "node:crypto";
import { type Channel, DmChannel, DmMessage, errorBody as error, InboxPage, Message } from "@parley/contracts";
import {
  connectGateway,
  createChannel,
  createClient,
  createServerWithMembers,
  type GatewayClient,
  joinServer,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hideFrom } from "../delivery/changes/change-stage.js";

let stack: SharedStack;
let client: RestClient;
let owner: UserClient;
/** Has the inbox; her requests go to the other api. */
let ann: UserClient;
let ben: UserClient;
let channel: Channel;
let serverId: string;
let sql: pg.Client;
let socket: GatewayClient;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  const { server, channel: general, owner: creator, members } = await createServerWithMembers(client, 2);
  [serverId, channel, owner, ben] = [server.id, general, creator, members[1]];
  const caller = createClient(stack.apis[1]?.url ?? "").withAuthorization(`Bearer ${members[0].accessToken}`);
  ann = { ...members[0], ...caller };
  socket = connectGateway(stack.gateways[1]?.url ?? "", "", { query: `token=${ann.accessToken}&v=2` });
  await socket.ready;
  sql = new pg.Client({ connectionString: stack.databaseUrl });
  await sql.connect();
});
afterAll(async () => {
  socket?.terminate();
  await sql?.end();
});

const inbox = async (query = "", by: RestClient = ann) =>
  (await by.get(`/users/@me/inbox${query}`)).expect(200, InboxPage.strict());
const items = async (query = "", by: RestClient = ann) => (await inbox(query, by)).items;
/** Resolves once the items are these, the newest first. */
const shows = (expected: readonly unknown[], query = "", by: RestClient = ann) =>
  expect.poll(() => items(query, by)).toMatchObject(expected);
const mention = (by: UserClient, text = "look", to = channel.id) =>
  postMessage(by, to, `@${ann.user.username} ${text} ${randomUUID()}`);
const post = async (by: UserClient, body: object, to = `/channels/${channel.id}/messages`) =>
  (await by.post(to, body)).expect(201, Message);
/** Leaves the inbox empty and read. */
async function clear() {
  await expect
    .poll(async () => (await sql.query("SELECT FROM inbox_changes WHERE user_id = $1", [ann.user.id])).rowCount)
    .toBe(0);
  await sql.query("DELETE FROM inbox_items WHERE user_id = $1", [ann.user.id]);
  await sql.query("DELETE FROM inboxes WHERE user_id = $1", [ann.user.id]);
  await sql.query("DELETE FROM read_states WHERE user_id = $1", [ann.user.id]);
}

test("mentions by name and of everyone, replies and replies in followed threads are items, one for each message", async () => {
  await clear();
  const own = await postMessage(ann, channel.id, "mine");
  const root = await postMessage(ben, channel.id, "root");
  const thread = `/channels/${channel.id}/messages/${root.id}/thread`;
  await post(ann, { content: "I follow" }, thread);
  const sent = [
    await mention(owner),
    await postMessage(owner, channel.id, "@everyone listen"),
    await post(ben, { content: "an answer", reply_to: own.id }),
    await post(ben, { content: "in the thread" }, thread),
    await post(owner, { content: `@${ann.user.username} an answer with her name`, reply_to: own.id }),
  ];
  const kinds = ["mention", "mention", "reply", "thread", "mention"];
  const authors = [owner, owner, ben, ben, owner];
  await shows(
    sent
      .map((message, index) => ({
        id: message.id,
        kind: kinds[index],
        message: { id: message.id, content: message.content, server_id: serverId, author: { id: message.author_id } },
        server_id: serverId,
        channel_id: channel.id,
        by: { id: authors[index]?.user.id, username: authors[index]?.user.username, avatar_url: null },
        created_at: message.created_at,
        read: false,
      }))
      .toReversed(),
  );
  expect((await inbox()).unread).toEqual({ mention: 3, reply: 1, thread: 1 });
  // What concerns nobody, and oneself, is no item.
  await post(ann, { content: `@${ann.user.username} to myself`, reply_to: own.id });
  await postMessage(owner, channel.id, "nothing for anybody");
  const [last] = [await mention(owner)];
  await expect.poll(async () => (await items())[0]?.id).toBe(last.id);
  expect(await items()).toHaveLength(sent.length + 1);
  expect((await items("?kinds=reply,thread")).map(({ kind }) => kind)).toEqual(["thread", "reply"]);
  expect(await items("", owner)).toEqual([]);
});

test("an item is in the inbox of a channel's member only as long as they may see the channel", async () => {
  await clear();
  const hidden = await createChannel(owner, serverId, { name: "hidden" });
  const { id } = await mention(owner, "for those who may", hidden.id);
  await shows([{ id }]);
  await hideFrom(owner, hidden.id, ann);
  expect(await inbox()).toEqual({ items: [], unread: { mention: 0, reply: 0, thread: 0 } });
});

test("an edit adds and removes items, and a deletion removes them", async () => {
  await clear();
  const edited = await postMessage(owner, channel.id, "nobody yet");
  await owner.patch(`/messages/${edited.id}`, { content: `@${ann.user.username} now` });
  await shows([{ id: edited.id, kind: "mention" }]);
  await owner.patch(`/messages/${edited.id}`, { content: "nobody any more" });
  await shows([]);
  const { id } = await mention(owner);
  await shows([{ id }]);
  await owner.delete(`/messages/${id}`);
  await expect.poll(() => inbox()).toEqual({ items: [], unread: { mention: 0, reply: 0, thread: 0 } });
  const many = [await mention(owner), await mention(owner)];
  await shows([{}, {}]);
  const bulk = await owner.post(`/channels/${channel.id}/messages/bulk-delete`, {
    message_ids: many.map((each) => each.id),
  });
  expect(bulk.status).toBeLessThan(300);
  await expect.poll(() => inbox()).toEqual({ items: [], unread: { mention: 0, reply: 0, thread: 0 } });
});

test("a reaction is an item of the message's author until it is taken back, in channels and direct messages", async () => {
  await clear();
  const own = await postMessage(ann, channel.id, "mine");
  const { id: dm } = (await ann.post("/dm-channels", { user_id: ben.user.id })).expect(201, DmChannel);
  const direct = (await ann.post(`/dm-channels/${dm}/messages`, { content: "for you" })).expect(201, DmMessage);
  const inChannel = `/channels/${channel.id}/messages/${own.id}/reactions/${encodeURIComponent("👍")}`;
  const inDirect = `/dm-messages/${direct.id}/reactions/${encodeURIComponent("🎉")}`;
  for (const path of [inChannel, inDirect]) expect((await ben.put(path)).status).toBe(204);
  expect((await ann.put(inChannel)).status).toBe(204);
  const by = { id: ben.user.id };
  await shows([
    { kind: "reaction", message: { id: direct.id }, server_id: null, channel_id: dm, by },
    { kind: "reaction", message: { id: own.id }, server_id: serverId, channel_id: channel.id, by, read: false },
  ]);
  expect((await inbox()).unread).toEqual({ mention: 0, reply: 0, thread: 0 });
  for (const path of [inChannel, inDirect]) expect((await ben.delete(path)).status).toBe(204);
  expect(await items()).toEqual([]);
});

test("an answer in direct messages and an invitation to a group are items", async () => {
  await clear();
  const { id: dm } = (await ann.post("/dm-channels", { user_id: owner.user.id })).expect(201, DmChannel);
  const path = `/dm-channels/${dm}/messages`;
  const question = (await ann.post(path, { content: "when?" })).expect(201, DmMessage);
  const answer = (await owner.post(path, { content: "at nine", reply_to: question.id })).expect(201, DmMessage);
  await owner.post(path, { content: "no answer" });
  await shows([{ id: answer.id, kind: "reply", server_id: null, channel_id: dm, message: { content: "at nine" } }]);
  await owner.delete(`/dm-messages/${answer.id}`);
  await shows([]);
  expect((await inbox()).unread.reply).toBe(0);
  const body = { user_ids: [ann.user.id, owner.user.id], name: "Friday" };
  const group = (await ben.post("/dm-channels", body)).expect(201, DmChannel.pick({ id: true }));
  await shows([{ kind: "invite", message: null, channel_id: group.id, by: { id: ben.user.id }, read: false }]);
  expect(await items("?kinds=invite", ben)).toEqual([]);
  await ann.delete(`/dm-channels/${group.id}/recipients/${ann.user.id}`);
  expect(await items()).toEqual([]);
});

test("items of somebody blocked are hidden until the block ends", async () => {
  await clear();
  const { id } = await mention(ben);
  await shows([{ id }]);
  await ann.put(`/users/@me/blocks/${ben.user.id}`);
  expect(await inbox()).toEqual({ items: [], unread: { mention: 0, reply: 0, thread: 0 } });
  const other = await mention(ben);
  await socket.waitFor("INBOX_UPDATE", ({ unread }) => unread.mention === 0);
  await ann.delete(`/users/@me/blocks/${ben.user.id}`);
  await shows([{ id: other.id }, { id }]);
});

test("a mention is read by the channel's mark and by the inbox's, which moves no channel's mark and not back", async () => {
  await clear();
  const first = await mention(owner);
  const second = await mention(owner);
  const third = await mention(owner);
  await shows([{ read: false }, { read: false }, { read: false }]);
  expect((await ann.post(`/channels/${channel.id}/ack`, { message_id: first.id })).status).toBe(204);
  expect((await inbox()).unread.mention).toBe(2);
  expect((await ann.post("/users/@me/inbox/ack", { before: second.id })).status).toBe(204);
  expect(await items()).toMatchObject([
    { id: third.id, read: false },
    { id: second.id, read: true },
    { id: first.id, read: true },
  ]);
  const { rows } = await sql.query("SELECT last_read_at FROM read_states WHERE user_id = $1", [ann.user.id]);
  expect(rows).toEqual([{ last_read_at: new Date(first.created_at) }]);
  expect((await ann.post("/users/@me/inbox/ack", { before: first.id })).status).toBe(204);
  expect((await inbox()).unread.mention).toBe(1);
  expect((await ann.post("/users/@me/inbox/ack")).status).toBe(204);
  expect(await inbox()).toMatchObject({ items: [{ read: true }, {}, {}], unread: { mention: 0 } });
});

test("INBOX_UPDATE reaches connections with v=2 when an item comes, goes or is read", async () => {
  await clear();
  const old = connectGateway(stack.gateways[0]?.url ?? "", ann.accessToken);
  await old.ready;
  let since = socket.mark();
  const hears = async (mentions: number) => {
    const got = await socket.waitFor("INBOX_UPDATE", ({ unread }) => unread.mention === mentions, { since });
    since = socket.mark();
    return got;
  };
  const first = await mention(owner);
  expect(await hears(1)).toEqual({ unread: { mention: 1, reply: 0, thread: 0 } });
  await mention(owner);
  await hears(2);
  await owner.delete(`/messages/${first.id}`);
  await hears(1);
  await ann.post(`/channels/${channel.id}/ack`);
  await hears(0);
  const again = await mention(owner);
  await hears(1);
  await ann.post(`/channels/${channel.id}/ack`);
  await hears(0);
  // A mark that goes back leaves unread what was read.
  await ann.post(`/channels/${channel.id}/ack`, { message_id: again.id, unread: true });
  await hears(1);
  await ann.post("/users/@me/inbox/ack");
  await hears(0);
  await old.expectNone("INBOX_UPDATE");
  old.terminate();
});

test("the replies of a thread leave the inbox with its root", async () => {
  await clear();
  const before = socket.mark();
  const root = await post(ann, { content: "who plays white" });
  const reply = await post(ben, { content: "I do" }, `/channels/${channel.id}/messages/${root.id}/thread`);
  await shows([{ id: reply.id, kind: "thread" }]);
  // The thread is followed once its settings are stored, which the deletion reads.
  await socket.waitFor("INBOX_UPDATE", ({ unread }) => unread.thread === 1, { since: before });
  const since = socket.mark();
  await ann.delete(`/messages/${root.id}`);
  await socket.waitFor("INBOX_UPDATE", ({ unread }) => unread.thread === 0, { since });
  expect(await inbox()).toMatchObject({ items: [], unread: { thread: 0 } });
});

test("pages go back in time, and what is older than 90 days or beyond 10,000 items is gone", async () => {
  await clear();
  const sent = [];
  for (let n = 0; n < 5; n += 1) sent.unshift((await mention(owner)).id);
  await shows([{}, {}, {}, {}, {}]);
  const idsOf = async (query: string) => (await items(query)).map(({ id }) => id);
  expect(await idsOf("?limit=2")).toEqual(sent.slice(0, 2));
  expect(await idsOf(`?limit=2&before=${sent[1]}`)).toEqual(sent.slice(2, 4));
  expect(await idsOf(`?limit=2&before=${sent[3]}`)).toEqual(sent.slice(4));
  await sql.query(
    `INSERT INTO inbox_items (id, user_id, kind, server_id, channel_id, place_id, message_id, by_id)
      SELECT uuidv7(make_interval(days => -91)), $1, 'mention', $2, $3, $3, $4, $5`,
    [ann.user.id, serverId, channel.id, sent[0], owner.user.id],
  );
  expect(await idsOf("")).toEqual(sent);
  expect((await inbox()).unread.mention).toBe(5);
  await sql.query(
    `INSERT INTO inbox_items (id, user_id, kind, server_id, channel_id, message_id, by_id)
      SELECT uuidv7(make_interval(mins => -n)), $1, 'reaction', $2, $3, $4, $5 FROM generate_series(1, 10010) AS n`,
    [ann.user.id, serverId, channel.id, sent[0], owner.user.id],
  );
  await mention(owner);
  const count = async () =>
    (await sql.query("SELECT count(*)::integer AS items FROM inbox_items WHERE user_id = $1", [ann.user.id])).rows[0];
  await expect.poll(count).toEqual({ items: 10_000 });
  await clear();
});

test("malformed parameters are refused", async () => {
  for (const [query, text] of [
    ["?kinds=mention,likes", "Invalid kinds"],
    ["?before=x", "Invalid before"],
    ["?limit=many", "limit must be an integer"],
  ])
    expect(await ann.get(`/users/@me/inbox${query}`)).toMatchObject({ status: 400, body: error(text ?? "") });
  const answer = await ann.post("/users/@me/inbox/ack", { before: "x" });
  expect(answer).toMatchObject({ status: 400, body: error("Invalid before") });
});

test("somebody who joins later has no item of everyone that was mentioned before", async () => {
  const before = await postMessage(owner, channel.id, "@everyone before");
  const late = await client.register();
  await joinServer(late, serverId);
  const after = await postMessage(owner, channel.id, "@everyone after");
  await expect.poll(async () => (await items("", late)).map(({ id }) => id)).toEqual([after.id]);
  await owner.patch(`/messages/${before.id}`, { content: "@everyone before, with a correction" });
  const last = await postMessage(owner, channel.id, "@everyone last");
  await expect.poll(async () => (await items("", late)).map(({ id }) => id)).toEqual([last.id, after.id]);
});
