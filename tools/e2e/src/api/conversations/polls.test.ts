import { randomUUID } from "node:crypto";
import { errorBody as error, InboxPage, Message, Poll } from "@parley/contracts";
import { asEvent, createClient, listMessages, type UserClient } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ChannelStage, expectForInsiders, passBarrier, startChannelStage } from "../stages/channel-stage.js";
import { createConnections } from "../stages/connection-stage.js";

let stage: ChannelStage;
let owner: UserClient;
let member: UserClient;
let sql: pg.Client;

beforeAll(async () => {
  stage = await startChannelStage();
  ({ owner, member } = stage);
  sql = new pg.Client({ connectionString: stage.stack.databaseUrl });
  await sql.connect();
});
afterAll(() => sql?.end());

const path = () => `/channels/${stage.channel.id}/polls`;
const createPoll = async (question = "Tea?", options: readonly string[] = ["yes", "no", "later"]) => {
  const message = (await member.post(path(), { question, options })).expect(201, Message.strict());
  if (message.poll === null) throw new Error("The message has no poll.");
  const [first, second] = message.poll.options;
  if (first === undefined || second === undefined) throw new Error("Options are missing.");
  return { message, poll: message.poll, first, second };
};
const vote = async (user: UserClient, pollId: string, optionId: string) =>
  (await user.post(`/polls/${pollId}/vote`, { option_id: optionId })).expect(200, Poll.strict());
const read = async (user: UserClient, pollId: string) =>
  (await user.get(`/polls/${pollId}`)).expect(200, Poll.strict());

describe("a poll", () => {
  test("a poll is a message that reaches those who may view the channel, with nobody's vote", async () => {
    const bare = createClient(stage.stack.edgeUrl, { authorization: `Bearer ${member.accessToken}` });
    const body = { question: `  Chess @${owner.username} ?  `, options: [" b ", "a", "b"] };
    const message = (await bare.post(path(), body)).expect(201, Message.strict());
    const question = `Chess @${owner.username} ?`;
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(message).toEqual({
      id,
      channel_id: stage.channel.id,
      author_id: member.user.id,
      content: `📊 Poll: ${question}`,
      reply_to: null,
      mention_user_ids: [owner.user.id],
      mention_everyone: false,
      thread_id: null,
      thread_reply_count: 0,
      edited_at: null,
      deleted: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      pinned: false,
      pinned_by: null,
      pinned_at: null,
      poll: {
        id,
        question,
        options: ["b", "a", "b"].map((text) => ({ id, text, votes: 0 })),
        total_votes: 0,
        user_vote: null,
      },
      event: null,
    });
    await expectForInsiders(stage, "MESSAGE_CREATE", asEvent(message, stage.serverId, member));
    expect((await listMessages(owner, stage.channel.id))[0]).toEqual(message);
    expect(await read(owner, message.poll?.id ?? "")).toEqual(message.poll);
  });

  test("a poll takes the longest question and ten of the longest options", async () => {
    const { poll, message } = await createPoll("😀".repeat(500), Array<string>(10).fill("ü".repeat(200)));
    expect(poll.options).toHaveLength(10);
    expect(message.content).toBe(`📊 Poll: ${"😀".repeat(500)}`);
  });

  test("a poll keeps its own options among many that are stored with messages at the same moment", async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    const sent = await Promise.all(
      numbers.map(async (number) => {
        const content = `Beside poll ${number}`;
        (await member.post(`/channels/${stage.channel.id}/messages`, { content })).expect(201, Message.strict());
        return (await createPoll(`Poll ${number}?`, [`a ${number}`, `b ${number}`])).message;
      }),
    );
    for (const [number, message] of sent.entries()) {
      expect(message.poll?.options.map(({ text }) => text)).toEqual([`a ${number}`, `b ${number}`]);
      expect(await read(owner, message.poll?.id ?? "")).toEqual(message.poll);
    }
    const history = await listMessages(owner, stage.channel.id);
    for (const message of sent) expect(history.find(({ id }) => id === message.id)).toEqual(message);
  });

  test("may quote anything, also what stands for an id or a time while the event is put together", async () => {
    const quotes = ["00000000-0000-0000-0000-000000000000", "0000-00-00T00:00:00.000Z"];
    const { message } = await createPoll(quotes.join(" "), quotes);
    expect(message.content).toBe(`📊 Poll: ${quotes.join(" ")}`);
    expect(message.poll?.options.map(({ text }) => text)).toEqual(quotes);
    await expectForInsiders(stage, "MESSAGE_CREATE", asEvent(message, stage.serverId, member));
    expect((await listMessages(owner, stage.channel.id))[0]).toEqual(message);
  });

  test.each([
    ["no question", { options: ["a", "b"] }, "Question must be 1-500 characters"],
    ["a blank question", { question: "  ", options: ["a", "b"] }, "Question must be 1-500 characters"],
    ["a long question", { question: "x".repeat(501), options: ["a", "b"] }, "Question must be 1-500 characters"],
    ["NUL", { question: "q\u0000", options: ["a", "b"] }, "Question must be 1-500 characters"],
    ["no options", { question: "q" }, "Polls require 2 to 10 options"],
    ["options in a text", { question: "q", options: "ab" }, "Polls require 2 to 10 options"],
    ["one option", { question: "q", options: ["a"] }, "Polls require 2 to 10 options"],
    ["eleven options", { question: "q", options: Array<string>(11).fill("a") }, "Polls require 2 to 10 options"],
    ["a blank option", { question: "q", options: ["a", " "] }, "Each option must be 1-200 characters"],
    ["a number as option", { question: "q", options: ["a", 1] }, "Each option must be 1-200 characters"],
    ["a long option", { question: "q", options: ["a", "x".repeat(201)] }, "Each option must be 1-200 characters"],
  ])("a poll is refused with %s", async (_, body, text) => {
    const answer = await member.post(path(), body);
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });

  test("a poll is refused to those without the rights", async () => {
    const answers = [];
    for (const user of [stage.stranger, stage.hidden, stage.silenced]) {
      const { status, body } = await user.post(path(), { question: "q", options: ["a", "b"] });
      answers.push([status, body]);
    }
    expect(answers).toEqual([
      [404, error("Channel not found")],
      [403, error("You don't have permission to view this channel")],
      [403, error("You don't have permission to send messages in this channel")],
    ]);
  });
});

