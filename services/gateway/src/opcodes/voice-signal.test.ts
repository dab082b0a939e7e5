import { permissionBits } from "@parley/contracts";
import { waitUntil } from "@parley/testing";
import { createVoiceRights } from "@parley/voice";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectClient } from "../gateway-fixture.js";
import { signalsPerSecondMax } from "../limits.js";
import { closeAll, type OpsStage, settleAll, startOpsStage } from "./ops-fixture.js";

let stage: OpsStage;
beforeAll(async () => {
  stage = await startOpsStage();
});
afterAll(() => stage.stop());

describe("a voice signal", () => {
  test("a voice signal reaches every connection of somebody in the same voice channel, unchanged", async () => {
    const { userId, friendId, friend, server_id, channel_id } = await stage.createPair();
    const client = await connectClient(stage.first, userId);
    const friendAgain = await connectClient(stage.first, friendId);
    for (const id of [userId, friendId]) {
      await stage.first.voice.join({ userId: id, username: "x", serverId: server_id, channelId: channel_id });
    }
    const offer = { to_user_id: friendId, type: "offer", sdp: "v=0\r\n", stream_type: "screen" };
    client.send({ op: "VOICE_SIGNAL", d: offer });
    for (const receiver of [friend, friendAgain]) {
      expect((await receiver.receive("VOICE_SIGNAL")).d).toEqual({
        from_user_id: userId,
        type: "offer",
        sdp: "v=0\r\n",
        candidate: null,
        stream_type: "screen",
      });
    }
    await client.settled();
    expect(client.events()).not.toContain("VOICE_SIGNAL");
    await closeAll(client, friend, friendAgain);
  });

  test("a voice signal is dropped beyond the rate of a user over all nodes", async () => {
    const { userId, friendId, friend, server_id, channel_id } = await stage.createPair();
    for (const id of [userId, friendId]) {
      await stage.first.voice.join({ userId: id, username: "x", serverId: server_id, channelId: channel_id });
    }
    const nodes = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? stage.first : stage.second));
    const clients = await Promise.all(nodes.map((node) => connectClient(node, userId)));
    const startedAt = performance.now();
    for (const client of clients) {
      for (let count = 0; count < 18; count += 1) {
        client.send({ op: "VOICE_SIGNAL", d: { to_user_id: friendId, type: "offer" } });
      }
    }
    await settleAll(...clients);
    const seconds = (performance.now() - startedAt) / 1_000;
    // The bucket is not empty for long.
    await waitUntil(() => {
      clients[0]?.send({ op: "VOICE_SIGNAL", d: { to_user_id: friendId, type: "answer" } });
      return friend.frames.some(({ t, d }) => t === "VOICE_SIGNAL" && d.type === "answer");
    });
    const offers = friend.frames.filter(({ t, d }) => t === "VOICE_SIGNAL" && d.type === "offer");
    expect(offers.length).toBeGreaterThanOrEqual(100);
    expect(offers.length).toBeLessThanOrEqual(Math.ceil(signalsPerSecondMax * (1 + seconds)));
    await closeAll(...clients, friend);
  });

  test("a voice signal is dropped unless both are in the same voice channel and differ", async () => {
    const { userId, friendId, friend, server_id, channel_id } = await stage.createPair();
    const client = await connectClient(stage.first, userId);
    const signal = (to_user_id: string, type = "answer") =>
      client.send({ op: "VOICE_SIGNAL", d: { to_user_id, type } });
    signal(friendId);
    const elsewhere = await stage.rows.channel(server_id);
    await stage.first.voice.join({ userId, username: "x", serverId: server_id, channelId: channel_id });
    await stage.first.voice.join({ userId: friendId, username: "x", serverId: server_id, channelId: elsewhere });
    signal(friendId);
    signal(userId);
    await client.settled();
    await stage.first.voice.join({ userId: friendId, username: "x", serverId: server_id, channelId: channel_id });
    signal(friendId, "hello");
    signal(friendId, "candidate");
    await friend.receive("VOICE_SIGNAL");
    await settleAll(client, friend);
    const signals = [client, friend].map((receiver) => receiver.frames.filter((frame) => frame.t === "VOICE_SIGNAL"));
    expect(signals.map((frames) => frames.map((frame) => frame.d.type))).toEqual([[], ["candidate"]]);
    await closeAll(client, friend);
  });
});

describe("voice of those who lost their rights", () => {
  test("voice of those who lost their rights is not relayed, in neither direction, and ended by the gateways' checks", async () => {
    const { userId, friendId, friend, server_id, channel_id } = await stage.createPair();
    const thirdId = await stage.rows.user();
    await stage.rows.member(server_id, thirdId);
    const [owner, third] = [await connectClient(stage.first, userId), await connectClient(stage.second, thirdId)];
    for (const id of [userId, friendId, thirdId]) {
      await stage.first.voice.join({ userId: id, username: "x", serverId: server_id, channelId: channel_id });
    }
    // As when the process that took the right died before it ended the voice state.
    await stage.rows.override(channel_id, { user_id: friendId }, { deny: permissionBits.VIEW_CHANNEL });
    const signal = (to_user_id: string) => ({ op: "VOICE_SIGNAL", d: { to_user_id, type: "offer" } });
    friend.send(signal(userId));
    owner.send(signal(friendId));
    await settleAll(friend, owner);
    owner.send(signal(thirdId));
    await third.receive("VOICE_SIGNAL");
    third.send(signal(userId));
    await owner.receive("VOICE_SIGNAL");
    expect(
      [owner, friend].map((receiver) => receiver.events().filter((name) => name === "VOICE_SIGNAL").length),
    ).toEqual([1, 0]);
    const checks = [stage.first, stage.second].map(({ database, voice }) => createVoiceRights({ database, voice }));
    await Promise.all(checks.map((rights) => rights.enforceAll({ afterMs: 0 })));
    expect((await stage.first.voice.listChannel(channel_id)).map(({ user_id }) => user_id)).toEqual([userId, thirdId]);
    for (const client of [owner, third]) {
      await client.receive("VOICE_STATE_UPDATE", (d) => d.user_id === friendId && d.channel_id === null);
    }
    await closeAll(owner, third, friend);
  });
});
