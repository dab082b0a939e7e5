import { randomUUID } from "node:crypto";
import { errorBody as error, permissionBits, ReactionCount, Reactor } from "@parley/contracts";
import {
  assignRole,
  createClient,
  createRole,
  createServer,
  joinServer,
  postMessage,
  type RestClient,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createBotClient, runSql } from "../stages/admin-stage.js";
import { connectWith } from "../stages/app-stage.js";
import {
  type ChannelStage,
  expectForInsiders,
  expectNoEvent,
  passBarrier,
  startChannelStage,
} from "../stages/channel-stage.js";
import { createEmoji } from "../stages/sample-emoji.js";

let stage: ChannelStage;
let owner: UserClient;
let member: UserClient;

beforeAll(async () => {
  stage = await startChannelStage();
  ({ owner, member } = stage);
});

const pathOf = (messageId: string, emoji?: string) =>
  `/channels/${stage.channel.id}/messages/${messageId}/reactions${emoji === undefined ? "" : `/${encodeURIComponent(emoji)}`}`;
const post = () => postMessage(owner, stage.channel.id, "react to me");
const counts = async (reader: RestClient, messageId: string) =>
  (await reader.get(pathOf(messageId))).expect(200, z.array(ReactionCount.strict()));

describe("a reaction", () => {
  test("a reaction is counted per emoji in the order of first reactions and marked as one's own", async () => {
    const { id } = await post();
    const custom = await createEmoji(owner, stage.serverId);
    expect(await counts(owner, id)).toEqual([]);
    for (const [user, emoji] of [
      [owner, "🎉"],
      [member, "👍🏽"],
      [member, "🎉"],
      [owner, `c:${custom.id}`],
    ] as const) {
      const answer = await user.put(pathOf(id, emoji));
      expect([answer.status, answer.body]).toEqual([204, undefined]);
    }
    const seen = await counts(member, id);
    expect(seen.map(({ count, me }) => [count, me])).toEqual([
      [2, true],
      [1, true],
      [1, false],
    ]);
    expect(seen.map(({ emoji }) => emoji)).toEqual(["🎉", "👍🏽", `c:${custom.id}`]);
  });

  test("a reaction reaches those who may view the channel once, whatever the prefix, and not when it was there already", async () => {
    const { id } = await post();
    const bare = createClient(stage.stack.edgeUrl, { authorization: `Bearer ${member.accessToken}` });
    expect((await bare.put(pathOf(id, "#️⃣"))).status).toBe(204);
    const payload = { message_id: id, channel_id: stage.channel.id, user_id: member.user.id, emoji: "#️⃣" };
    await expectForInsiders(stage, "REACTION_ADD", payload);
    await expectNoEvent(stage, "REACTION_ADD", async () => {
      expect((await member.put(pathOf(id, "#️⃣"))).status).toBe(204);
    });
    expect((await bare.delete(pathOf(id, "#️⃣"))).status).toBe(204);
    await expectForInsiders(stage, "REACTION_REMOVE", payload);
    expect(await counts(owner, id)).toEqual([]);
  });

  test("added many times at once is one reaction and one event", async () => {
    const { id } = await post();
    const answers = await Promise.all(Array.from({ length: 10 }, () => member.put(pathOf(id, "⚡"))));
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(10).fill(204));
    await expectForInsiders(stage, "REACTION_ADD", {
      message_id: id,
      channel_id: stage.channel.id,
      user_id: member.user.id,
      emoji: "⚡",
    });
    expect(await counts(owner, id)).toEqual([{ emoji: "⚡", count: 1, me: false }]);
    const removals = await Promise.all(Array.from({ length: 5 }, () => member.delete(pathOf(id, "⚡"))));
    expect(removals.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
  });

  test("can only be removed by the user who added it", async () => {
    const { id } = await post();
    await member.put(pathOf(id, "👀"));
    await expectNoEvent(stage, "REACTION_REMOVE", async () => {
      const answer = await owner.delete(pathOf(id, "👀"));
      expect([answer.status, answer.body]).toEqual([404, error("Reaction not found")]);
    });
    expect(await counts(owner, id)).toEqual([{ emoji: "👀", count: 1, me: false }]);
  });

  test("a reaction takes 1 to 64 bytes of UTF-8", async () => {
    const { id } = await post();
    for (const emoji of ["😀".repeat(16).concat("x"), "x".repeat(65), "nul\u0000"]) {
      for (const method of ["PUT", "DELETE"]) {
        const answer = await member.send(method, pathOf(id, emoji));
        expect([answer.status, answer.body]).toEqual([400, error("Emoji must be between 1 and 64 bytes")]);
      }
    }
    expect((await member.put(`${pathOf(id)}/%ED%A0%80`)).status).toBe(400);
    expect((await member.put(`${pathOf(id)}/%zz`)).status).toBe(400);
  });
});

