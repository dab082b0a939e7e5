import { randomUUID } from "node:crypto";
import { errorBody as error, Message, SearchPage } from "@parley/contracts";
import { createChannel, createClient, createServer, postMessage, type UserClient } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { type ChannelStage, deny, startChannelStage } from "../stages/channel-stage.js";

let stage: ChannelStage;
let owner: UserClient;
let member: UserClient;

beforeAll(async () => {
  stage = await startChannelStage();
  ({ owner, member } = stage);
});

const pathOf = (query: Record<string, string>) => `/servers/${stage.serverId}/search?${new URLSearchParams(query)}`;
const search = async (user: UserClient, query: Record<string, string>) =>
  (await user.get(pathOf(query))).expect(200, SearchPage.strict());
/** A word that no other test uses; the same letters at its end keep the stemmer away. */
const freshWord = () => `w${randomUUID().replaceAll("-", "")}x`;

describe("a search", () => {
  test("a search finds messages and thread replies with all words, stemmed, whatever the prefix", async () => {
    const word = freshWord();
    const root = await postMessage(member, stage.channel.id, `Plays & ${word}`);
    const thread = `/channels/${stage.channel.id}/messages/${root.id}/thread`;
    const reply = (await owner.post(thread, { content: `${word} ${word} playing` })).expect(201, Message);
    await postMessage(member, stage.channel.id, `${word} alone`);
    await postMessage(member, stage.channel.id, "played alone");
    const bare = createClient(stage.stack.edgeUrl, { authorization: `Bearer ${member.accessToken}` });
    const page = (await bare.get(pathOf({ q: `  plays OR "${word}"! ` }))).expect(200, SearchPage.strict());
    expect(page).toEqual({
      results: [
        {
          id: reply.id,
          channel_id: stage.channel.id,
          author_id: owner.user.id,
          author_username: owner.username,
          content: `${word} ${word} playing`,
          highlight: `<mark>${word}</mark> <mark>${word}</mark> <mark>playing</mark>`,
          created_at: reply.created_at,
          rank: expect.any(Number),
        },
        {
          id: root.id,
          channel_id: stage.channel.id,
          author_id: member.user.id,
          author_username: member.username,
          content: `Plays & ${word}`,
          highlight: `<mark>Plays</mark> &amp; <mark>${word}</mark>`,
          created_at: root.created_at,
          rank: expect.any(Number),
        },
      ],
      total: 2,
      has_more: false,
      next_cursor: null,
    });
  });

  test("a search sees edits and deletions at once and never direct messages", async () => {
    const [before, after] = [freshWord(), freshWord()];
    const message = await postMessage(member, stage.channel.id, before);
    const dm = await member.post("/dm-channels", { user_id: owner.user.id });
    await member.post(`/dm-channels/${Object(dm.body).id}/messages`, { content: after });
    await member.patch(`/messages/${message.id}`, { content: after });
    expect((await search(owner, { q: before })).total).toBe(0);
    expect((await search(owner, { q: after })).results.map(({ id }) => id)).toEqual([message.id]);
    await member.delete(`/messages/${message.id}`);
    expect(await search(owner, { q: after })).toEqual({ results: [], total: 0, has_more: false, next_cursor: null });
  });

  test("a search stays within the server and the channels that the caller may view", async () => {
    const word = freshWord();
    const other = await createServer(owner);
    const foreign = await createChannel(owner, other.id);
    await postMessage(owner, foreign.id, word);
    const inHidden = await postMessage(owner, stage.channel.id, word);
    const inOpen = await postMessage(owner, stage.openChannel.id, word);
    const found = async (user: UserClient, channel_id?: string) => {
      const page = await search(user, channel_id === undefined ? { q: word } : { q: word, channel_id });
      expect(page.total).toBe(page.results.length);
      return page.results.map(({ id }) => id);
    };
    expect(await found(member)).toEqual([inOpen.id, inHidden.id]);
    expect(await found(member, stage.channel.id)).toEqual([inHidden.id]);
    expect(await found(stage.hidden)).toEqual([inOpen.id]);
    expect(await found(stage.hidden, stage.channel.id)).toEqual([]);
    expect(await found(member, foreign.id)).toEqual([]);
    expect(await found(member, randomUUID())).toEqual([]);
    await deny(owner, stage.openChannel.id, { userId: stage.silenced.user.id, permissions: ["VIEW_CHANNEL"] });
    await deny(owner, stage.channel.id, { userId: stage.silenced.user.id, permissions: ["VIEW_CHANNEL"] });
    expect(await found(stage.silenced)).toEqual([]);
  });

  test("a search for nothing but stop words finds nothing", async () => {
    await postMessage(owner, stage.channel.id, "the and of");
    expect((await search(owner, { q: "the of" })).total).toBe(0);
  });
});

