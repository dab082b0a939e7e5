import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lastCursor } from "../continuing/continuing-fixture.js";
import { openClient, publish, publishEphemeral } from "../gateway-fixture.js";
import {
  activityOf,
  connectView,
  gotOf,
  type PassiveStage,
  passiveScene,
  settled,
  startPassiveStage,
  untilPassive,
  view,
} from "./passive-fixture.js";

let stage: PassiveStage;
beforeAll(async () => {
  stage = await startPassiveStage();
});
afterAll(() => stage.stop());

describe("a passive server", () => {
  test("sends messages, reactions and typing of channels in view, and nothing of them of other channels", async () => {
    const { users, server_id, clients, general, other, close } = await passiveScene(stage);
    const [viewer, ...others] = clients;
    if (viewer === undefined) throw new Error("no client");
    await view(viewer, general.channel_id);
    const message = await stage.post(general, "Hello");
    const [{ messaging }] = stage.nodes;
    const reaction = { message_id: message.id, channel_id: general.channel_id, user_id: users[1] ?? "", emoji: "👍" };
    await publish(messaging, "REACTION_ADD", general, reaction);
    publishEphemeral(messaging, "TYPING_START", general, {
      user_id: users[1] ?? "",
      username: "x",
      channel_id: general.channel_id,
      timestamp: message.created_at,
    });
    await viewer.receive("TYPING_START");
    await stage.post(other, "Elsewhere");
    await settled(stage, { server_id }, ...clients);
    expect(gotOf(viewer)).toEqual(["Hello", "REACTION_ADD", "TYPING_START", "MEMBER_TIMEOUT_REMOVE"]);
    for (const client of others) expect(gotOf(client)).toEqual(["MEMBER_TIMEOUT_REMOVE"]);
    await close();
  });

  test("sends a message of any channel at once to whom it names, answers or is by, to all when it mentions everyone, and replies to who follows the thread", async () => {
    const { users, server_id, clients, general, close } = await passiveScene(stage);
    const [author = "", named = "", answered = "", follower = ""] = users;
    const root = await stage.post(general, "Root");
    await clients[3]?.close();
    await stage.post(general, "Named", { author_id: author, mention_user_ids: [named] });
    await stage.post(general, "Answer", { author_id: author, reply_to: root.id }, { answers: answered });
    await stage.database.prisma.notificationTarget.create({
      data: { user_id: follower, kind: "thread", target_id: root.id, level: "all" },
    });
    const { client: second } = await connectView(stage.nodes[1], follower);
    await untilPassive(second, server_id);
    clients[3] = second;
    await stage.post(general, "Reply", { thread_id: root.id });
    await second.receive("THREAD_MESSAGE_CREATE");
    await stage.post(general, "Everyone", { mention_everyone: true });
    await settled(stage, { server_id }, ...clients);
    const ofAll = ["Everyone", "MEMBER_TIMEOUT_REMOVE"];
    const got = clients.map(gotOf);
    expect(got).toEqual([
      ["Named", "Answer", ...ofAll],
      ["Named", ...ofAll],
      ["Answer", ...ofAll],
      ["Reply", ...ofAll],
      ofAll,
    ]);
    await close();
  });

  test("sends a message of any channel at once to holders of a role that it mentions, and to all when it mentions those who are connected", async () => {
    const { users, server_id, clients, general, close } = await passiveScene(stage);
    const [, holder = ""] = users;
    const role = await stage.rows.role(server_id);
    await stage.rows.giveRole(server_id, holder, role);
    const [{ messaging }] = stage.nodes;
    const added = { server_id, user_id: holder, role_id: role, role_name: "x", role_color: "#000000" };
    await publish(messaging, "MEMBER_ROLE_ADD", { server_id }, added);
    await stage.post(general, "Role", { mention_role_ids: [role] });
    await stage.post(general, "Here", { mention_here: true });
    await settled(stage, { server_id }, ...clients);
    const all = ["MEMBER_ROLE_ADD", "Here", "MEMBER_TIMEOUT_REMOVE"];
    expect(clients.map(gotOf)).toEqual([all, all.toSpliced(1, 0, "Role"), all, all, all]);
    await close();
  });

  test("sends replies of a thread to who follows it from the event of their settings on, and no longer after it", async () => {
    const { users, server_id, clients, general, close } = await passiveScene(stage);
    const [follower = ""] = users;
    const [client] = clients;
    const [{ messaging }] = stage.nodes;
    const root = await stage.post(general, "Root");
    const settings = (threads: Record<string, { level: "all" | null }>) => ({
      default: { level: "mentions" as const },
      servers: {},
      channels: {},
      threads,
      quiet: null,
      timezone: "UTC",
      push: { enabled: true, content: true },
      mail: "off" as const,
    });
    await publish(messaging, "NOTIFICATIONS_UPDATE", { user_id: follower }, settings({ [root.id]: { level: "all" } }));
    await client?.receive("NOTIFICATIONS_UPDATE");
    await stage.post(general, "First", { thread_id: root.id });
    await client?.receive("THREAD_MESSAGE_CREATE");
    await publish(messaging, "NOTIFICATIONS_UPDATE", { user_id: follower }, settings({ [root.id]: { level: null } }));
    await waitUntil(() => client?.frames.filter(({ t }) => t === "NOTIFICATIONS_UPDATE").length === 2);
    await stage.post(general, "Second", { thread_id: root.id });
    await settled(stage, { server_id }, ...clients);
    expect(client && gotOf(client).filter((got) => got === "First" || got === "Second")).toEqual(["First"]);
    await close();
  });

  test("is passive neither for connections without view nor with few connected members, and READY says which servers are", async () => {
    const { users, server_id, clients, general, close } = await passiveScene(stage);
    const [userId = ""] = users;
    const [node, elsewhere] = stage.nodes;
    const token = elsewhere.accessTokens.issue({ userId });
    const small = await stage.place({ members: 1 });
    await stage.rows.member(small.server_id, userId);
    await clients[0]?.close();
    const plain = openClient(node, `v=2&token=${token}`);
    const ready = await plain.receive("READY");
    expect(ready.d).not.toHaveProperty("passive");
    plain.send({ op: "VIEW", d: { channel_ids: [general.channel_id] } });
    expect((await plain.receive("VIEW_ACK")).d).toEqual({ channel_ids: [general.channel_id], passive: [] });
    const { client, first } = await connectView(node, userId, { s: "" });
    expect(first.d.passive).toEqual([server_id]);
    await stage.post(general, "Left out");
    await stage.post({ server_id: small.server_id, channel_id: small.places[0]?.channel_id ?? "" }, "Small");
    await plain.receive("MESSAGE_CREATE", (d) => d.content === "Small");
    await client.receive("MESSAGE_CREATE");
    expect(gotOf(client)).toEqual(["Small"]);
    expect(gotOf(plain)).toEqual(["Left out", "Small"]);
    for (const one of [plain, client]) await one.close();
    await close();
    expect(clients).toHaveLength(5);
  });

  test("is passive from SERVER_JOIN on for a user who joins it while they are connected", async () => {
    const { server_id, general, close } = await passiveScene(stage);
    const [{ messaging }, node] = stage.nodes;
    const user_id = await stage.rows.user();
    const { client, first } = await connectView(node, user_id);
    expect(first.d.passive).toEqual([]);
    await stage.rows.member(server_id, user_id);
    await publish(messaging, "SERVER_JOINED", { user_id }, { server_id, user_id });
    await untilPassive(client, server_id);
    await stage.post(general, "Left out");
    await settled(stage, { server_id }, client);
    expect(client.events().filter((name) => name !== "CHANNEL_ACTIVITY")).toEqual([
      "SERVER_JOIN",
      "VIEW_ACK",
      "MEMBER_TIMEOUT_REMOVE",
    ]);
    await client.close();
    await close();
  });

  test("is no longer passive with fewer members: what is due, then VIEW_ACK, then everything", async () => {
    const { clients, general, other, server_id } = await passiveScene(stage);
    const [first, ...others] = clients;
    if (first === undefined) throw new Error("no client");
    const { length: before } = first.frames;
    const { id } = await stage.post(general, "Left out");
    for (const client of others) await client.close();
    await untilPassive(first);
    await stage.post(other, "Not left out");
    await first.receive("MESSAGE_CREATE");
    const told = first.frames.slice(before).filter(({ t }) => t !== "PRESENCE_UPDATE");
    const channels = [{ channel_id: general.channel_id, last_message_id: id, unread_count: 1, mention_count: 0 }];
    expect(told.map(({ t, d }) => [t, t === "MESSAGE_CREATE" ? d.content : d])).toEqual([
      ["CHANNEL_ACTIVITY", { server_id, channels }],
      ["VIEW_ACK", { channel_ids: [], passive: [] }],
      ["MESSAGE_CREATE", "Not left out"],
    ]);
    await first.close();
  });
});

