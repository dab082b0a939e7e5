import { randomUUID } from "node:crypto";
import { errorBody as error, ListedEvent, Message } from "@parley/contracts";
import { asEvent, createClient, listMessages, type UserClient } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createGuardedServer, filtered, repeated, timedOut, type Verdict } from "../stages/automod-stage.js";
import { type ChannelStage, deny, expectForInsiders, passBarrier, startChannelStage } from "../stages/channel-stage.js";

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const nameText = "Event name must be 1-200 characters";
const descriptionText = "Event description must be at most 2000 characters";
const timeText = "starts_at must be a timestamp in the future";

let stage: ChannelStage;
let owner: UserClient;
let member: UserClient;

beforeAll(async () => {
  stage = await startChannelStage();
  ({ owner, member } = stage);
});

const path = () => `/channels/${stage.channel.id}/events`;
async function schedule(fields: Record<string, unknown> = {}, channelId = stage.channel.id) {
  const body = { name: "Blitz", starts_at: inHours(1), ...fields };
  const message = (await member.post(`/channels/${channelId}/events`, body)).expect(201, Message.strict());
  if (message.event === null) throw new Error("The message has no event.");
  return { message, event: message.event };
}
const coming = async (user: UserClient, serverId = stage.serverId) =>
  (await user.get(`/servers/${serverId}/events`)).expect(200, z.array(ListedEvent.strict()));