describe("a vote", () => {
  test("a vote replaces the earlier one and is seen by its voter only", async () => {
    const { poll, first, second } = await createPoll();
    await vote(member, poll.id, first.id);
    const answer = await vote(member, poll.id, second.id.toUpperCase());
    expect(answer).toMatchObject({ total_votes: 1, user_vote: second.id });
    expect(answer.options.map(({ votes }) => votes)).toEqual([0, 1, 0]);
    expect(await vote(owner, poll.id, second.id)).toMatchObject({ total_votes: 2, user_vote: second.id });
    expect(await read(stage.silenced, poll.id)).toMatchObject({ total_votes: 2, user_vote: null });
    expect((await vote(stage.silenced, poll.id, first.id)).total_votes).toBe(3);
    const [message] = await listMessages(member, stage.channel.id);
    expect(message?.poll).toEqual(await read(member, poll.id));
    expect(message?.poll?.user_vote).toBe(second.id);
  });

  test("a vote reaches those who may view the channel, each with their own vote", async () => {
    const { message, poll, first, second } = await createPoll();
    await vote(owner, poll.id, second.id);
    const after = await vote(member, poll.id, first.id);
    await passBarrier(stage);
    for (const [index, socket] of stage.insiders.entries()) {
      const own = index < 2 ? second.id : first.id;
      const received = socket.events.filter(
        ({ name, payload }) => name === "POLL_VOTE" && Object(payload).poll_id === poll.id,
      );
      expect(received).toHaveLength(2);
      expect(received[1]?.payload).toEqual({
        poll_id: poll.id,
        channel_id: stage.channel.id,
        message_id: message.id,
        updated_poll: { ...after, user_vote: own },
      });
    }
    for (const socket of stage.outsiders) await socket.expectNone("POLL_VOTE");
  });

  test("cast twice at once counts once", async () => {
    const { poll, first, second } = await createPoll();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => vote(member, poll.id, index % 2 === 0 ? first.id : second.id)),
    );
    for (const { total_votes, options, user_vote } of answers) {
      expect(total_votes).toBe(1);
      expect(options.filter(({ votes }) => votes === 1).map(({ id }) => id)).toEqual([user_vote]);
    }
    expect((await read(owner, poll.id)).total_votes).toBe(1);
  });

  test("a vote of several at once is never lost from a total", async () => {
    const { poll, first, second } = await createPoll();
    const answers = await Promise.all([
      vote(owner, poll.id, first.id),
      vote(member, poll.id, second.id),
      vote(stage.silenced, poll.id, first.id),
    ]);
    expect(answers.map(({ total_votes }) => total_votes).sort()).toEqual([1, 2, 3]);
    expect((await read(owner, poll.id)).options.map(({ votes }) => votes)).toEqual([2, 1, 0]);
  });

  test("a vote is refused for options that the poll does not have", async () => {
    const { poll } = await createPoll();
    const other = await createPoll();
    for (const option_id of [other.first.id, randomUUID(), "x", 5, undefined]) {
      const answer = await member.post(`/polls/${poll.id}/vote`, { option_id });
      expect([answer.status, answer.body]).toEqual([400, error("Invalid option_id")]);
    }
    expect((await read(member, poll.id)).total_votes).toBe(0);
  });
});

