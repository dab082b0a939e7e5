import { randomUUID } from "node:crypto";
import { DmChannel, DmMessage, errorBody as error } from "@parley/contracts";
import {
  asAuthor,
  connectGateway,
  createClient,
  createServerWithMembers,
  type GatewayClient,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let client: RestClient;
let ann: UserClient;
let bob: UserClient;
let eve: UserClient;
const sockets: GatewayClient[] = [];

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
  ann = await client.register({ email: `${randomUUID()}@example.com` });
  [bob, eve] = [await client.register(), await client.register()];
});
afterAll(async () => {
  for (const socket of sockets) socket.terminate();
});

/** A connection on each gateway. */
async function connect(user: UserClient): Promise<GatewayClient[]> {
  const own = stack.gateways.map(({ url }) => connectGateway(url, user.accessToken));
  sockets.push(...own);
  await Promise.all(own.map(({ ready }) => ready));
  return own;
}
const openWith = async (user: UserClient, other: UserClient, status = 201) =>
  (await user.post("/dm-channels", { user_id: other.user.id })).expect(status, DmChannel.strict());
const send = async (user: UserClient, channelId: string, content: string) =>
  (await user.post(`/dm-channels/${channelId}/messages`, { content })).expect(201, DmMessage.strict());
const channelsOf = async (user: UserClient) =>
  (await user.get("/dm-channels")).expect(200, z.array(DmChannel.strict()));
const history = async (user: UserClient, channelId: string, query = "") =>
  (await user.get(`/dm-channels/${channelId}/messages${query}`)).expect(200, z.array(DmMessage.strict()));
/** Nothing addressed to the user before is still under way. */
async function passBarrier(user: UserClient, own: readonly GatewayClient[]) {
  const message = await send(user, (await openWith(user, await client.register())).id, "barrier");
  await Promise.all(own.map((socket) => socket.waitFor("DM_MESSAGE_CREATE", ({ id }) => id === message.id)));
}

describe("opening a direct-message channel", () => {
  test("opening a direct-message channel notifies both participants, each of the other, and masks private fields", async () => {
    const [forAnn, forBob, forEve] = [await connect(ann), await connect(bob), await connect(eve)];
    const channel = await openWith(ann, bob);
    expect(channel).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      recipient: { ...bob.user, status: expect.any(String) },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      last_message_at: null,
    });
    const masked = { ...ann.user, email: null, status: expect.any(String) };
    for (const socket of forAnn) expect(await socket.waitFor("DM_CHANNEL_CREATE")).toEqual(channel);
    for (const socket of forBob) {
      expect(await socket.waitFor("DM_CHANNEL_CREATE")).toEqual({ ...channel, recipient: masked });
    }
    expect(await openWith(ann, bob, 200)).toEqual(channel);
    expect(await openWith(bob, ann, 200)).toEqual({ ...channel, recipient: masked });
    await passBarrier(eve, forEve);
    for (const socket of forEve) await socket.expectNone("DM_CHANNEL_CREATE", ({ id }) => id === channel.id);
    for (const socket of [...forAnn, ...forBob]) {
      expect(socket.events.filter(({ name }) => name === "DM_CHANNEL_CREATE")).toHaveLength(1);
    }
  });

  test("opening a direct-message channel by both at once, many times, makes one channel and announces it once", async () => {
    const [one, two] = [await client.register(), await client.register()];
    const own = await connect(one);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0
          ? one.post("/dm-channels", { user_id: two.user.id })
          : two.post("/dm-channels", { user_id: one.user.id }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 201]);
    const ids = new Set(answers.map((answer) => answer.expect(answer.status, DmChannel).id));
    expect(ids.size).toBe(1);
    await passBarrier(one, own);
    for (const socket of own) {
      const announced = socket.events.filter(({ payload }) => ids.has(Object(payload).id));
      expect(announced.map(({ name }) => name)).toEqual(["DM_CHANNEL_CREATE"]);
    }
  });

  test("opening a direct-message channel is refused with oneself, with nobody and with what is no id", async () => {
    for (const [user_id, status, text] of [
      [ann.user.id.toUpperCase(), 400, "Cannot open a DM channel with yourself"],
      [randomUUID(), 404, "User not found"],
      ["x", 400, "Invalid user_id"],
      [undefined, 400, "Invalid user_id"],
    ] as const) {
      const answer = await ann.post("/dm-channels", { user_id });
      expect([answer.status, answer.body]).toEqual([status, error(text)]);
    }
  });
});