describe("a scheduled event", () => {
  test("a scheduled event is a message that reaches those who may view the channel, the same wherever it is read", async () => {
    const starts_at = inHours(48);
    const body = { name: `  Final @${owner.username} ?  `, description: "Bring a clock.\n", starts_at };
    const message = (await member.post(path(), body)).expect(201, Message.strict());
    const name = `Final @${owner.username} ?`;
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const event = { id, name, description: body.description, starts_at, created_by: member.user.id, created_at: time };
    expect(message).toMatchObject({ content: `📅 ${name}`, mention_user_ids: [owner.user.id], poll: null, event });
    await expectForInsiders(stage, "MESSAGE_CREATE", asEvent(message, stage.serverId, member));
    expect((await listMessages(owner, stage.channel.id))[0]).toEqual(message);
    const one = `/channels/${stage.channel.id}/messages/${message.id}`;
    expect((await owner.get(one)).expect(200, Message.strict())).toEqual(message);
    expect((await owner.post(`${one}/pin`)).status).toBe(204);
    const pins = await owner.get(`/channels/${stage.channel.id}/pinned-messages`);
    expect(pins.expect(200, z.array(Message.strict()))[0]?.event).toEqual(message.event);
  });

  test.each([
    ["an offset", "2999-01-02T03:04:05+02:00", "2999-01-02T01:04:05.000Z"],
    ["the last instant that a timestamp can say", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
    ["one beyond it in UTC", "9999-12-31T23:59:59.999-01:00", "9999-12-31T23:59:59.999Z"],
  ])("may start at a time with %s", async (_, starts_at, expected) => {
    const { event } = await schedule({ starts_at, description: "" });
    expect([event.starts_at, event.description]).toEqual([expected, null]);
  });

  test("a scheduled event takes the longest name and description, and quotes anything", async () => {
    const { message, event } = await schedule({ name: "😀".repeat(200), description: "ü".repeat(2000) });
    expect([message.content, event.description]).toEqual([`📅 ${"😀".repeat(200)}`, "ü".repeat(2000)]);
    const quotes = '00000000-0000-0000-0000-000000000000 "created_at":"0000-00-00T00:00:00.000Z"';
    const quoting = await schedule({ name: quotes, description: quotes });
    expect(quoting.event).toMatchObject({ name: quotes, description: quotes });
    await expectForInsiders(stage, "MESSAGE_CREATE", asEvent(quoting.message, stage.serverId, member));
    expect((await listMessages(owner, stage.channel.id))[0]).toEqual(quoting.message);
  });

  test("a scheduled event keeps its own fields among many that are stored with polls and messages at the same moment", async () => {
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    const sent = await Promise.all(
      numbers.map(async (number) => {
        await member.post(`/channels/${stage.channel.id}/messages`, { content: `Beside event ${number}` });
        await member.post(`/channels/${stage.channel.id}/polls`, { question: `${number}?`, options: ["a", "b"] });
        return (await schedule({ name: `Round ${number}`, description: `d ${number}` })).message;
      }),
    );
    const history = (await owner.get(`/channels/${stage.channel.id}/messages?limit=100`)).expect(
      200,
      z.array(Message.strict()),
    );
    for (const [number, message] of sent.entries()) {
      expect(message.event).toMatchObject({ name: `Round ${number}`, description: `d ${number}` });
      expect(history.find(({ id }) => id === message.id)).toEqual(message);
    }
  });

  test.each([
    ["no name", { name: undefined }, nameText],
    ["a blank name", { name: "  " }, nameText],
    ["a long name", { name: "x".repeat(201) }, nameText],
    ["NUL in the name", { name: "a\u0000" }, nameText],
    ["a long description", { description: "x".repeat(2001) }, descriptionText],
    ["a number for a description", { description: 1 }, descriptionText],
    ["no time", { starts_at: undefined }, timeText],
    ["a past time", { starts_at: "2020-01-01T00:00:00.000Z" }, timeText],
    ["a time without a zone", { starts_at: "2999-01-01T00:00:00" }, timeText],
    ["a number for a time", { starts_at: Date.now() + 3_600_000 }, timeText],
    ["a day that does not exist", { starts_at: "2999-02-30T00:00:00Z" }, timeText],
  ])("a scheduled event is refused with %s", async (_, fields, text) => {
    const answer = await member.post(path(), { name: "Blitz", starts_at: inHours(1), ...fields });
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });

  test("a scheduled event is refused to those without the rights", async () => {
    const answers = [];
    for (const user of [stage.stranger, stage.hidden, stage.silenced]) {
      const { status, body } = await user.post(path(), { name: "Blitz", starts_at: inHours(1) });
      answers.push([status, body]);
    }
    expect(answers).toEqual([
      [404, error("Channel not found")],
      [403, error("You don't have permission to view this channel")],
      [403, error("You don't have permission to send messages in this channel")],
    ]);
    const nobody = await createClient(stage.stack.edgeUrl).post(path(), { name: "Blitz", starts_at: inHours(1) });
    expect([nobody.status, nobody.body]).toEqual([401, error("Invalid or expired token")]);
  });

  test("a scheduled event stays with its message when that is edited, and goes when it is deleted", async () => {
    const { message, event } = await schedule();
    const edited = (await member.patch(`/messages/${message.id}`, { content: "moved" })).expect(200, Message.strict());
    expect(edited).toMatchObject({ content: "moved", event });
    await passBarrier(stage);
    for (const socket of stage.insiders) {
      expect((await socket.waitFor("MESSAGE_UPDATE", ({ id }) => id === message.id)).event).toEqual(event);
    }
    expect((await member.delete(`/messages/${message.id}`)).status).toBe(204);
    const deleted = await member.get(`/channels/${stage.channel.id}/messages/${message.id}`);
    expect(deleted.expect(200, Message.strict()).event).toBeNull();
  });
});

describe("the list of a server's events", () => {
  test("the list of a server's events shows the coming ones, the soonest first, without hidden channels and deleted messages", async () => {
    const { server, owner: host, author } = await createGuardedServer(stage.client, {});
    const channels = [];
    for (const name of ["seen", "hidden"]) {
      const made = await host.post(`/servers/${server.id}/channels`, { name });
      channels.push(made.expect(201, z.object({ id: z.string() }).loose()).id);
    }
    const [seen = "", hidden = ""] = channels;
    await deny(host, hidden, { userId: author.user.id, permissions: ["VIEW_CHANNEL"] });
    const made = async (name: string, hours: number, channelId = seen) => {
      const answer = await host.post(`/channels/${channelId}/events`, { name, starts_at: inHours(hours) });
      return answer.expect(201, Message.strict());
    };
    const late = await made("late", 30);
    const soon = await made("soon", 2);
    const secret = await made("secret", 3, hidden);
    const gone = await made("gone", 1);
    await host.delete(`/messages/${gone.id}`);
    const listed = ({ id, channel_id, event }: Message) => ({ ...event, channel_id, message_id: id });
    expect(await coming(author, server.id)).toEqual([soon, late].map(listed));
    expect(await coming(host, server.id)).toEqual([soon, secret, late].map(listed));
    expect((await host.delete(`/channels/${seen}`)).status).toBe(204);
    expect(await coming(host, server.id)).toEqual([listed(secret)]);
  });

  test("the list of a server's events has at most fifty, and none that has begun", async () => {
    const { server, channel, owner: host } = await createGuardedServer(stage.client, {});
    const events = `/channels/${channel.id}/events`;
    const starts_at = new Date(Date.now() + 5_000).toISOString();
    (await host.post(events, { name: "now", starts_at })).expect(201, Message);
    for (let hours = 51; hours > 0; hours -= 1) {
      (await host.post(events, { name: `in ${hours}`, starts_at: inHours(hours) })).expect(201, Message);
    }
    await expect
      .poll(async () => (await coming(host, server.id)).map(({ name }) => name))
      .toEqual(Array.from({ length: 50 }, (_, index) => `in ${index + 1}`));
  });

  test("the list of a server's events is for members of a server that exists", async () => {
    for (const [user, serverId] of [
      [stage.stranger, stage.serverId],
      [member, randomUUID()],
    ] as const) {
      const answer = await user.get(`/servers/${serverId}/events`);
      expect([answer.status, answer.body]).toEqual([404, error("Server not found")]);
    }
    const malformed = await member.get("/servers/x/events");
    expect([malformed.status, malformed.body]).toEqual([400, error("Invalid identifier")]);
  });
});

describe("auto-moderation and timeouts", () => {
  test("hold for events as for messages; the word filter reads name and description", async () => {
    const rules = { word_filter_enabled: true, duplicate_enabled: true };
    const server = await createGuardedServer(createClient(stage.stack.edgeUrl), rules, ["gambit"]);
    const send = async (fields: Record<string, unknown>): Promise<Verdict> => {
      const body = { name: "Blitz", starts_at: inHours(1), ...fields };
      const answer = await server.author.post(`/channels/${server.channel.id}/events`, body);
      return [answer.status, answer.status === 201 ? undefined : answer.body];
    };
    expect(await send({ name: "Queen's gambit" })).toEqual(filtered);
    expect(await send({ description: "A gambit each" })).toEqual(filtered);
    expect((await send({}))[0]).toBe(201);
    expect(await send({})).toEqual(repeated);
    const timeout = `/servers/${server.server.id}/members/${server.author.user.id}/timeout`;
    expect((await server.owner.post(timeout, { duration_minutes: 5 })).status).toBeLessThan(300);
    expect(await send({ name: "Other" })).toEqual(timedOut);
  });
});
