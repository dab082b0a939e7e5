import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectClient, type TestClient } from "../gateway-fixture.js";
import { closeAll, type OpsStage, settleAll, startOpsStage } from "./ops-fixture.js";

let stage: OpsStage;
beforeAll(async () => {
  stage = await startOpsStage();
});
afterAll(() => stage.stop());

describe("a typing event", () => {
  const typingIn = (channel_id: string) => ({ op: "TYPING_START", d: { channel_id } });

  test("a typing event goes to every viewer of the channel, the typist included, on every node", async () => {
    const { userId, friend, channel_id } = await stage.createPair();
    const client = await connectClient(stage.first, userId);
    client.send({ op: "TYPING_START", d: { channel_id: channel_id.toUpperCase() } });
    const { username } = await stage.first.database.prisma.user.findUniqueOrThrow({ where: { id: userId } });
    for (const receiver of [client, friend]) {
      const { d } = await receiver.receive("TYPING_START");
      expect(d).toEqual({
        user_id: userId,
        username,
        channel_id,
        timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      });
    }
    await closeAll(client, friend);
  });

  test("a typing event is dropped for strangers and for members who may not send there", async () => {
    const { userId, friendId, friend, server_id, channel_id } = await stage.createPair();
    const owner = await connectClient(stage.first, userId);
    const stranger = await connectClient(stage.first, await stage.rows.user());
    await stage.rows.override(channel_id, { user_id: friendId }, { deny: 2 });
    stranger.send(typingIn(channel_id));
    friend.send(typingIn(channel_id));
    friend.send(typingIn(server_id));
    await settleAll(stranger, friend);
    await stage.delivered(friend);
    owner.send(typingIn(channel_id));
    await friend.receive("TYPING_START");
    expect(friend.events()).toEqual(["TYPING_START"]);
    expect((await friend.receive("TYPING_START")).d.user_id).toBe(userId);
    await closeAll(owner, stranger, friend);
  });

  test("a typing event is delivered to both participants of direct messages only", async () => {
    const { userId, friendId, friend } = await stage.createPair();
    const [client, stranger] = [
      await connectClient(stage.first, userId),
      await connectClient(stage.first, await stage.rows.user()),
    ];
    const [user_low = "", user_high = ""] = [userId, friendId].sort();
    const { id } = await stage.first.database.prisma.dmChannel.create({ data: { user_low, user_high } });
    stranger.send(typingIn(id));
    await stranger.settled();
    client.send(typingIn(id));
    for (const receiver of [client, friend]) {
      expect((await receiver.receive("TYPING_START")).d).toMatchObject({ user_id: userId, channel_id: id });
    }
    await stranger.settled();
    expect([client, friend, stranger].map((receiver) => receiver.events().length)).toEqual([1, 1, 0]);
    await closeAll(client, stranger, friend);
  });
});

describe("the rate of typing", () => {
  const typings = (client: TestClient) => client.events().filter((name) => name === "TYPING_START").length;

  test("the rate of typing is one per channel in three seconds over all connections of a user on all nodes", async () => {
    const { userId, friend, server_id, channel_id } = await stage.createPair();
    const other_id = await stage.rows.channel(server_id);
    const clients = [await connectClient(stage.first, userId), await connectClient(stage.second, userId)];
    const startedAt = performance.now();
    for (let round = 0; round < 5; round++) {
      for (const client of clients) client.send({ op: "TYPING_START", d: { channel_id } });
    }
    await settleAll(...clients);
    clients[0]?.send({ op: "TYPING_START", d: { channel_id: other_id } });
    await friend.receive("TYPING_START", (d) => d.channel_id === other_id);
    // The one of the first channel may be of the other node, and come later.
    await waitUntil(() => typings(friend) >= 2, { what: "one of each channel" });
    await stage.delivered(friend);
    const pauses = Math.floor((performance.now() - startedAt) / 3_000);
    expect(typings(friend)).toBeLessThanOrEqual(2 + pauses);
    await closeAll(...clients, friend);
  });

  test("the rate of typing lets the next one of a channel pass after the pause, and none before", async () => {
    const typingPauseMs = 200;
    const { userId, friend, channel_id } = await stage.createPair();
    const client = await connectClient(await stage.startNode({ typingPauseMs }), userId);
    const startedAt = performance.now();
    await waitUntil(
      () => {
        client.send({ op: "TYPING_START", d: { channel_id } });
        return typings(friend) >= 3;
      },
      { what: "three in one channel" },
    );
    const pauses = (typings(friend) - 1) * typingPauseMs;
    // Redis counts by a clock of its own.
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(pauses - 10);
    await closeAll(client, friend);
  });

  test("the rate of typing is at most twenty a second in all channels", async () => {
    const { userId, friend, server_id } = await stage.createPair();
    const channels: string[] = [];
    for (let count = 0; count < 60; count++) channels.push(await stage.rows.channel(server_id));
    const clients: TestClient[] = [];
    for (let count = 0; count < 4; count++)
      clients.push(await connectClient(count % 2 ? stage.first : stage.second, userId));
    const startedAt = performance.now();
    for (const [index, channel_id] of channels.entries()) {
      clients[index % 4]?.send({ op: "TYPING_START", d: { channel_id } });
    }
    await settleAll(...clients);
    await waitUntil(() => typings(friend) >= 19, { what: "those of a second" });
    await stage.delivered(friend);
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(typings(friend)).toBeLessThanOrEqual(20 * (1 + seconds));
    await closeAll(...clients, friend);
  });
});
