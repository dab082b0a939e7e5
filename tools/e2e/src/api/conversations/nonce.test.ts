import { randomUUID } from "node:crypto";
import { errorBody as error, Message, SentDmMessage, SentMessage } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database/prisma";
import {
  type Answer,
  asAuthor,
  connectGateway,
  createChannel,
  createClient,
  createServerWithMembers,
  type EquippedStack,
  type GatewayClient,
  listMessages,
  postMessage,
  type RestClient,
  type ServerFixture,
  sharedStack,
  type UserClient,
  type Users,
  waitUntil,
} from "@parley/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createGuardedServer } from "../stages/automod-stage.js";
import { deny } from "../stages/channel-stage.js";
import { startReceiver } from "../stages/webhook-receiver.js";
import { createWebhook } from "../stages/webhook-stage.js";
import { nonceEndpoints } from "./nonce-endpoints.js";

let stack: EquippedStack;
let database: Database;
let client: RestClient;
let fixture: ServerFixture<Users<1>>;
let author: UserClient;
/** The author at one api and at the other. */
let first: RestClient;
let second: RestClient;
const sockets: GatewayClient[] = [];
const silent = { info() {}, warn() {}, error() {} };

beforeAll(async () => {
  stack = await sharedStack();
  database = await connectDatabase({ url: stack.databaseUrl, poolMax: 2, applicationName: "test", logger: silent });
  client = createClient(stack.edgeUrl);
});
beforeEach(async () => {
  fixture = await createServerWithMembers(client, 1);
  const [member] = fixture.members;
  author = member;
  [first, second] = [through(0, author), through(1, author)];
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});
afterAll(async () => {
  await database?.close();
});

function through(api: 0 | 1, user: UserClient, prefix: "" | "/api" = ""): RestClient {
  return createClient(stack.apis[api]?.url ?? "", { prefix, authorization: `Bearer ${user.accessToken}` });
}

/** A connection of the user to each gateway. */
async function listen(user: UserClient): Promise<GatewayClient[]> {
  const opened = stack.gateways.map(({ url }) => connectGateway(url, user.accessToken));
  sockets.push(...opened);
  await Promise.all(opened.map(({ ready }) => ready));
  return opened;
}

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted();
const send = (by: RestClient, fields: object, channelId = fixture.channel.id) =>
  by.post(`/channels/${channelId}/messages`, fields);
const createEvents = ["MESSAGE_CREATE", "THREAD_MESSAGE_CREATE", "DM_MESSAGE_CREATE"];
const created = (socket: GatewayClient) => socket.events.filter(({ name }) => createEvents.includes(name));
const without = (sent: object) => ({ ...sent, nonce: undefined });

describe.each(Object.entries(nonceEndpoints))("%s that is sent twice", (kind, prepare) => {
  test("a request that is sent twice at once to two apis is stored once; one answers 201, the other one 200", async () => {
    const { path, body } = await prepare({ fixture, author });
    const listeners = [...(await listen(fixture.owner)), ...(await listen(author))];
    const marks = listeners.map(created).map(({ length }) => length);
    for (const prefix of ["", "/api"] as const) {
      const nonce = randomUUID();
      const requests = [0, 1, 0, 1].map((api) =>
        through(api === 0 ? 0 : 1, author, prefix).post(path, { ...body, nonce }),
      );
      const answers = await Promise.all(requests);
      expect(statuses(answers)).toEqual([200, 200, 200, 201]);
      const [sent] = answers.map((answer) => answer.body);
      for (const answer of answers) expect(answer.body).toEqual(sent);
      expect(sent).toMatchObject({ nonce, author_id: author.user.id });
      const again = await second.post(path, { ...body, nonce });
      expect([again.status, again.body]).toEqual([200, sent]);
    }
    // The next message proves that no other event was on its way.
    const last = await first.post(path, body);
    expect([last.status, Object(last.body).nonce]).toEqual([201, undefined]);
    for (const [index, socket] of listeners.entries()) {
      const news = () => created(socket).slice(marks[index]);
      await waitUntil(() => news().some(({ payload }) => Object(payload).id === Object(last.body).id));
      expect(news()).toHaveLength(3);
      expect(news().map(({ payload }) => typeof Object(payload).nonce)).toEqual(["string", "string", "undefined"]);
    }
  });

  test("shows its nonce in the answer and in the create event, and never in the history", async () => {
    const { path, body } = await prepare({ fixture, author });
    const listeners = await listen(fixture.owner);
    const nonce = ` ${"😀".repeat(62)}"`;
    const Sent = z.union([SentDmMessage.strict(), SentMessage.strict()]);
    const sent = (await first.post(path, { ...body, nonce })).expect(201, Sent);
    expect(sent.nonce).toBe(nonce);
    for (const socket of listeners) {
      const arrived = () => created(socket).find(({ payload }) => Object(payload).id === sent.id);
      const place = kind === "a direct message" ? {} : { server_id: fixture.server.id };
      expect((await waitUntil(arrived)).payload).toEqual({ ...sent, ...place, author: asAuthor(author) });
    }
    const history = await author.get(path.replace("polls", "messages"));
    const [listed] = history.expect(200, z.array(z.looseObject({ id: z.string() }))).filter(({ id }) => id === sent.id);
    expect(listed).toEqual(without(sent));
  });

  test("a request with an invalid nonce is refused, and null is none", async () => {
    const { path, body } = await prepare({ fixture, author });
    const text = "nonce must be 1-64 characters";
    for (const nonce of ["", "x".repeat(65), 7, {}, "\u0000", "\ud800"]) {
      const answer = await first.post(path, { ...body, nonce });
      expect([answer.status, answer.body]).toEqual([400, error(text)]);
    }
    expect(statuses([await first.post(path, { ...body, nonce: null })])).toEqual([201]);
    expect(statuses([await first.post(path, { ...body, nonce: null })])).toEqual([201]);
    expect(statuses([await first.post(path, { ...body, nonce: "a" })])).toEqual([201]);
    expect(statuses([await first.post(path, { ...body, nonce: " a" })])).toEqual([201]);
  });
});

