import { errorBody as error, InboxPage, Message, NotificationSettings, Thread, ThreadPage } from "@parley/contracts";
import {
  connectGateway,
  createChannel,
  createClient,
  createServerWithMembers,
  type GatewayClient,
  postMessage,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hideFrom } from "../delivery/changes/change-stage.js";
import { connectTo } from "../stages/lock-stage.js";

/** A server whose people talk in threads; ann's requests go to the other api. */
async function startScene() {
  const stack = await sharedStack();
  const client = createClient(stack.edgeUrl);
  const { server, channel, owner, members } = await createServerWithMembers(client, 3);
  const [first, ben, cat] = members;
  const caller = createClient(stack.apis[1]?.url ?? "").withAuthorization(`Bearer ${first.accessToken}`);
  const sockets: GatewayClient[] = [];
  return {
    ...{ stack, client, server, channel, owner, ben, cat, sockets },
    ann: { ...first, ...caller },
    open(user: UserClient, gateway: 0 | 1 = 0, version = 2) {
      const query = `token=${user.accessToken}&v=${version}`;
      const socket = connectGateway(stack.gateways[gateway]?.url ?? "", "", { query });
      sockets.push(socket);
      return socket;
    },
  };
}
let scene: Awaited<ReturnType<typeof startScene>>;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => {
  for (const socket of scene?.sockets ?? []) socket.terminate();
});

const threads = async (query = "", by: UserClient = scene.ann) =>
  (await by.get(`/servers/${scene.server.id}/threads${query}`)).expect(200, ThreadPage.strict()).threads;
const idsOf = async (query = "", by: UserClient = scene.ann) => (await threads(query, by)).map(({ id }) => id);
const reply = async (by: UserClient, rootId: string, content: string, channelId = scene.channel.id) =>
  (await by.post(`/channels/${channelId}/messages/${rootId}/thread`, { content })).expect(201, Message);
const actorOf = ({ user }: UserClient) => ({ id: user.id, username: user.username, avatar_url: null });

test("a thread is listed from its first reply on, by its last reply, with who takes part", async () => {
  const { ann, ben, cat, owner, channel } = scene;
  const [older, newer] = [await postMessage(ann, channel.id, "older"), await postMessage(ben, channel.id, "newer")];
  expect(await idsOf()).toEqual([]);
  await reply(ben, newer.id, "one");
  await reply(ben, older.id, "two");
  await reply(cat, older.id, "three");
  const last = await reply(owner, older.id, "four");
  await expect.poll(async () => (await threads())[0]?.followed).toBe(true);
  expect(await threads()).toMatchObject([
    {
      id: older.id,
      channel_id: channel.id,
      title: null,
      root: { id: older.id, content: "older", author: { id: ann.user.id } },
      reply_count: 3,
      last_reply_at: last.created_at,
      participants: [actorOf(owner), actorOf(cat), actorOf(ben)],
      closed: false,
      created_by: actorOf(ann),
      // The author of the root follows from the first reply on.
      followed: true,
      unread_count: 3,
      mention_count: 0,
    },
    { id: newer.id, followed: false, unread_count: 0, reply_count: 1, created_by: actorOf(ben) },
  ]);
  expect(await idsOf("?limit=1")).toEqual([older.id]);
  expect(await idsOf(`?before=${older.id}`)).toEqual([newer.id]);
  expect(await idsOf("?followed=true")).toEqual([older.id]);
  expect(await idsOf("?followed=false")).toEqual([newer.id]);
  // Its last reply goes.
  await owner.delete(`/messages/${last.id}`);
  expect(await threads("?limit=1")).toMatchObject([{ id: older.id, reply_count: 2, unread_count: 2 }]);
  await ben.delete(`/messages/${newer.id}`);
  expect(await idsOf()).toEqual([older.id]);
});

