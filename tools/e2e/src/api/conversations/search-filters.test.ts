import { DmChannel, DmMessage, FoundPage, Message, SearchPage } from "@parley/contracts";
import { createClient, postMessage, sharedStack, type UserClient } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { type AppStage, createAppStage } from "../stages/app-stage.js";
import { acceptedFiles } from "../stages/sample-files.js";

let stage: AppStage;
/** The member through the other api. */
let member: UserClient;
const word = "zephyrfilters";
/** Ids of messages by what they have or are, and of one that has nothing. */
const made: Record<string, string> = {};
let direct: DmMessage;

beforeAll(async () => {
  const stack = await sharedStack();
  stage = await createAppStage(stack.edgeUrl, []);
  const caller = createClient(stack.apis[1]?.url ?? "").withAuthorization(`Bearer ${stage.member.accessToken}`);
  member = { ...stage.member, ...caller };
  const { owner, channelId } = stage;
  const post = async (text: string) => (await postMessage(owner, channelId, `${word} ${text}`)).id;
  const files = {
    "has:image": "image/png",
    "has:video": "video/webm",
    "has:audio": "audio/ogg",
    "has:file": "text/plain",
  };
  for (const [filter, mime] of Object.entries(files)) {
    const file = acceptedFiles.find((each) => each.mime === mime);
    if (file === undefined) throw new Error(`No sample is ${mime}`);
    const id = await post("with a file");
    const form = new FormData();
    form.append("files", new Blob([Uint8Array.from(file.bytes)]), file.name);
    expect((await owner.send("POST", `/messages/${id}/attachments`, { body: form })).status).toBe(201);
    made[filter] = id;
  }
  made["has:link"] = await post("see https://example.org/a");
  const poll = { question: `${word} or not`, options: ["yes", "no"] };
  made["has:poll"] = (await owner.post(`/channels/${channelId}/polls`, poll)).expect(201, Message).id;
  const embed = { content: word, embeds: [{ title: "A card" }] };
  const ofBot = await stage.bot.client.post(`/channels/${channelId}/messages`, embed);
  made["has:embed"] = Object(ofBot.body).id;
  made.plain = await post("alone");
  made["is:edited"] = await post("before");
  await owner.patch(`/messages/${made["is:edited"]}`, { content: `${word} afterwards` });
  made["is:pinned"] = await post("for all to see");
  await owner.post(`/channels/${channelId}/messages/${made["is:pinned"]}/pin`);
  made["is:saved"] = await post("to keep");
  await member.put(`/users/@me/saved/${made["is:saved"]}`, {});
  const thread = `/channels/${channelId}/messages/${made.plain}/thread`;
  made["is:thread"] = (await owner.post(thread, { content: `${word} below` })).expect(201, Message).id;
  made.mentions = await post(`@${stage.member.username}`);
  const { id } = DmChannel.parse((await owner.post("/dm-channels", { user_id: member.user.id })).body);
  direct = (await owner.post(`/dm-channels/${id}/messages`, { content: `${word} https://example.org` })).expect(
    201,
    DmMessage,
  );
  expect(Object.values(made).every((each) => typeof each === "string")).toBe(true);
});

const everywhere = async (query: Record<string, string>) =>
  (await member.get(`/search?${new URLSearchParams(query)}`))
    .expect(200, FoundPage.strict())
    .results.map(({ message }) => message.id);
const inServer = async (query: Record<string, string>) =>
  (await member.get(`/servers/${stage.serverId}/search?${new URLSearchParams(query)}`))
    .expect(200, SearchPage.strict())
    .results.map(({ id }) => id);
const inDirect = async (query: Record<string, string>) =>
  (await member.get(`/dm-channels/${direct.channel_id}/search?${new URLSearchParams(query)}`))
    .expect(200, SearchPage.strict())
    .results.map(({ id }) => id);
const newestFirst = (...ids: (string | undefined)[]) =>
  ids
    .flatMap((id) => id ?? [])
    .sort()
    .reverse();

test("each filter finds the messages that pass it, alone and with a word, in all three searches", async () => {
  const files = ["has:image", "has:video", "has:audio", "has:file"].map((name) => made[name]);
  const cases: [filter: string, found: string[], isAlsoDirect?: boolean][] = [
    ["has:image", [made["has:image"] ?? ""]],
    ["has:video", [made["has:video"] ?? ""]],
    ["has:audio", [made["has:audio"] ?? ""]],
    ["has:file", newestFirst(...files)],
    ["has:link", [made["has:link"] ?? ""], true],
    ["has:poll", [made["has:poll"] ?? ""]],
    ["has:embed", [made["has:embed"] ?? ""]],
    ["is:bot", [made["has:embed"] ?? ""]],
    ["is:edited", [made["is:edited"] ?? ""]],
    ["is:pinned", [made["is:pinned"] ?? ""]],
    ["is:saved", [made["is:saved"] ?? ""]],
    ["is:thread", [made["is:thread"] ?? ""]],
    ["mentions:me", [made.mentions ?? ""]],
    ["from:me", []],
    ["has:image is:edited", []],
    [`from:${stage.owner.username} has:file has:video`, [made["has:video"] ?? ""]],
  ];
  for (const [filter, found, isAlsoDirect = false] of cases) {
    for (const q of [
      filter,
      `${word} ${filter}`,
      `${filter.toUpperCase().replace(/FROM:\S+/, filter.split(" ")[0] ?? "")}`,
    ]) {
      const ofDirect = isAlsoDirect ? [direct.id] : [];
      expect([q, await everywhere({ q })]).toEqual([q, [...ofDirect, ...found]]);
      expect([q, (await inServer({ q })).sort().reverse()]).toEqual([q, found]);
      expect([q, await inDirect({ q })]).toEqual([q, ofDirect]);
    }
  }
});

