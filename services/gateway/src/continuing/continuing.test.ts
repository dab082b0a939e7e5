import { permissionBits } from "@parley/contracts";
import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { publish } from "../gateway-fixture.js";
import { connectNumbered, contentsOf, continueAt, lastCursor, openNumbered, startStage } from "./continuing-fixture.js";
import { lockRoles } from "./lock-roles-fixture.js";

let stage: Awaited<ReturnType<typeof startStage>>;

beforeAll(async () => {
  stage = await startStage();
});

afterAll(() => stage.stop());

/** A user in two servers with a numbered connection to the first node. */
async function createScene() {
  const userId = await stage.rows.user();
  const places = [await stage.place(userId), await stage.place(userId)] as const;
  const client = await connectNumbered(stage.nodes[0], userId);
  return { userId, places, client };
}

/** A member of a server with two channels, whose numbered connection is lost. */
async function createRightsScene() {
  const [ownerId, userId] = [await stage.rows.user(), await stage.rows.user()];
  const open = await stage.place(ownerId, [userId]);
  const other = { ...open, channel_id: await stage.rows.channel(open.server_id) };
  const client = await connectNumbered(stage.nodes[0], userId);
  await client.close();
  return { ownerId, userId, open, other, client };
}

describe("a numbered connection that continues", () => {
  test.each([
    ["the same node", 0],
    ["another node", 1],
  ] as const)("gets on %s what it missed, once and in order, then RESUMED, then what happens", async (_, node) => {
    const { userId, places, client } = await createScene();
    await stage.post(places[0], "before");
    await client.receive("MESSAGE_CREATE");
    await client.close();
    const missed = ["1", "2", "3", "4", "5", "6"];
    for (const [index, content] of missed.entries()) {
      if (index % 3 === 2) await stage.sendDm(userId, content);
      else await stage.post(places[index % 2 === 0 ? 0 : 1], content);
    }
    const { client: again, answer } = await continueAt(stage.nodes[node], userId, lastCursor(client));
    expect(answer).toMatchObject({ t: "RESUMED", d: { replayed: 6 } });
    expect(contentsOf(again.frames)).toEqual(missed);
    expect(again.frames.map(({ t }) => t)).not.toContain("READY");
    await stage.post(places[1], "after");
    await again.receive("MESSAGE_CREATE", (d) => d.content === "after");
    expect(contentsOf(again.frames)).toEqual([...missed, "after"]);
    await again.close();
    const { client: third, answer: nothing } = await continueAt(stage.nodes[0], userId, lastCursor(again));
    expect(nothing).toMatchObject({ t: "RESUMED", d: { replayed: 0 } });
    expect(third.frames.filter(({ s }) => s !== undefined)).toHaveLength(1);
    await third.close();
  });

  test("continues wherever a replay was cut, and from RESUMED, READY and every live event", async () => {
    const { userId, places, client } = await createScene();
    await client.close();
    for (let index = 0; index < 6; index++) await stage.post(places[index % 2 === 0 ? 0 : 1], `${index}`);
    const { client: replayed } = await continueAt(stage.nodes[1], userId, lastCursor(client));
    await stage.post(places[0], "live");
    await replayed.receive("MESSAGE_CREATE", (d) => d.content === "live");
    const all = contentsOf(replayed.frames);
    expect(all).toHaveLength(7);
    const withCursor = replayed.frames.filter(({ s }) => s !== undefined);
    for (const [index, frame] of withCursor.entries()) {
      const { client: again, answer } = await continueAt(stage.nodes[index % 2 === 0 ? 0 : 1], userId, frame.s ?? "");
      const before = contentsOf(withCursor.slice(0, index + 1));
      expect([...before, ...contentsOf(again.frames)]).toEqual(all);
      expect(answer.d.replayed).toBe(all.length - before.length);
      await again.close();
    }
    await replayed.close();
  });

  test("a numbered connection that continues gets events that another server's events overtook neither twice nor too late", async () => {
    const { userId, places, client } = await createScene();
    const [held, other] = places;
    for (const place of places) await stage.post(place, "first");
    await client.receive("MESSAGE_CREATE", () => contentsOf(client.frames).length === 2);
    const role_id = await stage.rows.role(held.server_id);
    const release = await lockRoles(stage.nodes[0]);
    const target = { server_id: held.server_id };
    await publish(stage.nodes[0].messaging, "ROLE_DELETE", target, { ...target, role_id });
    await stage.post(held, "waits");
    await stage.post(other, "overtakes");
    await client.receive("MESSAGE_CREATE", (d) => d.content === "overtakes");
    client.socket.terminate();
    await client.closed;
    await stage.post(held, "later");
    await release();
    for (const node of stage.nodes) {
      const { client: again } = await continueAt(node, userId, lastCursor(client));
      expect(contentsOf(again.frames)).toEqual(["waits", "later"]);
      await again.close();
    }
  });

  test("continues exactly from every cursor while more servers wait than one cursor can name", async () => {
    const userId = await stage.rows.user();
    const other = await stage.place(userId);
    const held = await Promise.all(Array.from({ length: 100 }, () => stage.place(userId)));
    const client = await connectNumbered(stage.nodes[0], userId);
    for (const place of [...held, other]) await stage.post(place, "first");
    await client.receive("MESSAGE_CREATE", () => contentsOf(client.frames).length === 101);
    const release = await lockRoles(stage.nodes[0]);
    for (const [index, { server_id, channel_id }] of held.entries()) {
      await publish(stage.nodes[0].messaging, "ROLE_DELETE", { server_id }, { server_id, role_id: server_id });
      await stage.post({ server_id, channel_id }, `waits ${index}`);
      if (index % 5 === 0) await stage.post(other, `overtakes ${index}`);
    }
    await release();
    const all = 101 + 100 + 20;
    await client.receive("MESSAGE_CREATE", () => contentsOf(client.frames).length === all);
    const messages = client.frames.filter(({ t }) => t === "MESSAGE_CREATE").slice(100);
    expect(new Set(contentsOf(messages)).size).toBe(messages.length);
    for (let at = 0; at < messages.length; at += 11) {
      const { client: again, answer } = await continueAt(stage.nodes[1], userId, messages[at]?.s ?? "");
      expect(answer.t).toBe("RESUMED");
      expect(contentsOf(again.frames).sort()).toEqual(contentsOf(messages.slice(at + 1)).sort());
      await again.close();
    }
    await client.close();
  });

  test("a numbered connection that continues gets nothing again that was read from the stream because it followed a join", async () => {
    const userId = await stage.rows.user();
    const joined = await connectNumbered(stage.nodes[0], userId);
    const ownerId = await stage.rows.user();
    const { messaging } = stage.nodes[0];
    for (let round = 0; round < 10; round++) {
      const place = await stage.place(ownerId, [userId]);
      const payload = { server_id: place.server_id, user_id: userId };
      // The second is stored before the node has subscribed to the server.
      await Promise.all([
        publish(messaging, "SERVER_JOINED", { user_id: userId }, payload),
        stage.post(place, `${round}`),
      ]);
      await joined.receive("MESSAGE_CREATE", (d) => d.content === `${round}`);
      const { client, answer } = await continueAt(stage.nodes[1], userId, lastCursor(joined));
      expect(answer).toMatchObject({ t: "RESUMED", d: { replayed: 0 } });
      await client.close();
    }
    await joined.close();
  });

  test("a numbered connection that continues gets nothing of a channel that is hidden from its user now, if that happened before the rights were read", async () => {
    const { userId, open, other, client } = await createRightsScene();
    const { server_id, channel_id } = other;
    const role_id = await stage.rows.role(server_id);
    await stage.rows.giveRole(server_id, userId, role_id);
    await stage.rows.override(channel_id, { role_id }, { deny: permissionBits.VIEW_CHANNEL });
    const allowed = await stage.rows.override(channel_id, { user_id: userId }, { allow: permissionBits.VIEW_CHANNEL });
    await stage.post(other, "secret");
    await stage.post(open, "public");
    const [, node] = stage.nodes;
    // Both nodes have to read the rights.
    await publish(node.messaging, "ROLE_DELETE", { server_id }, { server_id, role_id: server_id });
    const release = await lockRoles(stage.nodes[0]);
    const { permissionReloads } = node.metrics;
    const waiting = openNumbered(node, userId, lastCursor(client));
    await waitUntil(() => node.metrics.permissionReloads > permissionReloads, {
      what: "the replay to read the rights",
    });
    await node.database.prisma.channelOverride.delete({ where: { id: allowed.id } });
    const deleted = { channel_id, override_id: allowed.id };
    await publish(node.messaging, "CHANNEL_OVERRIDE_DELETE", { server_id }, deleted);
    await release();
    await waiting.receive("RESUMED");
    const { client: again } = await continueAt(stage.nodes[0], userId, lastCursor(client));
    for (const one of [waiting, again]) {
      expect(contentsOf(one.frames)).toEqual(["public"]);
      await one.close();
    }
  });

  test("a numbered connection that continues gets all that followed in a channel that became visible, and before it at most what was there before", async () => {
    const { userId, other, client } = await createRightsScene();
    const { server_id, channel_id } = other;
    const override = await stage.rows.override(channel_id, { user_id: userId }, { deny: permissionBits.VIEW_CHANNEL });
    await stage.post(other, "before");
    const [{ database, messaging }] = stage.nodes;
    await database.prisma.channelOverride.delete({ where: { id: override.id } });
    await publish(messaging, "CHANNEL_OVERRIDE_DELETE", { server_id }, { channel_id, override_id: override.id });
    await stage.post(other, "after");
    for (const node of stage.nodes) {
      const { client: again, answer } = await continueAt(node, userId, lastCursor(client));
      expect(answer.t).toBe("RESUMED");
      expect([["after"], ["before", "after"]]).toContainEqual(contentsOf(again.frames));
      await again.close();
    }
  });

  test("a numbered connection that continues gets that somebody left a voice channel for one that is hidden from its user now", async () => {
    const { ownerId, userId, open, other, client } = await createRightsScene();
    const [{ messaging }] = stage.nodes;
    const state = { user_id: ownerId, username: "owner", server_mute: false, server_deaf: false };
    const own = { self_mute: false, self_deaf: false, self_video: false, self_screen: false };
    const left = { ...state, ...own, channel_id: null, joined_at: null };
    const joined = { ...left, channel_id: other.channel_id, joined_at: new Date().toISOString() };
    await publish(messaging, "VOICE_STATE_UPDATE", open, left, { except_viewers_of: other.channel_id });
    await publish(messaging, "VOICE_STATE_UPDATE", other, joined);
    const hidden = await stage.rows.override(
      other.channel_id,
      { user_id: userId },
      { deny: permissionBits.VIEW_CHANNEL },
    );
    await publish(messaging, "CHANNEL_OVERRIDE_UPDATE", { server_id: other.server_id }, hidden);
    for (const node of stage.nodes) {
      const { client: again } = await continueAt(node, userId, lastCursor(client));
      const states = again.frames.filter(({ t }) => t === "VOICE_STATE_UPDATE");
      expect(states.map(({ d }) => d.channel_id)).toEqual([null]);
      await again.close();
    }
  });

  test("a numbered connection that continues gets the events that it asks for, of the servers of its shard", async () => {
    const { userId, places, client } = await createScene();
    await client.close();
    const query = "&events=MESSAGE_CREATE&shard=0/1";
    const filtered = await connectNumbered(stage.nodes[0], userId, query);
    await filtered.close();
    await stage.sendDm(userId, "direct");
    await stage.post(places[0], "message");
    const { client: again, answer } = await continueAt(stage.nodes[1], userId, lastCursor(filtered), query);
    expect(answer).toMatchObject({ t: "RESUMED", d: { replayed: 1 } });
    expect(contentsOf(again.frames)).toEqual(["message"]);
    await again.close();
  });

  test("a numbered connection that continues shows each user their own vote in a replayed poll", async () => {
    const { userId, places, client } = await createScene();
    await client.close();
    const [{ server_id, channel_id }] = places;
    const { prisma } = stage.nodes[0].database;
    const message = await prisma.message.create({ data: { server_id, channel_id, content: "poll" } });
    const poll = await prisma.poll.create({ data: { message_id: message.id, question: "?" } });
    const option = await prisma.pollOption.create({ data: { poll_id: poll.id, text: "a", position: 0 } });
    await prisma.pollVote.create({ data: { poll_id: poll.id, user_id: userId, option_id: option.id } });
    const options = [{ id: option.id, text: "a", votes: 1 }];
    const updated_poll = { id: poll.id, question: "?", options, total_votes: 1, user_vote: null };
    const payload = { poll_id: poll.id, channel_id, message_id: message.id, updated_poll };
    await publish(stage.nodes[0].messaging, "POLL_VOTE", places[0], payload, { poll_id: poll.id });
    const { client: again } = await continueAt(stage.nodes[1], userId, lastCursor(client));
    expect(again.frames.find(({ t }) => t === "POLL_VOTE")?.d.updated_poll).toMatchObject({ user_vote: option.id });
    await again.close();
  });

  test("a numbered connection that continues gets the changed presence of co-members before RESUMED, as far as it asks for presence", async () => {
    const [userId, friendId, strangerId] = [await stage.rows.user(), await stage.rows.user(), await stage.rows.user()];
    await stage.place(userId, [friendId]);
    const client = await connectNumbered(stage.nodes[0], userId);
    await client.close();
    for (const id of [friendId, strangerId]) {
      await stage.nodes[0].presence.setStatus(id, { status: "dnd", custom_status: "away from the keys" });
    }
    const { client: again, answer } = await continueAt(stage.nodes[1], userId, lastCursor(client));
    expect(answer).toMatchObject({ t: "RESUMED", d: { replayed: 0, presence: "current" } });
    const payload = { user_id: friendId, status: "dnd", custom_status: "away from the keys", activity: null };
    expect(again.frames[0]).toEqual({ op: "DISPATCH", t: "PRESENCE_UPDATE", d: payload });
    expect(again.frames.map(({ t }) => t)).toEqual(["PRESENCE_UPDATE", "RESUMED"]);
    await again.close();
    const { client: quiet } = await continueAt(stage.nodes[1], userId, lastCursor(client), "&presence=none");
    expect(quiet.frames.map(({ t }) => t)).toEqual(["RESUMED"]);
    await quiet.close();
  });
});