describe("a nonce", () => {
  test("a nonce finds the message whatever the endpoint, and only the author's own in the same channel", async () => {
    const { owner, channel, server } = fixture;
    const root = await postMessage(owner, channel.id, "root");
    const poll = { question: "e4?", options: ["yes", "no"], nonce: "n" };
    const sent = (await first.post(`/channels/${channel.id}/polls`, poll)).expect(201, SentMessage);
    for (const repetition of [
      await send(second, { content: "hello", nonce: "n" }),
      await second.post(`/channels/${channel.id}/messages/${root.id}/thread`, { content: "hello", nonce: "n" }),
    ]) {
      expect(repetition.expect(200, SentMessage)).toEqual(sent);
    }
    expect((await send(owner, { content: "mine", nonce: "n" })).status).toBe(201);
    const other = await createChannel(owner, server.id);
    expect((await send(first, { content: "there", nonce: "n" }, other.id)).status).toBe(201);
    expect(await listMessages(author, channel.id)).toHaveLength(3);
  });

  test("a nonce answers with the message as it is now: edited, voted, then deleted", async () => {
    const listeners = await listen(fixture.owner);
    const poll = { question: "e4?", options: ["yes", "no"], nonce: "n" };
    const sent = (await first.post(`/channels/${fixture.channel.id}/polls`, poll)).expect(201, SentMessage);
    await author.patch(`/messages/${sent.id}`, { content: "edited" });
    await author.post(`/polls/${sent.poll?.id}/vote`, { option_id: sent.poll?.options[0]?.id });
    const now = (await author.get(`/channels/${fixture.channel.id}/messages/${sent.id}`)).expect(200, Message.strict());
    const repetition = await send(second, { content: "hello", nonce: "n" });
    expect([repetition.status, repetition.body]).toEqual([200, { ...now, nonce: "n" }]);
    expect(now).toMatchObject({ content: "edited", poll: { user_vote: sent.poll?.options[0]?.id } });
    for (const socket of listeners) {
      expect(await socket.waitFor("MESSAGE_UPDATE")).not.toHaveProperty("nonce");
      expect(await socket.waitFor("POLL_VOTE")).not.toHaveProperty("nonce");
    }
    expect((await author.delete(`/messages/${sent.id}`)).status).toBe(204);
    const blank = (await send(second, { content: "hello", nonce: "n" })).expect(200, SentMessage);
    expect(blank).toMatchObject({ id: sent.id, content: "", deleted: true, nonce: "n" });
    expect(await listMessages(author, fixture.channel.id)).toEqual([]);
  });

  test("a nonce is delivered to webhooks neither with the creation nor with an update, and delivered once", async () => {
    const receiver = await startReceiver();
    try {
      await createWebhook(fixture.owner, fixture.server.id, { url: receiver.url });
      const nonce = ',"nonce":"x"}';
      const requests = [first, second].map((by) => send(by, { content: `,"nonce":"`, nonce }));
      const [sent] = (await Promise.all(requests)).map(({ body }) => SentMessage.parse(body));
      if (sent === undefined) throw new Error("nothing was sent");
      await send(second, { content: "again", nonce });
      const edited = (await author.patch(`/messages/${sent.id}`, { content: "edited" })).expect(200, Message.strict());
      const bodies = (await receiver.waitFor(2)).map(({ body }) => JSON.parse(body.toString()));
      const ofServer = { server_id: fixture.server.id };
      expect(bodies.toSorted((one, other) => one.event.localeCompare(other.event))).toEqual([
        { event: "message.created", ...ofServer, data: without(sent) },
        { event: "message.updated", ...ofServer, data: edited },
      ]);
      expect(bodies.map(({ data }) => "nonce" in data)).toEqual([false, false]);
    } finally {
      await receiver.close();
    }
  });

  test("a nonce is looked at after the rights, and not used up by a request that is refused", async () => {
    const { owner, channel } = fixture;
    const path = `/channels/${channel.id}/messages`;
    const refusals = [
      await send(first, { content: "", nonce: "n" }),
      await send(first, { content: "x", reply_to: randomUUID(), nonce: "n" }),
      await first.post(`${path}/${randomUUID()}/thread`, { content: "x", nonce: "n" }),
    ];
    expect(statuses(refusals)).toEqual([400, 404, 404]);
    await deny(owner, channel.id, { userId: author.user.id, permissions: ["SEND_MESSAGES"] });
    expect((await send(first, { content: "x", nonce: "n" })).status).toBe(403);
    await deny(owner, channel.id, { userId: author.user.id, permissions: [] });
    expect((await send(first, { content: "x", nonce: "n" })).status).toBe(201);
    expect((await send(first, { content: "", nonce: "n" })).status).toBe(400);
    await deny(owner, channel.id, { userId: author.user.id, permissions: ["SEND_MESSAGES"] });
    const refused = await send(second, { content: "x", nonce: "n" });
    expect([refused.status, refused.body]).toEqual([
      403,
      error("You don't have permission to send messages in this channel"),
    ]);
  });

  test("a nonce is forgotten after 24 hours", async () => {
    const age = (hours: number) =>
      database.prisma.messageNonce.updateMany({
        where: { author_id: author.user.id },
        data: { created_at: new Date(Date.now() - hours * 3_600_000) },
      });
    const old = (await send(first, { content: "x", nonce: "n" })).expect(201, SentMessage);
    await age(23.9);
    expect((await send(second, { content: "x", nonce: "n" })).expect(200, SentMessage).id).toBe(old.id);
    await age(24.1);
    const fresh = (await send(second, { content: "x", nonce: "n" })).expect(201, SentMessage);
    expect((await send(first, { content: "x", nonce: "n" })).expect(200, SentMessage).id).toBe(fresh.id);
  });
});

