import { DmChannel, DmMessage, errorBody as error, FoundPage, Message, SearchPage } from "@parley/contracts";
import { createClient, postMessage, type UserClient } from "@parley/testing";
import { beforeAll, expect, test } from "vitest";
import { type ChannelStage, deny, startChannelStage } from "../stages/channel-stage.js";

let stage: ChannelStage;
let owner: UserClient;
/** The searcher through the other api. */
let member: UserClient;

beforeAll(async () => {
  stage = await startChannelStage();
  owner = stage.owner;
  const caller = createClient(stage.stack.apis[1]?.url ?? "").withAuthorization(`Bearer ${stage.member.accessToken}`);
  member = { ...stage.member, ...caller };
});

/** A word that no other test uses, of letters that no stemmer changes. */
const freshWord = () =>
  `w${crypto
    .randomUUID()
    .replace(/\W/g, "")
    .replace(/\d/g, (digit) => "ghjklmnopq"[Number(digit)] ?? "")}x`;
const pathOf = (query: Record<string, string>) => `/search?${new URLSearchParams(query)}`;
const search = async (user: UserClient, query: Record<string, string>) =>
  (await user.get(pathOf(query))).expect(200, FoundPage.strict());
const idsOf = async (q: string, user = member, query: Record<string, string> = {}) =>
  (await search(user, { q, ...query })).results.map(({ message }) => message.id);
const sendDirect = async (by: UserClient, to: UserClient, content: string) => {
  const { id } = DmChannel.parse((await by.post("/dm-channels", { user_id: to.user.id })).body);
  return (await by.post(`/dm-channels/${id}/messages`, { content })).expect(201, DmMessage);
};

/** The day of a message, or one some days later, in UTC. */
const dayOf = ({ created_at }: { created_at: string }, days: number) =>
  new Date(Date.parse(created_at) + days * 86_400_000).toISOString().slice(0, 10);

test("one search finds messages of channels, threads, direct messages and groups that the caller may read, newest first", async () => {
  const word = freshWord();
  const root = await postMessage(owner, stage.channel.id, `the ${word}, and 👍 ${word}`);
  const path = `/channels/${stage.channel.id}/messages/${root.id}/thread`;
  const reply = (await owner.post(path, { content: `reply ${word}` })).expect(201, Message);
  const direct = await sendDirect(owner, stage.member, `between us ${word}`);
  const group = (
    await owner.post("/dm-channels", { user_ids: [stage.member.user.id, stage.hidden.user.id], name: "trio" })
  ).body;
  const inGroup = (await owner.post(`/dm-channels/${Object(group).id}/messages`, { content: `${word}!` })).expect(
    201,
    DmMessage,
  );
  await sendDirect(owner, stage.silenced, `not for you ${word}`);

  const page = await search(member, { q: word.toUpperCase() });
  expect(page).toMatchObject({ total: 4, total_is_exact: true, next: null });
  expect(page.results).toMatchObject([
    { message: { id: inGroup.id }, channel_name: "trio", thread_root_id: null },
    { message: { id: direct.id, author: { id: owner.user.id } }, channel_name: owner.username },
    { message: { id: reply.id }, channel_name: stage.channel.name, thread_root_id: root.id },
    {
      message: { id: root.id, server_id: stage.serverId, author: { username: owner.username } },
      ranges: [
        [4, word.length],
        [13 + word.length, word.length],
      ],
    },
  ]);
  expect(page.query).toMatchObject({ terms: [{ text: word.toUpperCase(), phrase: false, excluded: false }], from: [] });

  // In pages, from either end, and the best first.
  const all = [inGroup.id, direct.id, reply.id, root.id];
  for (const [sort, order] of [
    ["new", all],
    ["old", all.toReversed()],
  ] as const) {
    const first = await search(member, { q: word, sort, limit: "3" });
    expect([sort, first.results.map(({ message }) => message.id), first.next]).toEqual([
      sort,
      order.slice(0, 3),
      order[2],
    ]);
    const rest = await search(member, { q: word, sort, limit: "3", before: first.next ?? "" });
    expect(rest).toMatchObject({ results: [{ message: { id: order[3] } }], next: null, total: 4 });
  }
  expect((await idsOf(word, member, { sort: "relevant" }))[0]).toBe(root.id);

  // Hidden members see what is theirs; strangers nothing.
  expect(await idsOf(word, stage.hidden)).toEqual([inGroup.id]);
  expect(await idsOf(word, stage.stranger)).toEqual([]);
  // The reply of a deleted message is not found.
  await owner.delete(`/messages/${root.id}`);
  expect(await idsOf(word)).toEqual([inGroup.id, direct.id]);
});

