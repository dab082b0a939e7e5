import { postMessage, type StackWithDiscord, sharedStackWithDiscord, waitUntil } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { type AppStage, Begun, createAppStage, unhurried, use } from "../stages/app-stage.js";
import { allIntents, identify, openDiscord, ops, resume, snowflake } from "./discord-socket.js";

let stack: StackWithDiscord;
let stage: AppStage;
const guildMessages = 1 << 9;
const messageContent = 1 << 15;

beforeAll(async () => {
  stack = await sharedStackWithDiscord();
  stage = await createAppStage(stack.edgeUrl, [{ name: "play", description: "Play", options: [] }]);
});

const people = () => [stage.owner.user.id, stage.member.user.id, stage.bot.userId].map(snowflake).sort();
const peopleOf = ({ members }: Record<string, unknown>) =>
  (members as { user: { id: string } }[]).map(({ user }) => user.id).sort();

describe("a connection to Discord's gateway", () => {
  test("gets READY, then its servers, then events, also compressed", async () => {
    for (const query of ["v=10&encoding=json", "v=10&encoding=json&compress=zlib-stream", "v=9"]) {
      const bot = await identify(stack.edgeUrl, stage.bot.token, { query });
      const [botId, guildId, channelId] = [stage.bot.userId, stage.serverId, stage.channelId].map(snowflake);
      expect(bot.payloads[0]).toMatchObject({ op: ops.hello, d: { heartbeat_interval: 41_250 } });
      expect(bot.ready).toMatchObject({
        v: query === "v=9" ? 9 : 10,
        user: { id: botId, bot: true },
        application: { id: botId },
        guilds: [{ id: guildId, unavailable: true }],
        private_channels: [],
        shard: [0, 1],
        resume_gateway_url: `${stack.edgeUrl.replace("http", "ws")}/discord/gateway/`,
      });
      const guild = await bot.waitFor("GUILD_CREATE");
      expect(guild).toMatchObject({
        id: guildId,
        owner_id: snowflake(stage.owner.user.id),
        member_count: 3,
        channels: [{ id: channelId, type: 0, guild_id: guildId }],
        large: false,
        roles: [
          { id: guildId, name: "@everyone", managed: false },
          { name: "Chess", managed: true, tags: { bot_id: botId } },
        ],
      });
      expect(peopleOf(guild)).toEqual(people());
      const message = await postMessage(stage.member, stage.channelId, "Hello, board");
      expect(await bot.waitFor("MESSAGE_CREATE", ({ id }) => id === snowflake(message.id))).toMatchObject({
        channel_id: channelId,
        guild_id: guildId,
        content: "Hello, board",
        author: { id: snowflake(stage.member.user.id), username: stage.member.user.username },
        member: { roles: [], joined_at: expect.any(String) },
      });
      expect(bot.payloads.flatMap(({ s }) => s ?? [])).toEqual(bot.names().map((_name, index) => index + 1));
      bot.send(ops.heartbeat, bot.sequence());
      await bot.waitForOp(ops.ack);
      await bot.close();
    }
  });

  test("gets what its intents ask for, and the contents of messages only with theirs", async () => {
    const whole = await identify(stack.edgeUrl, stage.bot.token, { intents: guildMessages | messageContent });
    const empty = await identify(stack.edgeUrl, stage.bot.token, { intents: guildMessages });
    const message = await postMessage(stage.member, stage.channelId, "A secret move");
    const is = ({ id }: Record<string, unknown>) => id === snowflake(message.id);
    expect(await whole.waitFor("MESSAGE_CREATE", is)).toMatchObject({ content: "A secret move" });
    expect(await empty.waitFor("MESSAGE_CREATE", is)).toMatchObject({ content: "" });
    const own = await identify(stack.edgeUrl, stage.bot.token, { intents: 1 });
    expect(peopleOf(await own.waitFor("GUILD_CREATE"))).toEqual([snowflake(stage.bot.userId)]);
    await own.close();
    expect([whole.names(), empty.names()]).toEqual([
      ["READY", "MESSAGE_CREATE"],
      ["READY", "MESSAGE_CREATE"],
    ]);
    const { username } = stage.member.user;
    const bot = (await stage.owner.get(`/users/${stage.bot.userId}`)).body as { username: string };
    const mention = await postMessage(stage.member, stage.channelId, `@${bot.username} and @${username}`);
    const seen = await empty.waitFor("MESSAGE_CREATE", ({ id }) => id === snowflake(mention.id));
    const ids = [stage.bot.userId, stage.member.user.id].map(snowflake);
    expect(seen).toMatchObject({ content: `<@${ids[0]}> and <@${ids[1]}>`, mentions: ids.map((id) => ({ id })) });
    await Promise.all([whole.close(), empty.close()]);
  });

  test("gets interactions whatever its intents are", async () => {
    const bot = await identify(stack.edgeUrl, stage.bot.token, { intents: 0 });
    const begun = await stage.member.post(`/channels/${stage.channelId}/interactions`, use(stage, "play"));
    const { id } = begun.body as { id: string };
    const interaction = await bot.waitFor<{ id: string; token: string }>("INTERACTION_CREATE");
    expect(interaction).toMatchObject({
      id: snowflake(id),
      application_id: snowflake(stage.bot.userId),
      type: 2,
      data: { name: "play", type: 1 },
      guild_id: snowflake(stage.serverId),
      member: { user: { id: snowflake(stage.member.user.id) } },
    });
    expect(interaction.token.length).toBeGreaterThanOrEqual(64);
    await bot.close();
  });

  test("shows the presence that it sets, at first and later", async () => {
    const shown = async () => {
      const { body } = await stage.owner.get(`/servers/${stage.serverId}/members/${stage.bot.userId}`);
      const { status, activity, custom_status } = body as Record<string, unknown>;
      return JSON.stringify([status, activity, custom_status]);
    };
    const isShown = (...wanted: unknown[]) =>
      waitUntil(async () => (await shown()) === JSON.stringify(wanted), { what: wanted.join(", ") });
    const activities = [{ name: "chess", type: 0 }];
    const bot = await identify(stack.edgeUrl, stage.bot.token, { presence: { status: "idle", activities } });
    await isShown("away", "chess", null);
    const custom = [{ name: "Custom", type: 4, state: "Thinking" }];
    bot.send(ops.presence, { status: "dnd", activities: custom, afk: false, since: null });
    await isShown("dnd", null, "Thinking");
    bot.send(ops.presence, { status: "online", activities: [], afk: false, since: null });
    await isShown("online", null, null);
    await bot.close();
  });

  test("names members in chunks", async () => {
    const guild_id = snowflake(stage.serverId);
    const bot = openDiscord(stack.edgeUrl);
    await bot.waitForOp(ops.hello);
    // Asked at once, answered after READY and the server.
    bot.send(ops.identify, { token: stage.bot.token, intents: allIntents, properties: {} });
    bot.send(ops.members, { guild_id, query: "", limit: 0, nonce: "all", presences: true });
    const all = await bot.waitFor("GUILD_MEMBERS_CHUNK");
    expect(bot.names().slice(0, 2)).toEqual(["READY", "GUILD_CREATE"]);
    expect(all).toMatchObject({ guild_id, nonce: "all", chunk_index: 0, chunk_count: 1 });
    expect(peopleOf(all)).toEqual(people());
    // Some libraries write the server as a number.
    const asked = `"user_ids":["${snowflake(stage.member.user.id)}","1"],"nonce":"two"`;
    bot.sendText(`{"op":${ops.members},"d":{"guild_id":${guild_id},${asked}}}`);
    const two = await bot.waitFor("GUILD_MEMBERS_CHUNK", ({ nonce }) => nonce === "two");
    expect(two).toMatchObject({ members: [{ user: { id: snowflake(stage.member.user.id) } }], not_found: ["1"] });
    bot.send(ops.members, { guild_id, query: "", limit: 1_000_000_000_000, nonce: "many" });
    const many = await bot.waitFor("GUILD_MEMBERS_CHUNK", ({ nonce }) => nonce === "many");
    expect(many).toMatchObject({ chunk_index: 0, chunk_count: 1 });
    await bot.close();
  });

  test("has the servers of its shard, and direct messages with the first", async () => {
    const shard = Number((BigInt(snowflake(stage.serverId)) >> 22n) % 2n);
    const has = await identify(stack.edgeUrl, stage.bot.token, { shard: [shard, 2] });
    const lacks = await identify(stack.edgeUrl, stage.bot.token, { shard: [1 - shard, 2] });
    expect([has.ready.guilds.length, lacks.ready.guilds.length]).toEqual([1, 0]);
    await has.close();
    // Whichever connection gets it, it is not lost.
    await stage.member.post(`/channels/${stage.channelId}/interactions`, use(stage, "play"));
    expect(await lacks.waitFor("INTERACTION_CREATE")).toMatchObject({ guild_id: snowflake(stage.serverId) });
    await lacks.close();
  });

  test.each([
    ["text that is no JSON", "{", 4002],
    ["more than 4,096 bytes", JSON.stringify({ op: 1, d: null, _: "x".repeat(4_096) }), 4002],
    ["a name that nobody can have", JSON.stringify({ op: 8, d: { guild_id: "1", query: "a\u0000", limit: 1 } }), 4002],
    ["an unknown op", JSON.stringify({ op: 99, d: null }), 4001],
    ["a request before it has identified itself", JSON.stringify({ op: 3, d: { status: "online" } }), 4003],
    ["a wrong token", JSON.stringify({ op: 2, d: { token: "wrong", intents: 1 } }), 4004],
    [
      "a shard that does not exist",
      () => JSON.stringify({ op: 2, d: { token: stage.bot.token, intents: 1, shard: [2, 2] } }),
      4010,
    ],
    [
      "intents that do not exist",
      () => JSON.stringify({ op: 2, d: { token: stage.bot.token, intents: 1 << 30 } }),
      4013,
    ],
  ])("is closed for %s", async (_what, text, code) => {
    const socket = openDiscord(stack.edgeUrl);
    await socket.waitForOp(ops.hello);
    socket.sendText(typeof text === "string" ? text : text());
    expect(await socket.closed).toBe(code);
  });

  test("is closed for another version, another encoding, and a second identification", async () => {
    expect(await openDiscord(stack.edgeUrl, "v=8").closed).toBe(4012);
    expect(await openDiscord(stack.edgeUrl, "v=10&encoding=etf").closed).toBe(4012);
    const bot = await identify(stack.edgeUrl, stage.bot.token);
    bot.send(ops.identify, { token: stage.bot.token, intents: 0 });
    expect(await bot.closed).toBe(4005);
  });

  test("is closed for more than 120 payloads in a minute", async () => {
    const socket = openDiscord(stack.edgeUrl);
    await socket.waitForOp(ops.hello);
    for (let sent = 0; sent < 121; sent++) socket.send(ops.heartbeat, null);
    expect(await socket.closed).toBe(4008);
  });

  test("is closed once its token is revoked", async () => {
    const other = await createAppStage(stack.edgeUrl, []);
    const bot = await identify(stack.edgeUrl, other.bot.token);
    expect((await other.owner.delete(`/bots/${other.bot.id}`)).status).toBe(204);
    expect(await bot.closed).toBe(4004);
  });
});

