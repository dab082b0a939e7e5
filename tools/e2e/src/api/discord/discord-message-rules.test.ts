import { waitUntil } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { runSql } from "../stages/admin-stage.js";
import { allIntents, identify } from "./discord-socket.js";
import { createDiscordStage, type DiscordStage, everyPermission, snowflake } from "./discord-stage.js";

let stage: DiscordStage;
let messages: string;
beforeAll(async () => {
  stage = await createDiscordStage({ permissions: everyPermission });
  messages = `/channels/${stage.textChannelId}/messages`;
});

const send = async (body: unknown) => (await stage.call("POST", messages, body)).body;
/** A message of the member. */
const write = async (fields: object): Promise<{ id: string; snowflake: string }> => {
  const { id } = (await stage.member.post(`/channels/${stage.channelId}/messages`, fields)).body as { id: string };
  return { id, snowflake: snowflake(id) };
};

test("a poll stands alone, ends after a day, and its answers keep their emoji as text", async () => {
  const answers = [{ poll_media: { text: "e4", emoji: { name: "♟️" } } }, { poll_media: { text: "d4" } }];
  const poll = { question: { text: "First move?" }, answers };
  const { poll: shown } = await send({ content: "", embeds: [], poll });
  expect(shown.answers.map(({ poll_media }: { poll_media: object }) => poll_media)).toEqual([
    { text: "♟️ e4" },
    { text: "d4" },
  ]);
  const hours = (Date.parse(shown.expiry) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);
  const others = { content: "Vote", embeds: [{ title: "Vote" }], message_reference: { message_id: "1" } };
  for (const [key, part] of Object.entries(others)) {
    expect(await stage.call("POST", messages, { poll, [key]: part })).toMatchObject({
      status: 400,
      body: { code: 50035, errors: { [key]: { _errors: [{ code: "UNSUPPORTED" }] } } },
    });
  }
});