describe("the emoji of a reaction", () => {
  test("a reaction is exactly one emoji, of Unicode or of the server", async () => {
    const { id } = await post();
    const foreign = await createEmoji(stage.stranger, (await createServer(stage.stranger)).id);
    const texts = [
      "hello",
      "buy cheap coins",
      "   ",
      "😀😀",
      "👍x",
      "1",
      "#",
      "🇦",
      "\u200d",
      "\ufe0f",
      "e\u0301",
      ":king:",
    ];
    for (const emoji of [...texts, `c:${randomUUID()}`, `c:${foreign.id}`, "c:", "c:x"]) {
      const answer = await member.put(pathOf(id, emoji));
      expect([emoji, answer.status, answer.body]).toEqual([emoji, 400, error("Not an emoji")]);
    }
    expect(await counts(member, id)).toEqual([]);
  });

  test.each([
    ["\u2764", "\u2764\ufe0f"],
    ["1\u20e3", "1\ufe0f\u20e3"],
    ["\u{1f44d}\ufe0f", "\u{1f44d}"],
    ["\u26f9\ufe0f\u{1f3fb}", "\u26f9\u{1f3fb}"],
    ["\u{1f3f3}\u200d\u{1f308}", "\u{1f3f3}\ufe0f\u200d\u{1f308}"],
    ["\u{1f469}\u200d\u2764\u200d\u{1f468}", "\u{1f469}\u200d\u2764\ufe0f\u200d\u{1f468}"],
  ])("%j and %j are one reaction, whichever is added, listed and removed", async (sent, qualified) => {
    const { id } = await post();
    for (const [user, form] of [
      [member, sent],
      [owner, qualified],
    ] as const) {
      expect((await user.put(pathOf(id, form))).status).toBe(204);
    }
    await expectForInsiders(stage, "REACTION_ADD", {
      message_id: id,
      channel_id: stage.channel.id,
      user_id: member.user.id,
      emoji: qualified,
    });
    expect(await counts(owner, id)).toEqual([{ emoji: qualified, count: 2, me: true }]);
    for (const form of [sent, qualified]) expect(await reactors(id, form)).toHaveLength(2);
    expect((await owner.delete(`${pathOf(id, sent)}/${member.user.id}`)).status).toBe(204);
    expect((await owner.delete(pathOf(id, sent))).status).toBe(204);
    expect(await counts(owner, id)).toEqual([]);
  });

  test("a reaction from before reactions had to be emoji stays, is found, and can be removed", async () => {
    const { id } = await post();
    const old = ["hello", "\u2764", `c:${randomUUID()}`, "moderated"];
    const insert = "INSERT INTO reactions (message_id, emoji, user_id) SELECT $1, unnest($2::text[]), $3";
    await runSql(stage.stack.databaseUrl, insert, [id, old, member.user.id]);
    expect((await counts(member, id)).map(({ emoji }) => emoji).sort()).toEqual(old.toSorted());
    for (const emoji of old) expect(await reactors(id, emoji)).toHaveLength(1);
    expect((await owner.delete(`${pathOf(id, "moderated")}/${member.user.id}`)).status).toBe(204);
    for (const emoji of old.slice(0, 3)) {
      expect((await member.delete(pathOf(id, emoji))).status).toBe(204);
      await expectForInsiders(stage, "REACTION_REMOVE", {
        message_id: id,
        channel_id: stage.channel.id,
        user_id: member.user.id,
        emoji,
      });
    }
    expect(await counts(member, id)).toEqual([]);
  });

  test("bots react under the same rule", async () => {
    const { id } = await post();
    const bot = await createBotClient(owner);
    const added = await owner.post(`/servers/${stage.serverId}/bots`, {
      bot_id: bot.id,
      permissions: permissionBits.VIEW_CHANNEL | permissionBits.ADD_REACTIONS,
    });
    expect(added.status).toBe(201);
    expect((await bot.client.put(pathOf(id, "buy cheap coins"))).body).toEqual(error("Not an emoji"));
    expect((await bot.client.put(pathOf(id, "\u2764"))).status).toBe(204);
    expect(await counts(member, id)).toEqual([{ emoji: "\u2764\ufe0f", count: 1, me: false }]);
  });
});