test("words, phrases, exclusions and filters narrow a search, in the query and beside it", async () => {
  const word = freshWord();
  const { channel, openChannel } = stage;
  const one = await postMessage(owner, channel.id, `${word} red carp, see https://example.org/carp`);
  const two = await postMessage(stage.member, openChannel.id, `${word} carp red @${owner.username}`);
  const three = await sendDirect(stage.member, stage.owner, `${word} green carp`);
  await owner.patch(`/messages/${one.id}`, { content: `${word} red carp, look at https://example.org/carp` });
  expect((await owner.post(`/channels/${channel.id}/messages/${one.id}/pin`)).status).toBe(204);
  await stage.member.put(`/users/@me/saved/${two.id}`, {});
  const cases: [query: string, found: string[]][] = [
    [`${word} red`, [two.id, one.id]],
    [`${word} "red carp"`, [one.id]],
    [`${word} -red`, [three.id]],
    [`${word} -"carp red"`, [three.id, one.id]],
    [`${word} example.org`, [one.id]],
    [`${word} from:${owner.username}`, [one.id]],
    [`${word} from:me`, [three.id, two.id]],
    [`from:@${owner.username} from:me ${word}`, [three.id, two.id, one.id]],
    [`${word} mentions:${owner.username}`, [two.id]],
    [`${word} in:#${openChannel.name}`, [two.id]],
    [`${word} in:${owner.username}`, [three.id]],
    [`${word} in:${owner.username} in:${channel.id}`, [three.id, one.id]],
    [`${word} has:link`, [one.id]],
    [`${word} has:image`, []],
    [`${word} is:pinned is:edited`, [one.id]],
    [`${word} is:saved`, [two.id]],
    [`${word} is:bot`, []],
    [`${word} after:${dayOf(one, -1)} before:2999`, [three.id, two.id, one.id]],
    [`${word} on:${dayOf(one, -1)}`, []],
    [`${word} before:${dayOf(one, 0)}`, []],
    [`${word} http://nowhere 12:30`, []],
  ];
  for (const [query, found] of cases) expect([query, await idsOf(query)]).toEqual([query, found]);
  const ofOwner = { from: owner.user.id, in: `${channel.id},${openChannel.id}` };
  expect(await idsOf(word, member, ofOwner)).toEqual([one.id]);
  expect(await idsOf("", member, { ...ofOwner, sort: "new", limit: "1" })).toHaveLength(1);
  expect(await idsOf(word, member, { server: crypto.randomUUID() })).toEqual([]);
  expect((await search(member, { q: word, from: stage.stranger.user.id })).query.from).toEqual([
    { id: stage.stranger.user.id, name: null },
  ]);

  // The searches of before take them, too.
  const inServer = async (q: string) =>
    (await member.get(`/servers/${stage.serverId}/search?${new URLSearchParams({ q })}`)).expect(
      200,
      SearchPage.strict(),
    );
  expect((await inServer(`${word} -"carp red"`)).results.map(({ id }) => id)).toEqual([one.id]);
  expect((await inServer(`from:me in:${openChannel.name}`)).results).toContainEqual(
    expect.objectContaining({ id: two.id, highlight: `${word} carp red @${owner.username}`, rank: 0 }),
  );
  const inDirect = await member.get(
    `/dm-channels/${three.channel_id}/search?${new URLSearchParams({ q: "from:me green" })}`,
  );
  expect(inDirect.expect(200, SearchPage).results.map(({ id }) => id)).toEqual([three.id]);
});

test("filters find names by their full case folding, and the shown name of somebody known from a group alone", async () => {
  const { hidden, member: partner } = stage;
  const asking = await createClient(stage.stack.edgeUrl).register();
  const word = freshWord();
  expect((await hidden.patch("/users/@me", { display_name: "Anna Großmann" })).status).toBe(200);
  const users = { user_ids: [hidden.user.id, partner.user.id], name: "Weiße Dame" };
  const { id } = DmChannel.parse((await asking.post("/dm-channels", users)).body);
  const sent = (await hidden.post(`/dm-channels/${id}/messages`, { content: word })).expect(201, DmMessage);
  for (const filter of ['from:"ANNA GROSSMANN"', 'in:"WEISSE DAME"']) {
    expect(await idsOf(`${word} ${filter}`, asking)).toEqual([sent.id]);
  }
});