describe("a poll with several choices and an end", () => {
  const createLater = async (body: Record<string, unknown>) => {
    const options = ["mon", "tue", "wed"];
    const message = (await member.post(path(), { question: "Which days?", options, ...body })).expect(
      201,
      Message.strict(),
    );
    if (message.poll === null) throw new Error("The message has no poll.");
    return { message, poll: message.poll, ids: message.poll.options.map(({ id }) => id) };
  };
  const choose = (user: UserClient, pollId: string, option_ids: readonly unknown[]) =>
    user.post(`/polls/${pollId}/vote`, { option_ids });
  const counts = ({ options }: Poll) => options.map(({ votes }) => votes);

  test("voters choose as many options as it allows, and the last choices count", async () => {
    const { message, poll, ids } = await createLater({ multiple: 2 });
    expect(poll).toMatchObject({ multiple: 2, user_vote: null, user_votes: [], total_votes: 0 });
    expect(poll).not.toHaveProperty("ended");
    const [mon = "", tue = "", wed = ""] = ids;
    const first = (await choose(owner, poll.id, [mon, tue])).expect(200, Poll.strict());
    expect(first).toMatchObject({ user_vote: mon, user_votes: [mon, tue], total_votes: 1 });
    const after = (await choose(member, poll.id, [wed, tue])).expect(200, Poll.strict());
    expect([counts(after), after.total_votes]).toEqual([[1, 2, 1], 2]);
    await passBarrier(stage);
    for (const [index, socket] of stage.insiders.entries()) {
      const own = index < 2 ? [mon, tue] : [wed, tue];
      const events = socket.events.filter((event) => event.name === "POLL_VOTE");
      expect(events.at(-1)?.payload).toMatchObject({
        updated_poll: { ...after, user_vote: own[0], user_votes: own },
      });
    }
    const replaced = (await owner.post(`/polls/${poll.id}/vote`, { option_id: wed })).expect(200, Poll.strict());
    expect([counts(replaced), replaced.user_votes]).toEqual([[0, 1, 2], [wed]]);
    for (const chosen of [[mon, tue, wed], [mon, randomUUID()], ["x"], []])
      expect(await choose(owner, poll.id, chosen)).toMatchObject({ status: 400, body: error("Invalid option_ids") });
    const back = (await owner.delete(`/polls/${poll.id}/vote`)).expect(200, Poll.strict());
    expect([counts(back), back.user_vote, back.user_votes, back.total_votes]).toEqual([[0, 1, 1], null, [], 1]);
    expect((await listMessages(owner, stage.channel.id)).find(({ id }) => id === message.id)?.poll).toEqual(back);
  });

  test("a poll ends once: those in the channel and its author's inbox learn it, and nobody votes any more", async () => {
    const { message, poll, ids } = await createLater({ ends_in_minutes: 5 });
    expect(poll).toMatchObject({ ended: false, ends_at: expect.any(String), user_votes: [] });
    await choose(owner, poll.id, [ids[0]]);
    const connections = createConnections(stage.stack);
    const newer = await connections.open(owner.accessToken, 1, "v=2");
    await sql.query("UPDATE polls SET ends_at = now(), end_due_at = now() WHERE id = $1", [poll.id]);
    const ended = await newer.waitFor("POLL_END");
    const { options } = await read(owner, poll.id);
    expect(ended).toEqual({
      ...{ poll_id: poll.id, channel_id: stage.channel.id, message_id: message.id },
      updated_poll: { ...(await read(owner, poll.id)), ended: true, user_vote: ids[0], user_votes: [ids[0]], options },
    });
    for (const answer of [await choose(member, poll.id, [ids[1]]), await owner.delete(`/polls/${poll.id}/vote`)])
      expect(answer).toMatchObject({ status: 409, body: error("This poll has ended") });
    const { items } = (await member.get("/users/@me/inbox?kinds=poll")).expect(200, InboxPage);
    expect(items).toMatchObject([
      { kind: "poll", by: null, channel_id: stage.channel.id, message: { id: message.id } },
    ]);
    connections.closeAll();
  });

  test("the author alone ends a poll, also one without an end, before its time", async () => {
    const { poll, first } = await createPoll();
    await vote(owner, poll.id, first.id);
    expect(await owner.post(`/polls/${poll.id}/end`)).toMatchObject({
      status: 403,
      body: error("You can only end your own polls"),
    });
    const connections = createConnections(stage.stack);
    const newer = await connections.open(owner.accessToken, 1, "v=2");
    const ended = (await member.post(`/polls/${poll.id}/end`)).expect(200, Poll.strict());
    expect(ended).toMatchObject({ ended: true, user_vote: null, total_votes: 1 });
    expect(await newer.waitFor("POLL_END")).toMatchObject({ poll_id: poll.id, updated_poll: { user_vote: first.id } });
    for (const answer of [await choose(owner, poll.id, [first.id]), await member.post(`/polls/${poll.id}/end`)])
      expect(answer).toMatchObject({ status: 409, body: error("This poll has ended") });
    connections.closeAll();
  });

  test.each([
    [{ multiple: 0 }, "multiple must be 1-10"],
    [{ multiple: 11 }, "multiple must be 1-10"],
    [{ multiple: "2" }, "multiple must be 1-10"],
    [{ ends_in_minutes: 4 }, "ends_in_minutes must be 5-43200"],
    [{ ends_in_minutes: 43_201 }, "ends_in_minutes must be 5-43200"],
  ])("%j is refused", async (body, text) => {
    const answer = await member.post(path(), { question: "q", options: ["a", "b"], ...body });
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });
});