describe("a direct message", () => {
  test("a direct message reaches every connection of both participants and nobody else", async () => {
    const { id: channelId } = await openWith(bob, eve);
    const [forBob, forEve, forAnn] = [await connect(bob), await connect(eve), await connect(ann)];
    const content = "  hi\n00000000-0000-0000-0000-000000000000 0000-00-00T00:00:00.000Z @everyone  ";
    const bare = createClient(stack.edgeUrl, { authorization: `Bearer ${bob.accessToken}` });
    const answer = await bare.post(`/dm-channels/${channelId}/messages`, { content });
    const message = answer.expect(201, DmMessage.strict());
    expect(message).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}$/),
      channel_id: channelId,
      author_id: bob.user.id,
      content,
      edited_at: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    for (const socket of [...forBob, ...forEve]) {
      expect(await socket.waitFor("DM_MESSAGE_CREATE", ({ id }) => id === message.id)).toEqual({
        ...message,
        author: asAuthor(bob),
      });
    }
    expect(await history(eve, channelId)).toEqual([message]);
    await passBarrier(ann, forAnn);
    for (const socket of forAnn) await socket.expectNone("DM_MESSAGE_CREATE", ({ id }) => id === message.id);
  });

  test("a direct message moves its channel to the top, also when many are sent at once", async () => {
    const { register } = client;
    const [me, one, two, three] = await Promise.all([register(), register(), register(), register()]);
    const first = await openWith(me, one);
    const second = await openWith(two, me);
    const third = await openWith(me, three);
    expect((await channelsOf(me)).map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
    await send(me, second.id, "a");
    await send(one, first.id, "b");
    const listed = await channelsOf(me);
    expect(listed.map(({ id }) => id)).toEqual([first.id, second.id, third.id]);
    expect(listed.map(({ recipient }) => recipient.id)).toEqual([one.user.id, two.user.id, three.user.id]);
    const sent = await Promise.all(
      Array.from({ length: 12 }, (_, index) => send(index % 2 ? me : two, second.id, "c")),
    );
    const [top] = await channelsOf(me);
    expect(top?.id).toBe(second.id);
    expect(top?.last_message_at).toBe(
      sent
        .map(({ created_at }) => created_at)
        .sort()
        .at(-1),
    );
    const newest = await history(me, second.id, "?limit=100");
    expect(newest).toHaveLength(13);
    expect(newest.map(({ id }) => id)).toEqual(
      newest
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
  });

  test("a direct message is found again page by page", async () => {
    const [me, you] = [await client.register(), await client.register()];
    const { id } = await openWith(me, you);
    const sent = [];
    for (const content of ["a", "b", "c", "d", "e"]) sent.push(await send(me, id, content));
    const contents = async (query: string) => (await history(you, id, query)).map(({ content }) => content).join("");
    expect(await contents("")).toBe("edcba");
    expect(await contents("?limit=2")).toBe("ed");
    expect(await contents(`?limit=2&before=${sent[3]?.id}`)).toBe("cb");
    expect(await contents(`?limit=2&since=${sent[1]?.created_at}`)).toBe("cb");
    expect(await contents(`?since=${new Date(Date.parse(sent[4]?.created_at ?? "") + 1).toISOString()}`)).toBe("");
    expect((await eve.get(`/dm-channels/${id}/messages?since=${sent[1]?.created_at}`)).status).toBe(404);
    expect(await contents("?limit=0")).toBe("e");
    expect(await contents("?limit=1000")).toBe("edcba");
    const elsewhere = await send(me, (await openWith(me, eve)).id, "elsewhere");
    for (const before of [elsewhere.id, randomUUID()]) expect(await contents(`?before=${before}`)).toBe("");
    for (const [query, text] of [
      ["limit=x", "limit must be an integer"],
      ["before=x", "Invalid before"],
      ["since=x", "Invalid since"],
    ]) {
      const answer = await me.get(`/dm-channels/${id}/messages?${query}`);
      expect([answer.status, answer.body]).toEqual([400, error(text ?? "")]);
    }
  });

  test.each([
    ["no content", {}],
    ["white space", { content: " " }],
    ["4001 characters", { content: "x".repeat(4001) }],
    ["half a character", { content: "\ud800" }],
    ["null", { content: null }],
  ])("a direct message of %s is refused", async (_, body) => {
    const answer = await ann.post(`/dm-channels/${randomUUID()}/messages`, body);
    expect([answer.status, answer.body]).toEqual([400, error("Message content must be 1-4000 characters")]);
  });

  test("a direct message is out of reach under the addresses of messages and channels", async () => {
    const { owner, channel } = await createServerWithMembers(client, 0);
    const dm = await openWith(owner, ann);
    const { id } = await send(owner, dm.id, "direct");
    await postMessage(owner, channel.id, "public");
    const answers = [
      await owner.patch(`/messages/${id}`, { content: "x" }),
      await owner.delete(`/messages/${id}`),
      await owner.get(`/channels/${channel.id}/messages/${id}`),
      await owner.put(`/channels/${channel.id}/messages/${id}/reactions/❌`),
      await owner.post(`/channels/${channel.id}/messages/${id}/thread`, { content: "x" }),
    ];
    for (const { status, body } of answers) expect([status, body]).toEqual([404, error("Message not found")]);
    const asChannel = await owner.post(`/channels/${dm.id}/messages`, { content: "x" });
    expect([asChannel.status, asChannel.body]).toEqual([404, error("Channel not found")]);
  });
});

test("only participants may read, write and acknowledge a channel", async () => {
  const [me, you] = [await client.register(), await client.register()];
  const { id } = await openWith(me, you);
  for (const [user, channelId] of [
    [eve, id],
    [me, randomUUID()],
  ] as const) {
    for (const answer of [
      await user.get(`/dm-channels/${channelId}/messages`),
      await user.post(`/dm-channels/${channelId}/messages`, { content: "x" }),
      await user.post(`/dm-channels/${channelId}/ack`),
    ]) {
      expect([answer.status, answer.body]).toEqual([404, error("DM channel not found")]);
    }
  }
  expect((await me.post("/dm-channels/x/ack")).body).toEqual(error("Invalid identifier"));
});

test("an acknowledged channel counts only messages that the other sends afterwards", async () => {
  const [me, you] = [await client.register(), await client.register()];
  const { id } = await openWith(me, you);
  const unread = async () => {
    const [socket] = await connect(me);
    return (await socket?.ready)?.unread_counts;
  };
  await send(you, id, "one");
  await send(you, id, "two");
  await send(me, id, "mine");
  expect(await unread()).toEqual([{ channel_id: id, unread_count: 2 }]);
  const answer = await me.post(`/dm-channels/${id}/ack`, {});
  expect([answer.status, answer.body]).toEqual([204, undefined]);
  expect(await unread()).toEqual([]);
  await send(you, id, "three");
  await me.post(`/dm-channels/${id}/ack`);
  await send(you, id, "four");
  expect(await unread()).toEqual([{ channel_id: id, unread_count: 1 }]);
});
