import { randomUUID } from "node:crypto";
import {
  DetailedMessage,
  DmChannel,
  DmMessage,
  type EventName,
  Message,
  SentDmMessage,
  SentMessage,
} from "@parley/contracts";
import {
  asAuthor,
  connectGateway,
  createClient,
  createServerWithMembers,
  type GatewayClient,
  joinServer,
  postMessage,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
  type Users,
  waitUntil,
} from "@parley/testing";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { createBotClient, runSql } from "../../stages/admin-stage.js";
import { pngPixel } from "../../stages/sample-files.js";
import { formOf } from "../../stages/upload-stage.js";
import { receiverOfTest } from "../../stages/webhook-receiver.js";
import { createWebhook } from "../../stages/webhook-stage.js";

const avatar_url = 'https://example.com/ann.png?","server_id":"x"';

let stack: SharedStack;
let client: RestClient;
let fixture: ServerFixture<Users<2>>;
let ann: UserClient;
let bob: UserClient;
/** The member with a nickname and a picture as an author. */
let authorAnn: Record<string, unknown>;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl, { prefix: "/api" });
});
beforeEach(async () => {
  fixture = await createServerWithMembers(client, 2);
  [ann, bob] = fixture.members;
  const nickname = 'Ann "the rook"';
  const membership = [ann.user.id, fixture.server.id];
  await runSql(stack.databaseUrl, "UPDATE members SET nickname = $3 WHERE user_id = $1 AND server_id = $2", [
    ...membership,
    nickname,
  ]);
  await ann.patch("/users/@me", { avatar_url });
  authorAnn = { ...asAuthor(ann), nickname, avatar_url };
});

/** The user's connections: to each gateway one as ever, and one with the whole stream of changes. */
async function listen(user: UserClient): Promise<GatewayClient[]> {
  const versions = stack.gateways.flatMap(({ url }) => ["", "&v=2"].map((version) => ({ url, version })));
  const opened = versions.map(({ url, version }) =>
    connectGateway(url, user.accessToken, { query: `token=${user.accessToken}${version}` }),
  );
  await Promise.all(opened.map(({ ready }) => ready));
  return opened;
}

const channelPath = () => `/channels/${fixture.channel.id}`;

describe("the event of a message", () => {
  test("says on every connection where it is and who wrote it, and neither the answer nor a webhook does", async () => {
    const receiver = await receiverOfTest();
    await createWebhook(fixture.owner, fixture.server.id, { url: receiver.url });
    const sockets = await listen(bob);
    const root = await postMessage(bob, fixture.channel.id, "root");
    const bodies: string[] = [
      `{"event":"message.created","server_id":"${fixture.server.id}","data":${JSON.stringify(root)}}`,
    ];
    const { user_id: botId, client: bot } = await createBotClient(fixture.owner);
    await joinServer(bot, fixture.server.id);
    const botName = (await bob.get(`/users/${botId}`)).expect(200, z.object({ username: z.string() })).username;
    const authorBot = { id: botId, username: botName, nickname: null, avatar_url: null, is_bot: true };

    const expectEvent = async (name: EventName, type: string, answer: SentMessage | Message, author: unknown) => {
      const { nonce, ...message } = { nonce: undefined, ...answer };
      const expected = { ...message, server_id: fixture.server.id, author, ...(nonce === undefined ? {} : { nonce }) };
      for (const socket of sockets) {
        const find = () =>
          socket.events.find((event) => event.name === name && Object(event.payload).id === answer.id)?.payload;
        const payload = await waitUntil(find, { what: `${name} on every connection` });
        expect(payload).toEqual(expected);
      }
      bodies.push(`{"event":"${type}","server_id":"${fixture.server.id}","data":${JSON.stringify(message)}}`);
    };
    const created = async (name: EventName, by: RestClient, path: string, body: object, author: unknown) => {
      const sent = (await by.post(`${channelPath()}${path}`, body)).expect(201, SentMessage.strict());
      await expectEvent(name, "message.created", sent, author);
      return sent;
    };

    const content = 'hi ","server_id":"x","author":null,"nonce":"x"';
    const plain = await created("MESSAGE_CREATE", ann, "/messages", { content }, authorAnn);
    await created("MESSAGE_CREATE", ann, "/messages", { content: "again", nonce: randomUUID() }, authorAnn);
    await created("MESSAGE_CREATE", bot, "/messages", { content: "beep" }, authorBot);
    await created("THREAD_MESSAGE_CREATE", ann, `/messages/${root.id}/thread`, { content: "reply" }, authorAnn);
    const poll = await created(
      "MESSAGE_CREATE",
      ann,
      "/polls",
      { question: "Tea?", options: ["yes", "no"] },
      authorAnn,
    );
    const starts_at = new Date(Date.now() + 3_600_000).toISOString();
    await created("MESSAGE_CREATE", ann, "/events", { name: "Blitz", starts_at }, authorAnn);
    const form = formOf([{ name: "pixel.png", bytes: pngPixel }]);
    form.set("payload_json", JSON.stringify({ content: "look", nonce: randomUUID() }));
    const pictured = await ann.send("POST", `${channelPath()}/messages`, { body: form });
    await expectEvent("MESSAGE_CREATE", "message.created", pictured.expect(201, SentMessage.strict()), authorAnn);
    for (const { id } of [plain, poll]) {
      const edited = (await ann.patch(`/messages/${id}`, { content: "edited" })).expect(200, Message.strict());
      await expectEvent("MESSAGE_UPDATE", "message.updated", edited, authorAnn);
    }
    const received = (await receiver.waitFor(bodies.length)).map(({ body }) => body.toString());
    expect(received.toSorted()).toEqual(bodies.toSorted());
  });

  test("says who wrote a direct message, to both on every connection, and the answer does not", async () => {
    const { id } = (await ann.post("/dm-channels", { user_id: bob.user.id })).expect(201, DmChannel);
    const sockets = [...(await listen(ann)), ...(await listen(bob))];
    for (const nonce of [undefined, randomUUID()]) {
      const answer = await ann.post(`/dm-channels/${id}/messages`, { content: "psst", nonce });
      const sent = answer.expect(201, SentDmMessage.strict());
      const { nonce: _last, ...message } = sent;
      const expected = { ...message, author: { ...authorAnn, nickname: null }, nonce };
      for (const socket of sockets) {
        const find = () => socket.events.find(({ payload }) => Object(payload).id === sent.id)?.payload;
        expect(await waitUntil(find)).toEqual(expected);
      }
    }
  });
});