describe("a session", () => {
  test("continues on another process after its own was killed: everything once, in order", async () => {
    const mortal = await stack.startDiscord();
    const bot = await identify(mortal.url, stage.bot.token, { intents: guildMessages | messageContent | 1 });
    await bot.waitFor("GUILD_CREATE");
    const before = await postMessage(stage.member, stage.channelId, "before");
    await bot.waitFor("MESSAGE_CREATE", ({ id }) => id === snowflake(before.id));
    const seq = bot.sequence();
    const received = await postMessage(stage.member, stage.channelId, "received, but not acknowledged");
    await bot.waitFor("MESSAGE_CREATE", ({ id }) => id === snowflake(received.id));
    await mortal.kill();
    await bot.closed;
    const missed: string[] = [];
    for (const text of ["one", "two", "three"])
      missed.push((await postMessage(stage.member, stage.channelId, text)).id);
    const session = { token: stage.bot.token, session: bot.ready.session_id };
    const first = await resume(stack.edgeUrl, { ...session, seq });
    await first.waitFor("RESUMED");
    const idsOf = ({ payloads }: typeof first) =>
      payloads.filter(({ t }) => t === "MESSAGE_CREATE").map(({ d }) => (d as { id: string }).id);
    expect(idsOf(first)).toEqual([received.id, ...missed].map(snowflake));
    expect(first.payloads.flatMap(({ s }) => s ?? [])).toEqual([1, 2, 3, 4, 5].map((each) => seq + each));
    first.terminate();
    const second = await resume(stack.edgeUrl, { ...session, seq: seq + 2 });
    await second.waitFor("RESUMED");
    expect(idsOf(second)).toEqual(missed.slice(1).map(snowflake));
    const after = await postMessage(stage.member, stage.channelId, "after");
    await second.waitFor("MESSAGE_CREATE", ({ id }) => id === snowflake(after.id));
    await second.close();
    // A client that closes in order cannot continue.
    const third = await resume(stack.edgeUrl, { ...session, seq: seq + 2 });
    expect(await third.waitForOp(ops.invalid)).toMatchObject({ d: false });
    third.send(ops.identify, { token: stage.bot.token, intents: 0 });
    await third.waitFor("READY");
    await third.close();
    await stack.dismiss(mortal);
  });

  test("an interaction is answered whose process was killed before the answer, and comes no second time", async () => {
    const mortal = await stack.startDiscord();
    const bot = await identify(mortal.url, stage.bot.token);
    const begun = await stage.member.post(`/channels/${stage.channelId}/interactions`, use(stage, "play"));
    const { id, token } = await bot.waitFor<{ id: string; token: string }>("INTERACTION_CREATE");
    await unhurried(stack.databaseUrl, begun.expect(202, Begun).id);
    const seq = bot.sequence();
    await mortal.kill();
    await bot.closed;
    const again = await resume(stack.edgeUrl, { token: stage.bot.token, session: bot.ready.session_id, seq });
    await again.waitFor("RESUMED");
    const body = JSON.stringify({ type: 4, data: { content: "Still here" } });
    const headers = { "content-type": "application/json" };
    const url = `${stack.edgeUrl}/discord/api/v10/interactions/${id}/${token}/callback`;
    expect((await fetch(url, { method: "POST", headers, body })).status).toBe(204);
    await again.waitFor("MESSAGE_CREATE", ({ content }) => content === "Still here");
    expect(again.names()).not.toContain("INTERACTION_CREATE");
    await again.close();
    await stack.dismiss(mortal);
  });

  test("is nobody else's", async () => {
    const bot = await identify(stack.edgeUrl, stage.bot.token);
    const other = await createAppStage(stack.edgeUrl, []);
    const thief = await resume(stack.edgeUrl, { token: other.bot.token, session: bot.ready.session_id, seq: 1 });
    expect(await thief.waitForOp(ops.invalid)).toMatchObject({ d: false });
    const message = await postMessage(stage.member, stage.channelId, "still mine");
    await bot.waitFor("MESSAGE_CREATE", ({ id }) => id === snowflake(message.id));
    await Promise.all([bot.close(), thief.close()]);
  });

  test("is asked to continue elsewhere when its process stops", async () => {
    const leaving = await stack.startDiscord();
    const bot = await identify(leaving.url, stage.bot.token);
    const stopped = leaving.stop();
    await bot.waitForOp(ops.reconnect);
    await bot.close(4000);
    // Until then it refuses connections.
    await stopped;
    const again = await resume(stack.edgeUrl, {
      token: stage.bot.token,
      session: bot.ready.session_id,
      seq: bot.sequence(),
    });
    await again.waitFor("RESUMED");
    await again.close();
    await stack.dismiss(leaving);
  });
});
