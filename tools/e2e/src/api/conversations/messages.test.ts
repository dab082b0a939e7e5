import { randomUUID } from "node:crypto";
import { errorBody as error, Message } from "@parley/contracts";
import {
  createChannel,
  createClient,
  createServerWithMembers,
  listMessages,
  postMessage,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
  type Users,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

let stack: SharedStack;
let client: RestClient;
let stranger: UserClient;
let fixture: ServerFixture<Users<2>>;
let owner: UserClient;
let member: UserClient;

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  stranger = await client.register();
  fixture = await createServerWithMembers(client, 2);
  owner = fixture.owner;
  const [first] = fixture.members;
  member = first;
});

const messagesOf = (channelId: string) => `/channels/${channelId}/messages`;

describe("sending a message", () => {
  test("sending a message answers with the whole message, content as sent", async () => {
    const content = "  padded\n\t<b> ünïcödé 😀 00000000-0000-0000-0000-000000000000 0000-00-00T00:00:00.000Z  ";
    const answer = await member.post(messagesOf(fixture.channel.id), { content, unknown: 1 });
    const message = answer.expect(201, Message.strict());
    expect(message).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/),
      channel_id: fixture.channel.id,
      author_id: member.user.id,
      content,
      reply_to: null,
      mention_user_ids: [],
      mention_everyone: false,
      thread_id: null,
      thread_reply_count: 0,
      edited_at: null,
      deleted: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      pinned: false,
      pinned_by: null,
      pinned_at: null,
      poll: null,
      event: null,
    });
    expect((await owner.get(`${messagesOf(fixture.channel.id)}/${message.id}`)).body).toEqual(message);
  });

  test.each([
    [{}],
    [{ content: "" }],
    [{ content: " \n\t " }],
    [{ content: "\u0085" }],
    [{ content: "x".repeat(4001) }],
    [{ content: 7 }],
    [{ content: "a\u0000" }],
    [{ content: "\ud800" }],
  ])("a message with %j is refused", async (body) => {
    const answer = await member.post(messagesOf(fixture.channel.id), body);
    expect([answer.status, answer.body]).toEqual([400, error("Message content must be 1-4000 characters")]);
  });

  test("sending a message takes 4000 code points, and a zero-width space as content", async () => {
    await postMessage(member, fixture.channel.id, "😀".repeat(4000));
    await postMessage(member, fixture.channel.id, "\u200b");
  });

  test("sending a message resolves mentions of members only, in order of first mention", async () => {
    const content = `@${member.username}, @${owner.username}! @${stranger.username} @everyone @${member.username}`;
    const message = await postMessage(member, fixture.channel.id, content);
    expect(message.mention_user_ids).toEqual([member.user.id, owner.user.id]);
    expect(message.mention_everyone).toBe(true);
  });

  test("a mention is one beside any sign, and none in code or in an address", async () => {
    const name = member.username;
    const { id } = fixture.channel;
    for (const content of [
      `(@${name})`,
      `**@${name}**`,
      `@${name}さん`,
      `@${name}'s`,
      `[@${name}](/x)`,
      `@${name}- x`,
    ]) {
      expect((await postMessage(owner, id, content)).mention_user_ids, content).toEqual([member.user.id]);
    }
    const log = "```\n@everyone\n```";
    for (const content of [`\`a @${name}\``, log, `    @${name}`, `https://x.example/?@${name}`, `a@${name}`]) {
      expect(await postMessage(owner, id, content), content).toMatchObject({
        mention_user_ids: [],
        mention_everyone: false,
      });
    }
    const { body } = await owner.patch(`/messages/${(await postMessage(owner, id, `@${name}`)).id}`, { content: log });
    expect(body).toMatchObject({ mention_user_ids: [], mention_everyone: false });
  });

  test("a reply needs an undeleted message of the same channel", async () => {
    const target = await postMessage(owner, fixture.channel.id, "question");
    const reply = await member.post(messagesOf(fixture.channel.id), { content: "answer", reply_to: target.id });
    expect(reply.expect(201, Message).reply_to).toBe(target.id);
    const elsewhere = await createChannel(owner, fixture.server.id);
    const foreign = await postMessage(owner, elsewhere.id, "other channel");
    const deleted = await postMessage(owner, fixture.channel.id, "soon gone");
    await owner.delete(`/messages/${deleted.id}`);
    for (const reply_to of [foreign.id, deleted.id, randomUUID()]) {
      const answer = await member.post(messagesOf(fixture.channel.id), { content: "answer", reply_to });
      expect([answer.status, answer.body]).toEqual([404, error("Reply target message not found")]);
    }
    const malformed = await member.post(messagesOf(fixture.channel.id), { content: "answer", reply_to: "x" });
    expect(malformed.status).toBe(400);
  });

  test("many at once are all stored, each once", async () => {
    const channel = await createChannel(owner, fixture.server.id);
    const sent = await Promise.all(
      Array.from({ length: 100 }, (_, number) => postMessage(number % 2 ? member : owner, channel.id, `m${number}`)),
    );
    const listed = (await owner.get(`${messagesOf(channel.id)}?limit=100`)).expect(200, z.array(Message));
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(sent.map(({ id }) => id)));
    expect(new Set(listed.map(({ content }) => content)).size).toBe(100);
  });

  test("a channel deleted in the middle of many sends fails with 404, and only its own messages", async () => {
    const [doomed, kept] = [
      await createChannel(owner, fixture.server.id),
      await createChannel(owner, fixture.server.id),
    ];
    const sends = Array.from({ length: 40 }, (_, number) =>
      owner.post(messagesOf(number % 2 ? doomed.id : kept.id), { content: `m${number}` }),
    );
    const removal = owner.delete(`/channels/${doomed.id}`);
    const answers = await Promise.all(sends);
    expect((await removal).status).toBe(204);
    for (const [number, { status }] of answers.entries()) expect(number % 2 ? [201, 404] : [201]).toContain(status);
  });

  test("strangers find no channel to send a message to", async () => {
    for (const request of [
      stranger.post(messagesOf(fixture.channel.id), { content: "hi" }),
      stranger.get(messagesOf(fixture.channel.id)),
      owner.get(messagesOf(randomUUID())),
      stranger.post(`/channels/${fixture.channel.id}/ack`),
    ]) {
      const answer = await request;
      expect([answer.status, answer.body]).toEqual([404, error("Channel not found")]);
    }
  });
});