test("threads of channels that one may not see are not listed, and of one channel only its own", async () => {
  const { ann, owner, server } = scene;
  const hidden = await createChannel(owner, server.id, { name: "hidden" });
  const root = await postMessage(owner, hidden.id, "secret");
  await reply(owner, root.id, "reply", hidden.id);
  expect(await idsOf(`?channel_id=${hidden.id}`)).toEqual([root.id]);
  await hideFrom(owner, hidden.id, ann);
  expect(await idsOf(`?channel_id=${hidden.id}`)).toEqual([]);
  expect(await idsOf()).not.toContain(root.id);
  expect((await ann.patch(`/threads/${root.id}`, { title: "mine" })).status).toBe(403);
  const stranger = await scene.client.register();
  expect((await stranger.get(`/servers/${server.id}/threads`)).status).toBe(404);
});

test("author and managers name and close a thread, and nobody else replies to a closed one", async () => {
  const { ann, ben, owner, channel } = scene;
  const root = await postMessage(ann, channel.id, "a question");
  const missing = { status: 404, body: error("Thread not found") };
  expect(await ann.patch(`/threads/${root.id}`, { title: "x" })).toMatchObject(missing);
  await reply(ben, root.id, "an answer");
  expect(await ben.patch(`/threads/${root.id}`, { title: "x" })).toMatchObject({
    status: 403,
    body: error("You cannot change this thread"),
  });
  const [v2, v1] = [scene.open(ben, 1), scene.open(ben, 0, 1)];
  await Promise.all([v2.ready, v1.ready]);
  const changed = (await ann.patch(`/threads/${root.id}`, { title: " The hall ", closed: true })).expect(200, Thread);
  expect(changed).toMatchObject({ id: root.id, title: "The hall", closed: true });
  const event = await v2.waitFor("THREAD_UPDATE", ({ id }) => id === root.id);
  const { followed, unread_count, mention_count, root: listed, ...same } = changed;
  expect([followed, unread_count, mention_count]).toEqual([true, expect.any(Number), 0]);
  expect(event).toEqual({ ...same, root: expect.objectContaining({ id: listed.id, content: "a question" }) });

  const path = `/channels/${channel.id}/messages/${root.id}/thread`;
  for (const by of [ben, ann])
    expect(await by.post(path, { content: "late" })).toMatchObject({
      status: 403,
      body: error("This thread is closed"),
    });
  await reply(owner, root.id, "a manager may");
  expect(await idsOf("?state=closed")).toEqual([root.id]);
  expect(await idsOf("?state=active")).not.toContain(root.id);
  expect((await owner.patch(`/threads/${root.id}`, { closed: false, title: null })).expect(200, Thread)).toMatchObject({
    title: null,
    closed: false,
  });
  await reply(ben, root.id, "open again");
  for (const body of [{ title: "x".repeat(101) }, { title: 5 }])
    expect(await ann.patch(`/threads/${root.id}`, body)).toMatchObject({
      status: 400,
      body: error("Title must be 1-100 characters"),
    });
  await v1.expectNone("THREAD_UPDATE");
});