test("polls that are missing, deleted or out of reach are refused", async () => {
  const { message, poll, first } = await createPoll();
  const expectRefused = async (user: UserClient, pollId: string, expected: readonly [number, unknown]) => {
    for (const answer of [
      await user.get(`/polls/${pollId}`),
      await user.post(`/polls/${pollId}/vote`, { option_id: first.id }),
    ]) {
      expect([answer.status, answer.body]).toEqual(expected);
    }
  };
  await expectRefused(member, randomUUID(), [404, error("Poll not found")]);
  await expectRefused(stage.stranger, poll.id, [404, error("Poll not found")]);
  await expectRefused(stage.hidden, poll.id, [403, error("You don't have permission to view this channel")]);
  expect((await member.get("/polls/x")).body).toEqual(error("Invalid identifier"));
  await member.delete(`/messages/${message.id}`);
  await expectRefused(member, poll.id, [404, error("Poll not found")]);
  const deleted = await member.get(`/channels/${stage.channel.id}/messages/${message.id}`);
  expect(deleted.expect(200, Message.strict()).poll).toBeNull();
});

test("an edited poll message keeps its poll, each reader's own vote in it", async () => {
  const { message, poll, first } = await createPoll();
  const voted = await vote(member, poll.id, first.id);
  const answer = await member.patch(`/messages/${message.id}`, { content: "renamed" });
  expect(answer.expect(200, Message.strict())).toMatchObject({ content: "renamed", poll: voted });
  await passBarrier(stage);
  for (const [index, socket] of stage.insiders.entries()) {
    const update = await socket.waitFor("MESSAGE_UPDATE", ({ id }) => id === message.id);
    expect(update.poll).toEqual({ ...voted, user_vote: index < 2 ? null : first.id });
  }
});
