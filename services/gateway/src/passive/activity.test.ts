import { waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { publish } from "../gateway-fixture.js";
import { activityOf, type PassiveStage, passiveScene, settled, startPassiveStage, view } from "./passive-fixture.js";

let stage: PassiveStage;
beforeAll(async () => {
  stage = await startPassiveStage();
});
afterAll(() => stage.stop());

describe("CHANNEL_ACTIVITY", () => {
  test("sums up what was left out, as each user has read and is mentioned, without who blocked the author", async () => {
    const { users, clients, general, other, close } = await passiveScene(stage);
    const [author = "", reader = "", blocker = "", third = ""] = users;
    await stage.post(general, "Read");
    await stage.ack(reader, general);
    await stage.database.prisma.userBlock.create({ data: { blocker_id: blocker, blocked_id: author } });
    await stage.post(general, "One", { author_id: author });
    await stage.post(general, "Two", { author_id: author, mention_user_ids: [reader, blocker] });
    const last = await stage.post(general, "Three", { author_id: third });
    const untilTold = clients.map((client) => waitUntil(() => activityOf(client, general.channel_id)));
    const told = await Promise.all(untilTold);
    const channel = { channel_id: general.channel_id, last_message_id: last.id };
    expect(told).toEqual([
      { ...channel, unread_count: 2, mention_count: 0 },
      { ...channel, unread_count: 3, mention_count: 1 },
      { ...channel, unread_count: 4, mention_count: 0 },
      { ...channel, unread_count: 3, mention_count: 0 },
      { ...channel, unread_count: 4, mention_count: 0 },
    ]);
    expect(clients.map((client) => activityOf(client, other.channel_id))).toEqual(clients.map(() => undefined));
    await close();
  });

  test("follows deletions and marks that go forward and back, and is not sent of what they got or of channels in view", async () => {
    const { users, server_id, clients, general, other, close } = await passiveScene(stage);
    const [author = "", reader = ""] = users;
    const [authors, readers, viewers] = clients;
    if (authors === undefined || readers === undefined || viewers === undefined) throw new Error("no clients");
    await view(viewers, general.channel_id);
    const one = await stage.post(general, "One", { author_id: author });
    const two = await stage.post(general, "Two", { author_id: author });
    await waitUntil(() => activityOf(readers, general.channel_id)?.unread_count === 2);
    await stage.remove(general, two.id);
    await waitUntil(() => activityOf(readers, general.channel_id)?.unread_count === 1);
    expect(activityOf(readers, general.channel_id)?.last_message_id).toBe(one.id);
    await stage.ack(reader, general);
    await readers.receive("READ_STATE_UPDATE");
    await stage.post(general, "Three", { author_id: author });
    await waitUntil(() => activityOf(readers, general.channel_id)?.last_message_id !== one.id);
    expect(activityOf(readers, general.channel_id)?.unread_count).toBe(1);
    expect(activityOf(viewers, general.channel_id)).toBeUndefined();
    await stage.ack(reader, general, new Date(Date.parse(one.created_at) - 1));
    await waitUntil(() => readers.frames.filter(({ t }) => t === "READ_STATE_UPDATE").length === 2);
    await stage.post(general, "Four", { author_id: author });
    await waitUntil(() => activityOf(readers, general.channel_id)?.unread_count === 3);
    // The author missed only the deletion.
    expect(authors.frames.filter(({ t }) => t === "CHANNEL_ACTIVITY")).toHaveLength(1);
    expect(activityOf(authors, other.channel_id)).toBeUndefined();
    await settled(stage, { server_id }, ...clients);
    await close();
  });

  test("comes before VIEW_ACK for a channel that is shown, and every message follows that is stored later", async () => {
    const { server_id, clients, general, close } = await passiveScene(stage);
    const [client] = clients;
    if (client === undefined) throw new Error("no client");
    const { length: before } = client.frames;
    const { id } = await stage.post(general, "Left out");
    // Else the client would view the channel before its gateway has heard of the message.
    await settled(stage, { server_id }, client);
    await view(client, general.channel_id);
    await stage.post(general, "In view");
    await client.receive("MESSAGE_CREATE");
    const barriers = ["PRESENCE_UPDATE", "MEMBER_TIMEOUT_REMOVE"];
    const told = client.frames.slice(before).filter(({ t }) => !barriers.includes(String(t)));
    expect(told.map(({ t }) => t)).toEqual(["CHANNEL_ACTIVITY", "VIEW_ACK", "MESSAGE_CREATE"]);
    expect(told[0]?.d.channels).toEqual([
      { channel_id: general.channel_id, last_message_id: id, unread_count: 1, mention_count: 0 },
    ]);
    await close();
  });

  test("is sent only of channels that the user may view", async () => {
    const { users, clients, general, other, close } = await passiveScene(stage);
    const [, hiddenFrom = ""] = users;
    const [{ messaging }] = stage.nodes;
    await stage.post(general, "Hidden");
    await stage.post(other, "Shown");
    const override = await stage.rows.override(general.channel_id, { user_id: hiddenFrom }, { deny: 1 });
    const { id: override_id, channel_id } = override;
    await publish(
      messaging,
      "CHANNEL_OVERRIDE_UPDATE",
      { server_id: general.server_id },
      { id: override_id, channel_id, role_id: null, user_id: hiddenFrom, allow: 0, deny: 1 },
    );
    const [seeing, blind] = clients;
    if (seeing === undefined || blind === undefined) throw new Error("no clients");
    await waitUntil(() => activityOf(blind, other.channel_id));
    await waitUntil(() => activityOf(seeing, general.channel_id));
    expect(activityOf(blind, general.channel_id)).toBeUndefined();
    await close();
  });
});
