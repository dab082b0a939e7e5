import { randomUUID } from "node:crypto";
import { errorBody as error, Message } from "@parley/contracts";
import { connectDatabase } from "@parley/database/prisma";
import { asEvent, createClient, listMessages, postMessage, type UserClient } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ChannelStage, expectForInsiders, expectNoEvent, startChannelStage } from "../stages/channel-stage.js";

let stage: ChannelStage;
let owner: UserClient;
let member: UserClient;

beforeAll(async () => {
  stage = await startChannelStage();
  ({ owner, member } = stage);
});

const pathOf = (rootId: string) => `/channels/${stage.channel.id}/messages/${rootId}/thread`;
const root = () => postMessage(owner, stage.channel.id, "root");
const reply = async (rootId: string, content: string) =>
  (await member.post(pathOf(rootId), { content })).expect(201, Message.strict());
const list = async (rootId: string, query = "") =>
  (await owner.get(`${pathOf(rootId)}${query}`)).expect(200, z.array(Message.strict()));

describe("a reply", () => {
  test("a reply is a whole message of its thread and reaches those who may view the channel, as a thread message only", async () => {
    const { id } = await root();
    const bare = createClient(stage.stack.edgeUrl, { authorization: `Bearer ${member.accessToken}` });
    await expectNoEvent(stage, "MESSAGE_UPDATE", async () => {
      const content = `  hi @${owner.username}  `;
      const answer = await bare.post(pathOf(id), { content, reply_to: randomUUID() });
      const message = answer.expect(201, Message.strict());
      expect(message).toMatchObject({
        channel_id: stage.channel.id,
        author_id: member.user.id,
        content,
        reply_to: null,
        thread_id: id,
        thread_reply_count: 0,
        mention_user_ids: [owner.user.id],
        deleted: false,
      });
      await expectForInsiders(stage, "THREAD_MESSAGE_CREATE", asEvent(message, stage.serverId, member));
      for (const socket of stage.insiders)
        await socket.expectNone("MESSAGE_CREATE", (other) => other.id === message.id);
      const one = await owner.get(`/channels/${stage.channel.id}/messages/${message.id}`);
      expect(one.expect(200, Message.strict())).toEqual(message);
    });
  });

  test("a reply is counted at its root, absent from the channel, edited and deleted like a message", async () => {
    const { id } = await root();
    const [first, second] = [await reply(id, "one"), await reply(id, "two")];
    const seen = await listMessages(owner, stage.channel.id);
    expect(seen.find((message) => message.id === id)?.thread_reply_count).toBe(2);
    expect(seen.some(({ thread_id }) => thread_id !== null)).toBe(false);
    const edited = await member.patch(`/messages/${first.id}`, { content: "uno" });
    await expectForInsiders(
      stage,
      "MESSAGE_UPDATE",
      asEvent(edited.expect(200, Message.strict()), stage.serverId, member),
    );
    expect((await member.delete(`/messages/${second.id}`)).status).toBe(204);
    await expectForInsiders(stage, "MESSAGE_DELETE", { id: second.id, channel_id: stage.channel.id });
    expect((await list(id)).map(({ content }) => content)).toEqual(["uno"]);
    expect((await listMessages(owner, stage.channel.id)).find((message) => message.id === id)?.thread_reply_count).toBe(
      1,
    );
  });

  test("written by many at once is counted exactly", async () => {
    const roots = await Promise.all([root(), root(), root()]);
    await Promise.all(roots.flatMap(({ id }) => Array.from({ length: 8 }, (_, index) => reply(id, `reply ${index}`))));
    const seen = await listMessages(owner, stage.channel.id);
    for (const { id } of roots) {
      expect(seen.find((message) => message.id === id)?.thread_reply_count).toBe(8);
      expect(await list(id)).toHaveLength(8);
    }
  });
});