test.each([
  [
    { parse: ["users"], users: ["1"] },
    { allowed_mentions: { _errors: [{ code: "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE" }] } },
  ],
  [{ parse: ["friends"] }, { allowed_mentions: { parse: { 0: { _errors: [{ code: "BASE_TYPE_CHOICES" }] } } } }],
  [
    { users: Array.from({ length: 101 }, (_, index) => String(index)) },
    { allowed_mentions: { users: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH" }] } } },
  ],
])("allowed mentions that contradict themselves are refused: %#", async (allowed_mentions, errors) => {
  const answer = await stage.call("POST", messages, { content: "hi", allowed_mentions });
  expect(answer).toMatchObject({ status: 400, body: { code: 50035, errors } });
});

test("a reply mentions its author, unless the bot says no", async () => {
  const { memberId, applicationId, member, bot, stack, channelId } = stage;
  const asked = await write({ content: "Who plays?" });
  const reply = { content: "I do", message_reference: { message_id: asked.snowflake } };
  expect((await send(reply)).mentions).toMatchObject([{ id: memberId }]);
  for (const allowed_mentions of [{ parse: [] }, { replied_user: false }]) {
    expect((await send({ ...reply, allowed_mentions })).mentions).toEqual([]);
  }
  const loud = { parse: [], replied_user: true };
  expect((await send({ ...reply, allowed_mentions: loud })).mentions).toMatchObject([{ id: memberId }]);

  const socket = await identify(stack.edgeUrl, bot.token, { intents: allIntents & ~(1 << 15) });
  await socket.waitFor("GUILD_CREATE");
  const own = await send({ content: "Your move" });
  const [stored] = (await member.get(`/channels/${channelId}/messages?limit=1`)).body as { id: string }[];
  const plain = await write({ content: "Nobody reads this" });
  const answer = await write({ content: "Done", reply_to: stored?.id });
  const shown = await socket.waitFor("MESSAGE_CREATE", ({ id }) => id === answer.snowflake);
  expect(shown).toMatchObject({
    content: "Done",
    mentions: [{ id: applicationId, member: { joined_at: expect.any(String) } }],
    referenced_message: { id: own.id },
  });
  const hidden = await socket.waitFor("MESSAGE_CREATE", ({ id }) => id === plain.snowflake);
  expect(hidden).toMatchObject({ content: "", mentions: [] });
  await socket.close();
});

test("a nonce comes back as it was sent, and has 25 characters", async () => {
  expect((await send({ content: "text", nonce: "abc" })).nonce).toBe("abc");
  expect((await send({ content: "number", nonce: 7 })).nonce).toBe(7);
  expect(await stage.call("POST", messages, { content: "long", nonce: "x".repeat(26) })).toMatchObject({
    status: 400,
    body: { code: 50035, errors: { nonce: {} } },
  });
});

test("the link cards of a message are removed, and somebody else's message stays as it is", async () => {
  const { call, stack } = stage;
  const own = await send({ content: "See the board" });
  const read = () => call("GET", `${messages}/${own.id}`);
  // A text without a link: nobody looks for its cards meanwhile.
  const previews = [{ url: "https://chess.example/", title: "Chess", description: null, image: null, site_name: null }];
  await runSql(
    stack.databaseUrl,
    `INSERT INTO message_previews (message_id, previews) SELECT id, $2::jsonb FROM messages
      WHERE channel_id = $1 AND content = 'See the board'`,
    [stage.channelId, JSON.stringify(previews)],
  );
  expect((await read()).body.embeds).toMatchObject([{ title: "Chess" }]);
  const changed = await call("PATCH", `${messages}/${own.id}`, { flags: 4 });
  expect(changed).toMatchObject({ status: 200, body: { content: "See the board", embeds: [] } });
  expect((await read()).body.embeds).toEqual([]);
  const foreign = await write({ content: "Mine" });
  expect(await call("PATCH", `${messages}/${foreign.snowflake}`, {})).toMatchObject({
    status: 403,
    body: { code: 50005 },
  });
  expect((await call("PATCH", `${messages}/${own.id}`, {})).status).toBe(200);
});

test("members are searched by a text, and nobody is silenced for more than 28 days", async () => {
  const { call, guildId, memberId } = stage;
  expect(await call("GET", `/guilds/${guildId}/members/search`)).toMatchObject({
    status: 400,
    body: { code: 50035, errors: { query: { _errors: [{ code: "BASE_TYPE_REQUIRED" }] } } },
  });
  const until = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  const path = `/guilds/${guildId}/members/${memberId}`;
  const key = "communication_disabled_until";
  expect(await call("PATCH", path, { [key]: until(29) })).toMatchObject({
    status: 400,
    body: { code: 50035, errors: { [key]: {} } },
  });
  expect((await call("PATCH", path, { [key]: until(28) })).status).toBe(200);
  expect((await call("PATCH", path, { [key]: null })).status).toBe(200);
});

test("a bulk deletion of unknown messages needs the right to it, too", async () => {
  const { id } = await send({ content: "The last one" });
  const body = { messages: [1n, 2n].map((step) => String(BigInt(id) + step)) };
  expect((await stage.call("POST", `${messages}/bulk-delete`, body)).status).toBe(204);
  const weak = await createDiscordStage({ permissions: 3 });
  const path = `/channels/${weak.textChannelId}/messages/bulk-delete`;
  expect(await weak.call("POST", path, body)).toMatchObject({ status: 403, body: { code: 50013 } });
});

test("an invite counts the people online", async () => {
  const { call, textChannelId, stack, bot } = stage;
  const socket = await identify(stack.edgeUrl, bot.token);
  await socket.waitFor("GUILD_CREATE");
  const { code } = (await call("POST", `/channels/${textChannelId}/invites`, {})).body;
  await waitUntil(
    async () => (await call("GET", `/invites/${code}?with_counts=true`)).body.approximate_presence_count > 0,
    { what: "somebody online" },
  );
  await socket.close();
});