test("a reply that names somebody lets them follow the thread, with that reply unread, and READY counts it until it is read", async () => {
  const { ann, ben, cat, channel, server } = scene;
  const root = await postMessage(ben, channel.id, "who comes?");
  const named = await reply(ben, root.id, `@${cat.user.username} do you?`);
  const follows = async () =>
    (await cat.get("/users/@me/notifications")).expect(200, NotificationSettings).threads[root.id]?.level;
  await expect.poll(follows).toBe("all");
  await reply(ben, root.id, "we begin at nine");
  await expect
    .poll(async () => (await threads("?followed=true", cat))[0])
    .toMatchObject({
      id: root.id,
      unread_count: 2,
      mention_count: 1,
    });
  const unreadOf = async (user: UserClient, version = 2) => {
    const ready = await scene.open(user, 1, version).ready;
    return ready.thread_unreads?.filter(({ thread_id }) => thread_id === root.id);
  };
  const entry = { thread_id: root.id, channel_id: channel.id };
  expect(await unreadOf(cat)).toEqual([{ ...entry, unread_count: 2, mention_count: 1 }]);
  expect(await unreadOf(cat, 1)).toBeUndefined();
  expect(await unreadOf(ann)).toEqual([]);

  const socket = scene.open(cat);
  await socket.ready;
  const inbox = async () => (await cat.get("/users/@me/inbox?kinds=thread")).expect(200, InboxPage);
  await expect.poll(async () => (await inbox()).items[0]).toMatchObject({ kind: "thread", read: false });
  expect((await cat.post(`/threads/${root.id}/ack`, { message_id: named.id })).status).toBe(204);
  const first = await socket.waitFor("READ_STATE_UPDATE", ({ thread_id }) => thread_id === root.id);
  expect(first).toEqual({
    ...entry,
    last_read_at: named.created_at,
    unread_count: 1,
    mention_count: 0,
  });
  expect((await cat.post(`/threads/${root.id}/ack`)).status).toBe(204);
  await socket.waitFor(
    "READ_STATE_UPDATE",
    ({ thread_id, unread_count }) => thread_id === root.id && unread_count === 0,
  );
  expect((await inbox()).items[0]).toMatchObject({ kind: "thread", read: true });
  expect(await unreadOf(cat)).toEqual([]);
  expect((await cat.post(`/threads/${named.id}/ack`)).status).toBe(404);
  expect(await cat.post(`/threads/${root.id}/ack`, { message_id: server.id })).toMatchObject({
    status: 404,
    body: error("Message not found"),
  });
});

test("the author of a root reads the first reply before the follow of its thread is stored", async () => {
  const { ann, ben, channel, stack } = scene;
  const root = await postMessage(ann, channel.id, "anybody?");
  const socket = scene.open(ann);
  await socket.ready;
  const database = await connectTo(stack);
  try {
    await database.query("BEGIN");
    // No process notes that a thread is to be followed.
    await database.query("LOCK TABLE inbox_changes IN SHARE MODE");
    await reply(ben, root.id, "me");
    expect((await ann.post(`/threads/${root.id}/ack`)).status).toBe(204);
    await database.query("COMMIT");
  } finally {
    await database.end();
  }
  const mark = await socket.waitFor("READ_STATE_UPDATE", ({ thread_id }) => thread_id === root.id);
  expect(mark).toMatchObject({ channel_id: channel.id, unread_count: 0 });
  expect((await threads("", ann)).find(({ id }) => id === root.id)).toMatchObject({ followed: true, unread_count: 0 });
});

test("who said nothing about a thread does not follow it, and following again begins anew", async () => {
  const { ann, ben, cat, channel } = scene;
  const root = await postMessage(ann, channel.id, "quiet please");
  const level = (value: string) => cat.patch("/users/@me/notifications", { threads: { [root.id]: { level: value } } });
  await level("nothing");
  await reply(ben, root.id, `@${cat.user.username} hear this`);
  const seen = async () => (await threads("", cat)).find(({ id }) => id === root.id);
  const newest = async () =>
    (await cat.get("/users/@me/inbox?limit=1")).expect(200, InboxPage).items[0]?.message?.content;
  await expect.poll(newest).toContain("hear this");
  expect(await seen()).toMatchObject({ followed: false, unread_count: 0 });
  await level("all");
  expect(await seen()).toMatchObject({ followed: true, unread_count: 0 });
  await reply(ben, root.id, "and this");
  expect(await seen()).toMatchObject({ followed: true, unread_count: 1 });
  await level("mentions");
  expect(await seen()).toMatchObject({ followed: true, unread_count: 1 });
});

test("malformed parameters are refused", async () => {
  const { ann, server } = scene;
  for (const [query, text] of [
    ["?state=open", "state must be active or closed"],
    ["?followed=1", "followed must be true or false"],
    ["?before=x", "Invalid before"],
    ["?channel_id=x", "Invalid channel_id"],
  ])
    expect(await ann.get(`/servers/${server.id}/threads${query}`)).toMatchObject({
      status: 400,
      body: error(text ?? ""),
    });
});
