import {
  Attachment,
  type Channel,
  DetailedMessage,
  errorBody as error,
  type Message,
  ReactionCount,
} from "@parley/contracts";
import {
  type Answer,
  createChannel,
  createClient,
  createRole,
  createServer,
  joinServer,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { runSql } from "../stages/admin-stage.js";
import { deny } from "../stages/channel-stage.js";
import { pngPixel } from "../stages/sample-files.js";
import { upload } from "../stages/upload-stage.js";

// Each list is read from one api after the other api has changed its content.

let stack: SharedStack;
let client: RestClient;
let owner: UserClient;
let reader: UserClient;
let channel: Channel;
let elsewhere: { owner: RestClient; reader: RestClient };

beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
});
beforeEach(async () => {
  [owner, reader] = await Promise.all([client.register(), client.register()]);
  const server = await createServer(owner, { is_public: true });
  await joinServer(reader, server.id);
  channel = await createChannel(owner, server.id);
  const [, second] = stack.apis;
  if (second === undefined) throw new Error("There is one api only.");
  const at = ({ accessToken }: UserClient) => createClient(second.url, { authorization: `Bearer ${accessToken}` });
  elsewhere = { owner: at(owner), reader: at(reader) };
});

const both = "include=reactions,attachments";
const messages = z.array(DetailedMessage.strict());
const history = (query = "") => `/channels/${channel.id}/messages${query}`;
const react = async (user: RestClient, { id }: Message, emoji: string) =>
  expect((await user.put(`${history()}/${id}/reactions/${encodeURIComponent(emoji)}`)).status).toBe(204);
const reactionsOf = async (user: RestClient, { id }: Message) =>
  (await user.get(`${history()}/${id}/reactions`)).expect(200, z.array(ReactionCount));
const attachmentsOf = async (user: RestClient, { id }: Message) =>
  (await user.get(`/messages/${id}/attachments`)).expect(200, z.array(Attachment));
const bare = (message: DetailedMessage) => ({
  ...message,
  attachments: message.attachments?.map(({ url: _signedAnew, ...attachment }) => attachment),
});

/** The message as the endpoints for it alone describe it. */
async function expected(user: RestClient, message: Message) {
  const [reactions, attachments] = [await reactionsOf(user, message), await attachmentsOf(user, message)];
  return bare({ ...message, reactions, attachments });
}

test("lists carry the reactions and attachments that the endpoints of each message have", async () => {
  const plain = await postMessage(owner, channel.id, "nothing");
  const pictured = await postMessage(owner, channel.id, "two files");
  const root = await postMessage(owner, channel.id, "both");
  for (const message of [pictured, root]) {
    await upload(elsewhere.owner, message.id, [
      { name: "b.png", bytes: pngPixel },
      { name: "a.txt", bytes: Buffer.from("text") },
    ]);
  }
  const reply = (await owner.post(`${history()}/${root.id}/thread`, { content: "in the thread" })).expect(
    201,
    z.object({ id: z.string() }),
  );
  for (const emoji of ["🎉", "👍🏽", "👀"]) await react(elsewhere.owner, root, emoji);
  // Such a reaction is older than the rule that reactions are emoji.
  const insert = "INSERT INTO reactions (message_id, emoji, user_id) VALUES ($1, $2, $3)";
  await runSql(stack.databaseUrl, insert, [root.id, 'a"b\\c', owner.user.id]);
  await react(elsewhere.reader, root, "👀");
  await owner.post(`${history()}/${root.id}/pin`);

  const read = async (user: RestClient, path: string) => (await user.get(path)).expect(200, messages);
  for (const user of [owner, reader, elsewhere.reader]) {
    const withBoth = await read(user, history(`?${both}`));
    const without = await read(user, history());
    expect(withBoth.map(({ id }) => id)).toEqual([root.id, pictured.id, plain.id]);
    expect(withBoth.map(bare)).toEqual(await Promise.all(without.map((message) => expected(user, message))));
    expect(Object.keys(withBoth[0] ?? {}).slice(-2)).toEqual(["reactions", "attachments"]);
    // Details that the request does not ask for are absent.
    const [first = root] = without;
    expect(await read(user, history("?include=reactions&limit=1"))).toEqual([
      { ...first, reactions: await reactionsOf(user, root) },
    ]);
    expect((await read(user, history("?include=attachments&limit=1"))).map((message) => Object.keys(message))).toEqual([
      [...Object.keys(first), "attachments"],
    ]);
    const address = await user.send("GET", `/channels/${channel.id}/messages/${root.id}?${both}`);
    expect(bare(address.expect(200, DetailedMessage.strict()))).toEqual(await expected(user, first));
    const pins = await read(user, `/channels/${channel.id}/pinned-messages?${both}`);
    expect(pins.map(bare)).toEqual([await expected(user, first)]);
  }
  await react(elsewhere.reader, { ...root, id: reply.id }, "👋");
  const thread = await read(owner, `${history()}/${root.id}/thread?${both}`);
  expect(thread.map(({ reactions, attachments }) => ({ reactions, attachments }))).toEqual([
    { reactions: [{ emoji: "👋", count: 1, me: false }], attachments: [] },
  ]);
});

test("the addresses of included attachments give the files", async () => {
  const message = await postMessage(owner, channel.id, "look");
  await upload(owner, message.id, [{ name: "pixel.png", bytes: pngPixel }]);
  const [listed] = (await reader.get(history(`?${both}`))).expect(200, messages);
  const response = await fetch(`${client.baseUrl}${listed?.attachments?.[0]?.url}`);
  expect(Buffer.from(await response.arrayBuffer()).equals(pngPixel)).toBe(true);
});