describe("the history of a channel", () => {
  test("pages from the newest to the oldest without skipping or repeating", async () => {
    const channel = await createChannel(owner, fixture.server.id);
    const sent: string[] = [];
    for (let number = 0; number < 7; number += 1) sent.push((await postMessage(owner, channel.id, `m${number}`)).id);
    await owner.delete(`/messages/${sent[3]}`);
    const expected = sent.filter((_, index) => index !== 3).reverse();
    const collected: string[] = [];
    for (let before = ""; ; ) {
      const page = (await owner.get(`${messagesOf(channel.id)}?limit=2${before}`)).expect(200, z.array(Message));
      collected.push(...page.map(({ id }) => id));
      if (page.length < 2) break;
      before = `&before=${page.at(-1)?.id}`;
    }
    expect(collected).toEqual(expected);
    const fromDeleted = await owner.get(`${messagesOf(channel.id)}?before=${sent[3]}`);
    expect(fromDeleted.expect(200, z.array(Message)).map(({ id }) => id)).toEqual(expected.slice(3));
  });

  test("pages from a message to the newest, also when it was deleted", async () => {
    const channel = await createChannel(owner, fixture.server.id);
    const sent: string[] = [];
    for (let number = 0; number < 7; number += 1) sent.push((await postMessage(owner, channel.id, `m${number}`)).id);
    await owner.delete(`/messages/${sent[2]}`);
    const idsAfter = async (id: string | undefined) =>
      (await owner.get(`${messagesOf(channel.id)}?limit=2&after=${id}`))
        .expect(200, z.array(Message))
        .map(({ id }) => id);
    expect(await idsAfter(sent[1])).toEqual([sent[4], sent[3]]);
    expect(await idsAfter(sent[2])).toEqual([sent[4], sent[3]]);
    expect(await idsAfter(sent[4])).toEqual([sent[6], sent[5]]);
    expect(await idsAfter(sent[6])).toEqual([]);
    expect(await idsAfter(randomUUID())).toEqual([]);
    const both = await owner.get(`${messagesOf(channel.id)}?before=${sent[1]}&after=${sent[1]}`);
    expect([both.status, both.body]).toEqual([400, error("Only one of before and after may be given")]);
  });

  test("pages from an instant on, whether something was sent then or not", async () => {
    const channel = await createChannel(owner, fixture.server.id);
    const sent: Message[] = [];
    for (let number = 0; number < 5; number += 1) sent.push(await postMessage(owner, channel.id, `m${number}`));
    const [first, second, third, fourth] = sent;
    const root = await owner.post(`${messagesOf(channel.id)}/${first?.id}/thread`, { content: "in a thread" });
    await owner.delete(`/messages/${second?.id}`);
    const path = messagesOf(channel.id);
    const idsSince = async (since: string, query = "") =>
      (await member.get(`${path}?since=${encodeURIComponent(since)}${query}`))
        .expect(200, z.array(Message))
        .map(({ id }) => id);
    const at = (message: Message | undefined) => message?.created_at ?? "";
    const withOffset = at(third).replace("Z", "+00:00");
    expect(await idsSince(at(second), "&limit=1")).toEqual([third?.id]);
    expect(await idsSince(withOffset, "&limit=2")).toEqual([fourth?.id, third?.id]);
    expect(await idsSince("0001-01-01T00:00:00Z", "&limit=1")).toEqual([first?.id]);
    expect(await idsSince(at(root.expect(201, Message)))).toEqual([]);
    for (const [query, text] of [
      ["since=yesterday", "Invalid since"],
      ["since=2026-01-02", "Invalid since"],
      [`since=${at(third)}&before=${third?.id}`, "since cannot be given with before or after"],
      [`since=${at(third)}&after=${third?.id}`, "since cannot be given with before or after"],
    ]) {
      const answer = await owner.get(`${path}?${query}`);
      expect([answer.status, answer.body]).toEqual([400, error(text ?? "")]);
    }
    const strangers = await stranger.get(`${path}?since=${at(third)}`);
    expect([strangers.status, strangers.body]).toEqual([404, error("Channel not found")]);
  });

  test("the history of a channel clamps the limit, refuses a non-integer, and knows no foreign cursor", async () => {
    const path = messagesOf(fixture.channel.id);
    const foreign = await postMessage(owner, (await createChannel(owner, fixture.server.id)).id, "x");
    expect((await owner.get(`${path}?limit=0`)).expect(200, z.array(Message))).toHaveLength(1);
    expect((await owner.get(`${path}?limit=100000`)).status).toBe(200);
    expect((await owner.get(`${path}?limit=ten`)).status).toBe(400);
    expect((await owner.get(`${path}?limit=1.5`)).status).toBe(400);
    expect((await owner.get(`${path}?before=nonsense`)).status).toBe(400);
    expect((await owner.get(`${path}?before=${randomUUID()}`)).body).toEqual([]);
    expect((await owner.get(`${path}?before=${foreign.id}`)).body).toEqual([]);
  });
});