describe("pages of a search", () => {
  const walk = async (query: Record<string, string>) => {
    const pages: SearchPage[] = [];
    for (let before: string | null | undefined; before !== null && pages.length < 20; ) {
      const page = await search(member, before === undefined ? query : { ...query, before });
      pages.push(page);
      before = page.next_cursor;
    }
    return pages;
  };

  test("continue by rank, then the newest, without skipping or repeating, and have the same total", async () => {
    const word = freshWord();
    const written: string[] = [];
    for (let index = 0; index < 11; index += 1) {
      const channelId = index % 2 === 0 ? stage.channel.id : stage.openChannel.id;
      written.push((await postMessage(owner, channelId, `${word} `.repeat((index % 3) + 1))).id);
    }
    const pages = await walk({ q: word, limit: "4" });
    expect(pages.map(({ total, has_more, results }) => [total, has_more, results.length])).toEqual([
      [11, true, 4],
      [11, true, 4],
      [11, false, 3],
    ]);
    const results = pages.flatMap((page) => page.results);
    expect(new Set(results.map(({ id }) => id))).toEqual(new Set(written));
    const expected = [...results].sort((a, b) => b.rank - a.rank || (a.id < b.id ? 1 : -1));
    expect(results).toEqual(expected);
    expect(new Set(results.map(({ rank }) => rank)).size).toBe(3);
    const inChannel = await walk({ q: word, limit: "4", channel_id: stage.channel.id });
    expect(inChannel.map((page) => [page.total, page.results.length])).toEqual([
      [6, 4],
      [6, 2],
    ]);
  });

  test("pages of a search do not move when newer messages arrive or the cursor's message is deleted", async () => {
    const word = freshWord();
    const messages = [];
    for (let index = 0; index < 4; index += 1) messages.push(await postMessage(owner, stage.channel.id, word));
    const first = await search(member, { q: word, limit: "2" });
    expect(first.next_cursor).toBe(messages[2]?.id);
    await postMessage(owner, stage.channel.id, word);
    await owner.delete(`/messages/${first.next_cursor}`);
    const second = await search(member, { q: word, limit: "2", before: String(first.next_cursor) });
    expect(second.results.map(({ id }) => id)).toEqual([messages[1]?.id, messages[0]?.id]);
    expect(second).toMatchObject({ total: 4, has_more: false, next_cursor: null });
  });

  test("pages of a search are empty after an unknown cursor, the total is not", async () => {
    const word = freshWord();
    await postMessage(owner, stage.channel.id, word);
    const unrelated = await postMessage(owner, stage.channel.id, "unrelated");
    for (const before of [randomUUID(), unrelated.id]) {
      expect(await search(member, { q: word, before })).toEqual({
        results: [],
        total: 1,
        has_more: false,
        next_cursor: null,
      });
    }
  });

  test("have fifty by default", async () => {
    const word = freshWord();
    await Promise.all(Array.from({ length: 51 }, () => postMessage(owner, stage.channel.id, word)));
    expect((await search(member, { q: word })).results).toHaveLength(50);
    expect((await search(member, { q: word, limit: "100" })).results).toHaveLength(51);
    expect((await search(member, { q: word, limit: "1" })).results).toHaveLength(1);
  });
});

describe("a search is refused", () => {
  test.each([
    ["no query", {}, "Query must be 2-200 characters"],
    ["one letter", { q: " a " }, "Query must be 2-200 characters"],
    ["too many letters", { q: "x".repeat(201) }, "Query must be 2-200 characters"],
    ["NUL", { q: "a\u0000b" }, "Query must be 2-200 characters"],
    ["limit=0", { q: "ab", limit: "0" }, "Limit must be 1-100"],
    ["limit=101", { q: "ab", limit: "101" }, "Limit must be 1-100"],
    ["limit=-1", { q: "ab", limit: "-1" }, "Limit must be 1-100"],
    ["limit=1.5", { q: "ab", limit: "1.5" }, "Limit must be 1-100"],
    ["limit=x", { q: "ab", limit: "x" }, "Limit must be 1-100"],
    ["limit=", { q: "ab", limit: "" }, "Limit must be 1-100"],
    ["channel_id=x", { q: "ab", channel_id: "x" }, "Invalid channel_id"],
    ["before=x", { q: "ab", before: "x" }, "Invalid before"],
  ])("a search with %s is refused", async (_, query, text) => {
    const answer = await member.get(pathOf({ ...query }));
    expect([answer.status, answer.body]).toEqual([400, error(text)]);
  });

  test("a search is refused to strangers and for servers that do not exist", async () => {
    for (const path of [pathOf({ q: "ab" }), `/servers/${randomUUID()}/search?q=ab`]) {
      const answer = await stage.stranger.get(path);
      expect([answer.status, answer.body]).toEqual([404, error("Server not found")]);
    }
    expect((await member.get("/servers/x/search?q=ab")).body).toEqual(error("Invalid identifier"));
  });
});