describe("in a server with auto-moderation", () => {
  test.each([
    ["duplicate", { duplicate_enabled: true, duplicate_action: "timeout" }],
    ["spam", { spam_enabled: true, spam_max_messages: 2, spam_window_secs: 60 }],
  ])("a repetition is not judged by the rule %s, however the requests meet", async (_, settings) => {
    const guarded = await createGuardedServer(client, settings);
    const [one, other] = [through(0, guarded.author), through(1, guarded.author)];
    const body = { content: "hello", nonce: "n" };
    const requests = [one, other, one, other].map((by) => send(by, body, guarded.channel.id));
    expect(statuses(await Promise.all(requests))).toEqual([200, 200, 200, 201]);
    for (const by of [one, other]) expect((await send(by, body, guarded.channel.id)).status).toBe(200);
    expect((await send(one, { content: "another" }, guarded.channel.id)).expect(201, Message).deleted).toBe(false);
    expect(await guarded.logs()).toEqual([]);
  });

  test("a message that a rule refuses does not use its nonce up", async () => {
    const guarded = await createGuardedServer(client, { word_filter_enabled: true }, ["zugzwang"]);
    const by = through(0, guarded.author);
    expect((await send(by, { content: "zugzwang", nonce: "n" }, guarded.channel.id)).status).toBe(403);
    expect((await send(by, { content: "fork", nonce: "n" }, guarded.channel.id)).status).toBe(201);
    const repetition = await send(by, { content: "zugzwang", nonce: "n" }, guarded.channel.id);
    expect(repetition.expect(200, SentMessage).content).toBe("fork");
  });
});