test("a filter that names nothing is refused with names that look like it and that the caller may see", async () => {
  const refusal = async (q: string, user = member) => (await user.get(pathOf({ q }))).body;
  expect(await refusal("from:nobody-at-all")).toEqual({
    ...error("Nothing is called nobody-at-all"),
    ...{ filter: "from", value: "nobody-at-all", suggestions: [] },
  });
  const almost = owner.username.slice(0, -1);
  expect(await refusal(`from:${almost}`)).toMatchObject({ suggestions: expect.arrayContaining([owner.username]) });
  expect(await refusal(`from:${owner.username}`, stage.stranger)).toMatchObject({ filter: "from", suggestions: [] });
  expect(await refusal('in:"ope"')).toMatchObject({ value: "ope", suggestions: expect.arrayContaining(["open"]) });
  expect(await refusal("has:links")).toMatchObject({
    ...error("Nothing is called links"),
    suggestions: expect.arrayContaining(["link"]),
  });
  expect(await refusal("is:nothing")).toMatchObject(error("Nothing is called nothing"));
  expect(await refusal("before:soon")).toEqual(error("Not a date: soon"));
  expect((await member.get(pathOf({ q: "x", sort: "best" }))).body).toEqual(error("sort must be new, old or relevant"));
  expect((await member.get(pathOf({ q: "x".repeat(1_001) }))).body).toEqual(error("q must be at most 1000 characters"));
  expect((await member.get(pathOf({ q: "x", limit: "101" }))).body).toEqual(error("Limit must be 1-100"));
  expect((await createClient(stage.stack.edgeUrl).get("/api/search?q=x")).status).toBe(401);
});

test("words are found in the forms of their language, edits and deletions at once, and rights are those of now", async () => {
  const word = freshWord();
  const german = await postMessage(owner, stage.openChannel.id, `Die alten Häuser in der Straße, ${word}`);
  const russian = await postMessage(owner, stage.openChannel.id, `Красные дома стоят у реки, ${word}`);
  const chinese = await postMessage(owner, stage.openChannel.id, `我住在上海市 ${word}`);
  const names = await postMessage(owner, stage.openChannel.id, `read_state of node.js v2.10 ${word}`);
  const find = async (q: string, language: string) => {
    const answer = await member.send("GET", pathOf({ q: `${q} ${word}` }), {
      headers: { "accept-language": language },
    });
    return answer.expect(200, FoundPage).results.map(({ message }) => message.id);
  };
  const cases: [query: string, language: string, found: string[]][] = [
    ["Haus", "de-DE,de;q=0.9", [german.id]],
    ["haus", "fr", []],
    ["häuser", "fr", [german.id]],
    ["strasse", "en", [german.id]],
    ["красный дом", "ru", [russian.id]],
    ["上海", "en", [chinese.id]],
    ["海上", "en", []],
    ["node.js", "en", [names.id]],
    ["node", "en", [names.id]],
    ["read_state", "en", [names.id]],
    ["the", "en", []],
    ["der", "en", [german.id]],
  ];
  for (const [query, language, found] of cases) {
    expect([query, language, await find(query, language)]).toEqual([query, language, found]);
  }
  // Names with signs are found whole, and by their parts.
  const texts = ["written in C++17 (not C)", "C# or F#?", "plain C and F, .NET and NET", "a net of c"];
  const signed: string[] = [];
  for (const text of texts) signed.unshift((await postMessage(owner, stage.openChannel.id, `${text} ${word}`)).id);
  const [net, dotNet, sharp, plus] = signed;
  for (const [query, found] of [
    ["c++", [plus]],
    ["C#", [sharp]],
    ["f#", [sharp]],
    [".net", [dotNet]],
    ["net", [net, dotNet]],
    ["c", [net, dotNet, sharp, plus]],
    ['"in c++"', [plus]],
    ["c -c# -c++", [net, dotNet]],
  ] as const) {
    expect([query, await find(query, "en")]).toEqual([query, found]);
  }
  expect((await search(member, { q: `c++ ${word}` })).results[0]?.ranges[0]).toEqual([11, 3]);
  for (const id of signed) await owner.delete(`/messages/${id}`);

  const page = await member.send("GET", pathOf({ q: `Haus ${word}` }), { headers: { "accept-language": "de" } });
  expect(page.expect(200, FoundPage).results[0]?.ranges[0]).toEqual([10, 6]);

  await owner.patch(`/messages/${german.id}`, { content: `nothing but ${word}` });
  expect(await find("Häuser", "de")).toEqual([]);
  expect(await find("nothing", "de")).toEqual([german.id]);
  await owner.delete(`/messages/${german.id}`);
  expect(await find("", "de")).toEqual([names.id, chinese.id, russian.id]);
  await deny(owner, stage.openChannel.id, { userId: stage.member.user.id, permissions: ["VIEW_CHANNEL"] });
  expect(await find("", "de")).toEqual([]);
});