const reactors = async (messageId: string, emoji: string, query = "") =>
  (await member.get(`${pathOf(messageId, emoji)}${query}`)).expect(200, z.array(Reactor.strict()));

describe("who reacted", () => {
  test("who reacted is listed in the order of reacting, in pages that continue after a user", async () => {
    const { id } = await post();
    const more = await Promise.all(Array.from({ length: 3 }, () => stage.client.register()));
    for (const user of more) await joinServer(user, stage.serverId);
    const people = [member, ...more.toReversed(), owner];
    for (const user of people) expect((await user.put(pathOf(id, "🎉"))).status).toBe(204);
    await owner.put(pathOf(id, "👍"));
    const all = people.map(({ user }) => ({ id: user.id, username: user.username, avatar_url: null }));
    expect(await reactors(id, "🎉")).toEqual(all);
    const first = await reactors(id, "🎉", "?limit=2");
    expect(first).toEqual(all.slice(0, 2));
    expect(await reactors(id, "🎉", `?limit=100&after=${first[1]?.id}`)).toEqual(all.slice(2));
    expect(await reactors(id, "🎉", `?after=${owner.user.id}`)).toEqual([]);
    expect(await reactors(id, "🧀")).toEqual([]);
    expect(await reactors(id, "🎉", "?limit=0")).toHaveLength(1);
    expect(await reactors(id, "🎉", "?limit=101")).toHaveLength(5);
    for (const query of ["?limit=two", "?after=x", `?after=${stage.serverId}`, "?position=x"]) {
      expect((await member.get(`${pathOf(id, "🎉")}${query}`)).status).toBe(400);
    }
    expect((await member.get(pathOf(id, "x".repeat(65)))).body).toEqual(error("Emoji must be between 1 and 64 bytes"));
  });
});

describe("reactions of others", () => {
  test("a reaction of another is removed with MANAGE_MESSAGES, one's own without", async () => {
    const { id } = await post();
    for (const user of [owner, member]) await user.put(pathOf(id, "🎉"));
    const of = (user: UserClient) => `${pathOf(id, "🎉")}/${user.user.id}`;
    await expectNoEvent(stage, "REACTION_REMOVE", async () => {
      for (const path of [of(owner), pathOf(id)]) {
        const answer = await member.delete(path);
        expect([answer.status, answer.body]).toEqual([403, error("You lack the required permission for this action")]);
      }
      expect((await owner.delete(of(stage.hidden))).body).toEqual(error("Reaction not found"));
    });
    expect((await member.delete(of(member))).status).toBe(204);
    expect((await member.delete(of(member))).body).toEqual(error("Reaction not found"));
    const role = { permissions: permissionBits.MANAGE_MESSAGES };
    await assignRole(owner, await createRole(owner, stage.serverId, role), member);
    expect((await member.delete(of(owner))).status).toBe(204);
    await expectForInsiders(stage, "REACTION_REMOVE", {
      message_id: id,
      channel_id: stage.channel.id,
      user_id: owner.user.id,
      emoji: "🎉",
    });
    expect(await counts(owner, id)).toEqual([]);
  });

  test("all reactions are removed, with an event for each, however many there are", async () => {
    const [{ id }, other] = [await post(), await post()];
    await member.put(pathOf(other.id, "🎉"));
    await runSql(
      stage.stack.databaseUrl,
      "INSERT INTO reactions (message_id, emoji, user_id) SELECT $1, 'e' || n % 250, u FROM generate_series(1, 400) AS n, unnest($2::uuid[]) AS u ON CONFLICT DO NOTHING",
      [id, [owner.user.id, member.user.id]],
    );
    const marks = stage.insiders.map((socket) => socket.mark());
    expect((await owner.delete(pathOf(id))).status).toBe(204);
    await passBarrier(stage);
    for (const [index, socket] of stage.insiders.entries()) {
      const removals = socket.events.slice(marks[index]).filter(({ name }) => name === "REACTION_REMOVE");
      const keys = new Set(removals.map(({ payload }) => `${Object(payload).emoji} ${Object(payload).user_id}`));
      expect([removals.length, keys.size]).toEqual([500, 500]);
    }
    expect([await counts(owner, id), await counts(owner, other.id)]).toEqual([
      [],
      [{ emoji: "🎉", count: 1, me: false }],
    ]);
    await expectNoEvent(stage, "REACTION_REMOVE", async () => {
      expect((await owner.delete(pathOf(id))).status).toBe(204);
    });
  });
});