describe("a connection that continues", () => {
  test("gets everything of channels that it showed, what concerns it of others, RESUMED with the passive servers, then the numbers", async () => {
    const { users, server_id, clients, general, other, close } = await passiveScene(stage);
    const [userId = ""] = users;
    const [client] = clients;
    if (client === undefined) throw new Error("no client");
    await view(client, general.channel_id);
    await stage.post(general, "Before");
    await client.receive("MESSAGE_CREATE");
    client.socket.terminate();
    await client.closed;
    await stage.post(general, "Missed");
    const left = await stage.post(other, "Left out");
    await stage.post(other, "Named", { mention_user_ids: [userId] });
    const resumed = await connectView(stage.nodes[1], userId, {
      view: `${general.channel_id},${other.channel_id}`,
      s: lastCursor(client),
    });
    expect(resumed.first).toMatchObject({ t: "RESUMED", d: { replayed: 2, passive: [server_id] } });
    await waitUntil(() => activityOf(resumed.client, other.channel_id)?.unread_count === 2);
    expect(activityOf(resumed.client, other.channel_id)?.last_message_id).not.toBe(left.id);
    const names = resumed.client.frames.map(({ t }) => t);
    expect(names.indexOf("RESUMED")).toBeLessThan(names.indexOf("CHANNEL_ACTIVITY"));
    expect(gotOf(resumed.client).filter((got) => got !== "CHANNEL_ACTIVITY")).toEqual(["Missed", "Named"]);
    // Both are in view from now on.
    await stage.post(other, "Shown");
    await resumed.client.receive("MESSAGE_CREATE", (d) => d.content === "Shown");
    await resumed.client.close();
    await close();
  });

  test("gets the sums of events that were omitted before it was lost and not summed up yet", async () => {
    const { users, clients, general, other, close } = await passiveScene(stage);
    const [userId = ""] = users;
    const [client] = clients;
    if (client === undefined) throw new Error("no client");
    await view(client, general.channel_id);
    await stage.post(other, "Left out");
    await stage.post(general, "Behind it");
    await client.receive("MESSAGE_CREATE");
    client.socket.terminate();
    await client.closed;
    const resumed = await connectView(stage.nodes[1], userId, { view: general.channel_id, s: lastCursor(client) });
    expect(resumed.first).toMatchObject({ t: "RESUMED", d: { replayed: 0 } });
    await waitUntil(() => activityOf(resumed.client, other.channel_id)?.unread_count === 1);
    await resumed.client.close();
    await close();
  });

  test("begins anew with or without view", async () => {
    const { users, server_id, clients, close } = await passiveScene(stage);
    const [userId = ""] = users;
    const [client] = clients;
    if (client === undefined) throw new Error("no client");
    const [node] = stage.nodes;
    const s = encodeURIComponent(lastCursor(client));
    const plain = openClient(node, `v=2&s=${s}&token=${node.accessTokens.issue({ userId })}`);
    expect((await plain.receive("READY")).d.resync).toBe("filter");
    const back = await connectView(node, userId, { s: lastCursor(plain) });
    expect(back.first).toMatchObject({ t: "READY", d: { resync: "filter", passive: [server_id] } });
    const other = await connectView(node, userId, {
      s: lastCursor(client),
      view: "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60",
    });
    expect(other.first.t).toBe("RESUMED");
    for (const one of [plain, back.client, other.client]) await one.close();
    await close();
  });
});
