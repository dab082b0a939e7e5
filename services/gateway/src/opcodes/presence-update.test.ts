import { generateToken, hashToken } from "@parley/auth";
import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectClient, openClient, startGateway, type TestClient } from "../gateway-fixture.js";
import { closeAll, type OpsStage, startOpsStage } from "./ops-fixture.js";

let stage: OpsStage;
beforeAll(async () => {
  stage = await startOpsStage();
});
afterAll(() => stage.stop());

const presences = (client: TestClient, userId: string) =>
  client.frames.flatMap(({ t, d }) => (t === "PRESENCE_UPDATE" && d.user_id === userId ? [d] : []));

describe("presence of a user", () => {
  test("presence of a user begins with the first connection, ends with the last, and shows in READY", async () => {
    const { userId, friend } = await stage.createPair();
    const first = await connectClient(stage.first, userId);
    expect(first.frames[0]?.d).toMatchObject({ user: { status: "online" } });
    await friend.receive("PRESENCE_UPDATE", (d) => d.user_id === userId && d.status === "online");
    const other = await connectClient(stage.second, userId);
    await first.close();
    await other.settled();
    expect(await stage.statusOf(userId)).toBe("online");
    await other.close();
    await friend.receive("PRESENCE_UPDATE", (d) => d.user_id === userId && d.status === "offline");
    expect(await stage.statusOf(userId)).toBe("offline");
    expect(presences(friend, userId).map((d) => d.status)).toEqual(["online", "offline"]);
    expect(first.events()).toEqual([]);
    await friend.close();
  });

  test("presence of a user follows the op: saved, sent to co-members, texts kept, cleared or refused", async () => {
    const { userId, friend } = await stage.createPair();
    const client = await connectClient(stage.first, userId);
    client.send({ op: "PRESENCE_UPDATE", d: { status: "dnd", custom_status: "busy", activity: "chess" } });
    client.send({ op: "PRESENCE_UPDATE", d: { status: "away" } });
    client.send({ op: "PRESENCE_UPDATE", d: { status: "away", custom_status: null, activity: "" } });
    client.send({ op: "PRESENCE_UPDATE", d: { status: "sleeping" } });
    client.send({ op: "PRESENCE_UPDATE", d: { status: "online", activity: "x".repeat(129) } });
    client.send({ op: "PRESENCE_UPDATE", d: { status: "online", custom_status: 7 } });
    client.send({ op: "PRESENCE_UPDATE", d: { activity: "no status" } });
    client.send({ op: "PRESENCE_UPDATE", d: { status: "offline" } });
    await friend.receive("PRESENCE_UPDATE", (d) => d.user_id === userId && d.status === "offline");
    const seen = { user_id: userId, custom_status: null, activity: null };
    expect(presences(friend, userId)).toEqual([
      { ...seen, status: "online" },
      { ...seen, status: "dnd", custom_status: "busy", activity: "chess" },
      { ...seen, status: "away", custom_status: "busy", activity: "chess" },
      { ...seen, status: "away" },
      { ...seen, status: "offline" },
    ]);
    expect(await stage.statusOf(userId)).toBe("offline");
    const invisible = await connectClient(stage.second, userId);
    expect(invisible.frames[0]?.d).toMatchObject({ user: { status: "offline" } });
    await closeAll(client, invisible, friend);
  });

  test("presence of a user saves what many connections of one user send as fewer changes, and at last exactly what came last", async () => {
    const { userId, friend } = await stage.createPair();
    const nodes = Array.from({ length: 16 }, (_, n) => (n % 2 === 0 ? stage.first : stage.second));
    const clients = await Promise.all(nodes.map((node) => connectClient(node, userId)));
    const sendAll = (d: object) => {
      for (const client of clients) {
        for (let count = 0; count < 15; count += 1) client.send({ op: "PRESENCE_UPDATE", d });
      }
    };
    sendAll({ status: "away", activity: "chess" });
    await Promise.all(clients.map((client) => client.settled()));
    // The last one to one node, and when that is seen, the last one of all to the other.
    for (const [client, custom_status] of [
      [clients[1], "first node"],
      [clients[0], "last"],
    ] as const) {
      client?.send({ op: "PRESENCE_UPDATE", d: { status: "dnd", custom_status } });
      await friend.receive("PRESENCE_UPDATE", (d) => d.user_id === userId && d.custom_status === custom_status);
    }
    expect(presences(friend, userId).at(-1)).toMatchObject({ status: "dnd", activity: "chess" });
    expect(presences(friend, userId).length).toBeLessThan(16 * 15);
    expect(await stage.statusOf(userId)).toBe("dnd");
    await closeAll(...clients);
    await friend.receive("PRESENCE_UPDATE", (d) => d.user_id === userId && d.status === "offline");
    await friend.settled();
    expect(presences(friend, userId).at(-1)).toMatchObject({ status: "offline" });
    await friend.close();
  });

  test("presence of a user ends voice before it says offline", async () => {
    const { userId, friend, server_id, channel_id } = await stage.createPair();
    const client = await connectClient(stage.first, userId);
    await stage.first.voice.join({ userId, username: "user", serverId: server_id, channelId: channel_id });
    await friend.receive("VOICE_STATE_UPDATE", (d) => d.channel_id === channel_id);
    await client.close();
    await friend.receive("PRESENCE_UPDATE", (d) => d.user_id === userId && d.status === "offline");
    const order = friend.frames.flatMap(({ t, d }) => (d?.user_id === userId ? [[t, d.status ?? d.channel_id]] : []));
    expect(order).toEqual([
      ["PRESENCE_UPDATE", "online"],
      ["VOICE_STATE_UPDATE", channel_id],
      ["VOICE_STATE_UPDATE", null],
      ["PRESENCE_UPDATE", "offline"],
    ]);
    await friend.close();
  });

  test("presence of a user closes the oldest of more than 50 connections of a user, over all nodes, with 1000", async () => {
    const userId = await stage.rows.user();
    const clients: TestClient[] = [];
    for (let count = 0; count < 52; count++)
      clients.push(await connectClient(count % 2 === 0 ? stage.first : stage.second, userId));
    const [oldest, next, third] = clients;
    expect(await oldest?.closed).toBe(1000);
    expect(await next?.closed).toBe(1000);
    await third?.settled();
    await closeAll(...clients.slice(2));
    await waitUntil(async () => (await stage.statusOf(userId)) === "offline");
  });

  test("presence of a user is applied to everybody when a node stops", async () => {
    const stopping = await startGateway({ ...stage.first });
    const { userId, friend } = await stage.createPair();
    const client = await connectClient(stopping, userId);
    await stopping.stop();
    expect(await client.closed).toBe(1001);
    expect(await stage.statusOf(userId)).toBe("offline");
    await friend.receive("PRESENCE_UPDATE", (d) => d.user_id === userId && d.status === "offline");
    await friend.close();
  });
});

describe("a bot's connection", () => {
  test("a bot's connection counts as presence and receives, but only its heartbeats are heard", async () => {
    const { userId, friend, server_id, channel_id } = await stage.createPair();
    const botToken = generateToken();
    const botId = await stage.rows.user();
    await stage.first.database.prisma.bot.create({
      data: { user_id: botId, name: "bot", token_hash: hashToken(botToken), created_by: userId },
    });
    await stage.rows.member(server_id, botId);
    const bot = openClient(stage.first, `bot_token=${botToken}`);
    await bot.receive("READY");
    await friend.receive("PRESENCE_UPDATE", (d) => d.user_id === botId && d.status === "online");
    bot.send({ op: "TYPING_START", d: { channel_id } });
    bot.send({ op: "PRESENCE_UPDATE", d: { status: "dnd" } });
    await bot.settled();
    expect(await stage.statusOf(botId)).toBe("online");
    friend.send({ op: "TYPING_START", d: { channel_id } });
    await bot.receive("TYPING_START");
    expect(bot.events()).toEqual(["TYPING_START"]);
    await closeAll(bot, friend);
  });
});