test("reactions with one emoji are removed together, which connections with v=2 are notified of", async () => {
  const { id } = await post();
  for (const user of [owner, member]) for (const emoji of ["🎉", "👍"]) await user.put(pathOf(id, emoji));
  const socket = await connectWith(stage.stack.edgeUrl, `token=${owner.accessToken}`);
  const older = stage.insiders[0];
  const mark = older?.mark();
  const clearedOf = (events: readonly { name: string; payload: unknown }[]) =>
    events.flatMap(({ name, payload }) => (name === "REACTION_REMOVE" ? [Object(payload).cleared] : []));
  expect((await owner.delete(`${pathOf(id)}?emoji=${encodeURIComponent("🎉")}`)).status).toBe(204);
  expect(await counts(owner, id)).toEqual([{ emoji: "👍", count: 2, me: true }]);
  await waitUntil(() => clearedOf(socket.events).length === 2, { what: "both removals" });
  expect((await owner.delete(pathOf(id))).status).toBe(204);
  await waitUntil(() => clearedOf(socket.events).length === 4, { what: "all removals" });
  expect(clearedOf(socket.events)).toEqual(["emoji", "more", "all", "more"]);
  await passBarrier(stage);
  expect(clearedOf(older?.events.slice(mark) ?? [])).toEqual([undefined, undefined, undefined, undefined]);
  expect((await owner.delete(`${pathOf(id)}?emoji=`)).body).toEqual(error("Emoji must be between 1 and 64 bytes"));
  await socket.close();
});

describe("reactions are refused", () => {
  test("reactions are refused on messages that are missing, deleted or of another channel, and below unknown channels", async () => {
    const deleted = await post();
    await member.put(pathOf(deleted.id, "👍"));
    await owner.delete(`/messages/${deleted.id}`);
    const elsewhere = await postMessage(owner, stage.openChannel.id, "elsewhere");
    for (const id of [randomUUID(), deleted.id, elsewhere.id]) {
      for (const answer of [
        await member.get(pathOf(id)),
        await member.put(pathOf(id, "👍")),
        await member.delete(pathOf(id, "👍")),
        await member.get(pathOf(id, "👍")),
        await owner.delete(`${pathOf(id, "👍")}/${member.user.id}`),
        await owner.delete(pathOf(id)),
      ]) {
        expect([answer.status, answer.body]).toEqual([404, error("Message not found")]);
      }
    }
    const nowhere = await member.get(`/channels/${randomUUID()}/messages/${deleted.id}/reactions`);
    expect([nowhere.status, nowhere.body]).toEqual([404, error("Channel not found")]);
    expect((await member.get(`/channels/${stage.channel.id}/messages/x/reactions`)).body).toEqual(
      error("Invalid identifier"),
    );
  });

  test("reactions are refused for strangers, without VIEW_CHANNEL and without ADD_REACTIONS", async () => {
    const { id } = await post();
    for (const [method, path] of [
      ["GET", pathOf(id)],
      ["PUT", pathOf(id, "👍")],
      ["DELETE", pathOf(id, "👍")],
      ["GET", pathOf(id, "👍")],
      ["DELETE", `${pathOf(id, "👍")}/${owner.user.id}`],
      ["DELETE", pathOf(id)],
    ] as const) {
      const stranger = await stage.stranger.send(method, path);
      expect([stranger.status, stranger.body]).toEqual([404, error("Channel not found")]);
      const hidden = await stage.hidden.send(method, path);
      expect([hidden.status, hidden.body]).toEqual([403, error("You don't have permission to view this channel")]);
    }
    const silenced = await stage.silenced.put(pathOf(id, "👍"));
    expect([silenced.status, silenced.body]).toEqual([
      403,
      error("You don't have permission to add reactions in this channel"),
    ]);
    expect((await stage.silenced.get(pathOf(id))).status).toBe(200);
  });
});