test("ids beside the query filter all three searches", async () => {
  const { owner, channelId, serverId, bot } = stage;
  const { plain, mentions } = made;
  const bots = [made["has:embed"]];
  expect(await everywhere({ q: word, from: bot.userId })).toEqual(bots);
  expect(await inServer({ q: word, from: bot.userId })).toEqual(bots);
  expect(await inServer({ q: "alone", from: `${bot.userId},${owner.user.id}` })).toEqual([plain]);
  expect(await inServer({ q: word, mentions: member.user.id })).toEqual([mentions]);
  expect(await everywhere({ mentions: member.user.id })).toEqual([mentions]);
  expect(await inServer({ q: "alone", in: channelId, server: serverId })).toEqual([plain]);
  expect(await inServer({ q: "alone", in: crypto.randomUUID() })).toEqual([]);
  expect(await inDirect({ q: word, from: owner.user.id })).toEqual([direct.id]);
  expect(await inDirect({ q: word, from: member.user.id })).toEqual([]);
  expect(await inDirect({ q: word, server: serverId })).toEqual([]);
  expect(await everywhere({ q: word, in: direct.channel_id })).toEqual([direct.id]);
  expect((await member.get(`/servers/${serverId}/search?q=${word}&from=me`)).body).toMatchObject({
    message: "Invalid identifier",
  });
});

test("dates are days of the account's time zone", async () => {
  // Their clocks are 25 hours apart: no instant has the same date in both.
  const zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago"];
  for (const [index, timezone] of zones.entries()) {
    expect((await stage.member.patch("/users/@me/notifications", { timezone })).status).toBe(200);
    const dayIn = (timeZone: string | undefined) =>
      new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" }).format(new Date(direct.created_at));
    const [own, other] = [dayIn(timezone), dayIn(zones[1 - index])];
    for (const find of [everywhere, inDirect]) {
      expect(await find({ q: `${word} in:${stage.owner.username} on:${own}` })).toEqual([direct.id]);
      expect(await find({ q: `${word} in:${stage.owner.username} on:${other}` })).toEqual([]);
      expect(await find({ q: `${word} in:${stage.owner.username} before:${own}` })).toEqual([]);
      expect(await find({ q: `${word} in:${stage.owner.username} after:${own}` })).toEqual([]);
    }
  }
});

test("the best messages come first, page by page, without gaps and repetitions", async () => {
  const ids: string[] = [];
  for (let before: string | null | undefined; before !== null; ) {
    const query = new URLSearchParams({
      q: word,
      sort: "relevant",
      limit: "4",
      ...(before === undefined ? {} : { before }),
    });
    const page = (await member.get(`/search?${query}`)).expect(200, FoundPage);
    ids.push(...page.results.map(({ message }) => message.id));
    expect(page.total).toBe(Object.keys(made).length + 1);
    before = page.next;
  }
  expect(ids.toSorted()).toEqual([...Object.values(made), direct.id].sort());
});

test("ranges count in UTF-16, and the answer names what the query's filters mean", async () => {
  const { owner, channelId, serverId } = stage;
  const { id } = await postMessage(owner, channelId, `👩‍👩‍👧 \u{20bb7} Größe, grosse GRÖSSE größen-${word}utf, Œuvre`);
  const q = `größe ${word}utf oeuvre from:${owner.username} in:${channelId} server:${serverId} is:thread`;
  const page = (await member.get(`/search?${new URLSearchParams({ q: q.replace(" is:thread", "") })}`)).expect(
    200,
    FoundPage,
  );
  const [found] = page.results;
  expect(found?.message.id).toBe(id);
  const content = found?.message.content ?? "";
  expect(found?.ranges.map(([start, length]) => content.slice(start, start + length))).toEqual([
    "Größe",
    "grosse",
    "GRÖSSE",
    `${word}utf`,
    "Œuvre",
  ]);
  expect(page.query).toMatchObject({
    terms: [
      { text: "größe", phrase: false, excluded: false },
      { text: `${word}utf`, phrase: false, excluded: false },
      { text: "oeuvre", phrase: false, excluded: false },
    ],
    from: [{ id: owner.user.id, name: owner.username }],
    in: [{ id: channelId }],
    server: [{ id: serverId }],
    ...{ mentions: [], has: [], is: [], since: null, until: null },
  });
});