describe("a thread's pages", () => {
  test("go forward, with either name of the cursor, also past a reply deleted since", async () => {
    const { id } = await root();
    const replies = [];
    for (const content of ["a", "b", "c", "d", "e"]) replies.push(await reply(id, content));
    expect(await list(id)).toEqual(replies);
    const contents = async (query: string) => (await list(id, query)).map(({ content }) => content).join("");
    expect(await contents("?limit=2")).toBe("ab");
    expect(await contents(`?limit=2&after=${replies[1]?.id}`)).toBe("cd");
    expect(await contents(`?limit=2&before=${replies[3]?.id}`)).toBe("e");
    expect(await contents(`?after=${replies[4]?.id}`)).toBe("");
    await member.delete(`/messages/${replies[1]?.id}`);
    expect(await contents(`?after=${replies[1]?.id?.toUpperCase()}`)).toBe("cde");
    expect(await contents(`?after=${replies[0]?.id}&before=${replies[3]?.id}`)).toBe("cde");
    expect(await contents("?limit=0")).toBe("a");
    expect(await contents("?limit=1000")).toBe("acde");
  });

  test("a thread's pages are empty after a cursor of another thread or none at all", async () => {
    const [{ id }, other] = [await root(), await root()];
    await reply(id, "here");
    const elsewhere = await reply(other.id, "there");
    for (const cursor of [elsewhere.id, id, randomUUID()]) expect(await list(id, `?after=${cursor}`)).toEqual([]);
  });

  test.each([
    ["limit=x", "limit must be an integer"],
    ["limit=1.5", "limit must be an integer"],
    ["after=x", "Invalid after"],
    ["before=x", "Invalid before"],
  ])("the pages of a thread refuse %s", async (query, text) => {
    const answer = await owner.get(`${pathOf(randomUUID())}?${query}`);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });
});

describe("a thread is refused", () => {
  test("below messages that are missing, deleted or of another channel", async () => {
    const deleted = await root();
    await reply(deleted.id, "hidden with its root");
    await owner.delete(`/messages/${deleted.id}`);
    const elsewhere = await postMessage(owner, stage.openChannel.id, "elsewhere");
    for (const id of [randomUUID(), deleted.id, elsewhere.id]) {
      for (const answer of [await member.get(pathOf(id)), await member.post(pathOf(id), { content: "x" })]) {
        expect([answer.status, answer.body]).toEqual([404, error("Message not found")]);
      }
    }
  });

  test("a thread below a thread reply is refused", async () => {
    const { id } = await reply((await root()).id, "reply");
    const answer = await member.post(pathOf(id), { content: "deeper" });
    expect([answer.status, answer.body]).toEqual([400, error("Cannot create a thread from a thread reply")]);
    expect(await list(id)).toEqual([]);
  });

  test.each([
    ["no content", {}],
    ["an empty text", { content: "" }],
    ["white space", { content: " \n" }],
    ["a number", { content: 5 }],
    ["4001 characters", { content: "x".repeat(4001) }],
  ])("a thread with %s is refused", async (_, body) => {
    const answer = await member.post(pathOf(randomUUID()), body);
    expect([answer.status, answer.body]).toEqual([400, error("Message content must be 1-4000 characters")]);
  });

  test("a thread is refused to those without the rights, before anything is said about the root", async () => {
    const answers = [];
    for (const user of [stage.stranger, stage.hidden, stage.silenced]) {
      const { status, body } = await user.post(pathOf(randomUUID()), { content: "x" });
      answers.push([status, body]);
    }
    expect(answers).toEqual([
      [404, error("Channel not found")],
      [403, error("You don't have permission to view this channel")],
      [403, error("You don't have permission to send messages in this channel")],
    ]);
    const { id } = await root();
    expect((await stage.stranger.get(pathOf(id))).body).toEqual(error("Channel not found"));
    expect((await stage.hidden.get(pathOf(id))).status).toBe(403);
    expect((await stage.silenced.get(pathOf(id))).status).toBe(200);
  });

  test("a thread is refused to a member who is timed out", async () => {
    const { id } = await root();
    const logger = { info() {}, warn() {}, error() {} };
    const database = await connectDatabase({
      url: stage.stack.databaseUrl,
      poolMax: 1,
      applicationName: "test",
      logger,
    });
    const key = { server_id: stage.serverId, user_id: member.user.id };
    const expires_at = new Date(Date.now() + 60_000);
    await database.prisma.timeout.create({ data: { ...key, expires_at, created_by: owner.user.id } });
    const answer = await member.post(pathOf(id), { content: "x" });
    const poll = await member.post(`/channels/${stage.channel.id}/polls`, { question: "?", options: ["a", "b"] });
    await database.prisma.timeout.deleteMany({ where: key });
    await database.close();
    expect([answer.status, answer.body]).toEqual([403, error("User is timed out")]);
    expect([poll.status, poll.body]).toEqual([403, error("User is timed out")]);
  });
});