test("include=author says of every message where it is and who wrote it, wherever messages are read", async () => {
  const { server, channel, owner } = fixture;
  const root = await postMessage(ann, channel.id, "root");
  const leaver = await client.register();
  await joinServer(leaver, server.id);
  const byLeaver = await postMessage(leaver, channel.id, "gone soon");
  await leaver.delete(`/servers/${server.id}/leave`);
  const deleted = await postMessage(bob, channel.id, "deleted");
  await bob.delete(`/messages/${deleted.id}`);
  const byNobody = await postMessage(owner, channel.id, "nobody's");
  await runSql(stack.databaseUrl, "UPDATE messages SET author_id = NULL WHERE id = $1", [byNobody.id]);
  await bob.post(`${channelPath()}/messages/${root.id}/thread`, { content: "reply" });
  for (const { id } of [root, byLeaver]) await owner.post(`${channelPath()}/messages/${id}/pin`);

  const history = [
    [byNobody.id, server.id, null],
    [byLeaver.id, server.id, asAuthor(leaver)],
    [root.id, server.id, authorAnn],
  ];
  const read = async (path: string, include: string) => {
    const list = [(await owner.get(`${path}?include=${include}`)).body].flat();
    return z.array(DetailedMessage.strict()).parse(list);
  };
  const messages = `${channelPath()}/messages`;
  for (const include of ["author", "reactions,author", "author,attachments,reactions"]) {
    const shown = async (path: string) =>
      (await read(path, include)).map(({ id, server_id, author }) => [id, server_id, author]);
    expect(await shown(messages)).toEqual(history);
    expect(await shown(`${channelPath()}/pinned-messages`)).toEqual([history[1], history[2]]);
    expect((await shown(`${messages}/${root.id}/thread`)).map(([, ...keys]) => keys)).toEqual([
      [server.id, asAuthor(bob)],
    ]);
    expect(await shown(`${messages}/${root.id}`)).toEqual([history[2]]);
    expect(await shown(`${messages}/${deleted.id}`)).toEqual([[deleted.id, server.id, asAuthor(bob)]]);
    for (const message of await read(messages, include)) {
      expect(["reactions", "attachments"].filter((key) => key in message)).toEqual(
        ["reactions", "attachments"].filter((key) => include.includes(key)),
      );
    }
  }
  for (const path of [messages, `${messages}/${root.id}`, `${messages}/${root.id}/thread`]) {
    for (const message of await read(path, "reactions")) {
      expect(["server_id" in message, "author" in message]).toEqual([false, false]);
    }
  }

  const { id } = (await ann.post("/dm-channels", { user_id: bob.user.id })).expect(201, DmChannel);
  for (const user of [ann, bob]) await user.post(`/dm-channels/${id}/messages`, { content: "psst" });
  const direct = async (query: string) =>
    (await bob.get(`/dm-channels/${id}/messages${query}`)).expect(200, z.array(DmMessage.strict()));
  expect((await direct("?include=author&limit=2")).map(({ author }) => author)).toEqual([
    asAuthor(bob),
    { ...authorAnn, nickname: null },
  ]);
  for (const query of ["", "?include=reactions"]) {
    for (const message of await direct(query)) expect("author" in message).toBe(false);
  }
  expect((await bob.get(`/dm-channels/${id}/messages?include=votes`)).status).toBe(400);
});