test("without include nothing changes: neither fields nor their order", async () => {
  const message = await postMessage(owner, channel.id, "as ever");
  await react(owner, message, "🎉");
  const fields = "id channel_id author_id content reply_to mention_user_ids mention_everyone thread_id";
  const more = "thread_reply_count edited_at deleted created_at pinned pinned_by pinned_at poll event";
  for (const path of [history(), history("?limit=1&unknown=1"), `${history()}/${message.id}`]) {
    const [listed] = [(await owner.get(path)).body].flat();
    expect(Object.keys(z.record(z.string(), z.unknown()).parse(listed))).toEqual(`${fields} ${more}`.split(" "));
  }
});

test("include does not go around permissions, and a deleted message has nothing", async () => {
  const message = await postMessage(owner, channel.id, "secret");
  await react(owner, message, "🎉");
  await owner.post(`${history()}/${message.id}/pin`);
  const paths = [
    history(`?${both}`),
    `${history()}/${message.id}?${both}`,
    `${history()}/${message.id}/thread?${both}`,
    `/channels/${channel.id}/pinned-messages?${both}`,
  ];
  const answers = (user: RestClient): Promise<Answer[]> => Promise.all(paths.map((path) => user.get(path)));
  await deny(owner, channel.id, { userId: reader.user.id, permissions: ["VIEW_CHANNEL"] });
  for (const answer of await answers(elsewhere.reader)) {
    expect([answer.status, answer.body]).toEqual([403, error("You don't have permission to view this channel")]);
  }
  for (const answer of await answers(await client.register())) expect(answer.status).toBe(404);
  await owner.delete(`/messages/${message.id}`);
  expect((await elsewhere.owner.get(history(`?${both}`))).body).toEqual([]);
  expect((await elsewhere.owner.get(`${history()}/${message.id}?${both}`)).body).toMatchObject({
    deleted: true,
    reactions: [],
    attachments: [],
  });
});

test.each(["", "votes", "reactions,", "reactions,votes", "reactions&include=attachments"])(
  "include=%s is refused",
  async (value) => {
    const { id } = await postMessage(owner, channel.id, "one");
    for (const path of [
      history(`?include=${value}`),
      `${history()}/${id}?include=${value}`,
      `${history()}/${id}/thread?include=${value}`,
      `/channels/${channel.id}/pinned-messages?include=${value}`,
    ]) {
      const answer = await owner.get(path);
      expect([answer.status, answer.body]).toEqual([400, error("include must name reactions, attachments or both")]);
    }
  },
);

test("a page of messages full of reactions stays bounded: reactions too many for a list are read on their own", async () => {
  await runSql(
    stack.databaseUrl,
    `INSERT INTO messages (id, channel_id, server_id, author_id, content)
      SELECT uuidv7(make_interval(secs => n)), $1, $2, $3, 'm' || n FROM generate_series(1, 100) n`,
    [channel.id, channel.server_id, owner.user.id],
  );
  // 250 emoji on every other message, 50 on those between; the longest there are, as they cost most in JSON.
  await runSql(
    stack.databaseUrl,
    `INSERT INTO reactions (message_id, emoji, user_id)
      SELECT m.id, rpad(e::text, 64, E'\\x01'), $2
      FROM (SELECT id, row_number() OVER (ORDER BY created_at, id) AS n FROM messages WHERE channel_id = $1) AS m,
        generate_series(1, CASE WHEN m.n % 2 = 0 THEN 250 ELSE 50 END) AS e`,
    [channel.id, owner.user.id],
  );
  const answer = await owner.get(history(`?${both}&limit=100`));
  const page = answer.expect(200, messages);
  const kinds = page.map(({ reactions }) => reactions?.length ?? "on its own");
  expect(kinds.toReversed()).toEqual(Array.from({ length: 100 }, (_, n) => (n % 2 === 1 ? "on its own" : 50)));
  expect(page.every(({ attachments }) => attachments?.length === 0)).toBe(true);
  const [crowded] = page;
  if (crowded === undefined) throw new Error("The page is empty.");
  expect(await reactionsOf(owner, crowded)).toHaveLength(250);
  // More than the two apis read at once: the others wait, and all are answered in the end.
  const answers = await Promise.all(Array.from({ length: 12 }, () => owner.get(history(`?${both}&limit=100`))));
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(12).fill(200));
});

test("each viewer sees their own part of what many react with", async () => {
  const role = await createRole(owner, channel.server_id, { name: "Everybody", permissions: 0 });
  expect(role.server_id).toBe(channel.server_id);
  const message = await postMessage(owner, channel.id, "popular");
  await runSql(
    stack.databaseUrl,
    `WITH people AS (INSERT INTO users (username) SELECT 'fan_' || gen_random_uuid() FROM generate_series(1, 500) RETURNING id)
      INSERT INTO reactions (message_id, emoji, user_id) SELECT $1, '♥️', id FROM people`,
    [message.id],
  );
  await react(elsewhere.reader, message, "♥️");
  for (const [user, me] of [
    [owner, false],
    [reader, true],
  ] as const) {
    const [listed] = (await user.get(history("?include=reactions"))).expect(200, messages);
    expect(listed?.reactions).toEqual([{ emoji: "♥️", count: 501, me }]);
  }
});