describe("editing and deleting", () => {
  test("an edit replaces content and mentions and sets edited_at, even when nothing changes", async () => {
    const message = await postMessage(member, fixture.channel.id, "hello");
    const edited = (await member.patch(`/messages/${message.id}`, { content: `@${owner.username}` })).expect(
      200,
      Message.strict(),
    );
    expect(edited).toEqual({
      ...message,
      content: `@${owner.username}`,
      mention_user_ids: [owner.user.id],
      edited_at: expect.stringMatching(/Z$/),
    });
    const path = `/channels/${fixture.channel.id}/messages/${message.id}`;
    const again = (await member.patch(path, { content: edited.content })).expect(200, Message);
    expect((again.edited_at ?? "") >= (edited.edited_at ?? "")).toBe(true);
  });

  test("only the author edits a message; the author and members who may manage messages delete it", async () => {
    const [, other] = fixture.members;
    const message = await postMessage(member, fixture.channel.id, "mine");
    const edit = await owner.patch(`/messages/${message.id}`, { content: "yours" });
    expect([edit.status, edit.body]).toEqual([403, error("Only the message author can edit it")]);
    const removal = await other?.delete(`/messages/${message.id}`);
    expect([removal?.status, removal?.body]).toEqual([403, error("You cannot delete this message")]);
    expect((await owner.delete(`/messages/${message.id}`)).status).toBe(204);
  });

  test("a deleted message is gone from lists, blank when asked for, and cannot be touched again", async () => {
    const message = await postMessage(member, fixture.channel.id, `secret @${owner.username}`);
    expect((await member.delete(`/channels/${fixture.channel.id}/messages/${message.id}`)).status).toBe(204);
    expect((await listMessages(owner, fixture.channel.id)).map(({ id }) => id)).not.toContain(message.id);
    const single = await owner.get(`${messagesOf(fixture.channel.id)}/${message.id}`);
    expect(single.expect(200, Message)).toEqual({ ...message, deleted: true, content: "", mention_user_ids: [] });
    for (const request of [
      member.delete(`/messages/${message.id}`),
      member.patch(`/messages/${message.id}`, { content: "back" }),
      member.patch(`/messages/${randomUUID()}`, { content: "x" }),
      stranger.patch(`/messages/${message.id}`, { content: "x" }),
    ]) {
      const answer = await request;
      expect([answer.status, answer.body]).toEqual([404, error("Message not found")]);
    }
  });

  test("a message under another channel's path is not found", async () => {
    const message = await postMessage(member, fixture.channel.id, "here");
    const other = await createChannel(owner, fixture.server.id);
    const path = `${messagesOf(other.id)}/${message.id}`;
    for (const request of [owner.get(path), member.patch(path, { content: "x" }), member.delete(path)]) {
      const answer = await request;
      expect([answer.status, answer.body]).toEqual([404, error("Message not found")]);
    }
  });

  test("acknowledging a channel answers 204", async () => {
    expect((await member.post(`/channels/${fixture.channel.id}/ack`)).status).toBe(204);
    expect((await member.post(`/api/channels/${fixture.channel.id}/ack`)).status).toBe(204);
  });
});
