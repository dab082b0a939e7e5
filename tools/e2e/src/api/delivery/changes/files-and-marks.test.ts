import { Attachment, Ban } from "@parley/contracts";
import { createChannel, postMessage } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { openDirectChannel } from "../../stages/connection-stage.js";
import { type ChangeStage, heardBy, nothing, startChangeStage } from "./change-stage.js";

let stage: ChangeStage;

beforeAll(async () => {
  stage = await startChangeStage();
});
afterAll(() => stage?.connections.closeAll());

const viewers = ["owner", "admin", "viewer"] as const;
const formOf = (...names: string[]) => {
  const form = new FormData();
  for (const name of names) form.append("files", new Blob([`text of ${name}`]), name);
  return form;
};

describe("files that are added to a message", () => {
  test("files that are added to a message are announced once to those who may view the channel, with addresses that work", async () => {
    const { owner, viewer, client, hidden, heard } = stage;
    const { id: message_id } = await postMessage(viewer, hidden.id, "look");
    await heard();
    const answer = await viewer.send("POST", `/messages/${message_id}/attachments`, { body: formOf("b.txt", "a.txt") });
    const attachments = answer.expect(201, z.array(Attachment));
    expect(attachments.map(({ filename }) => filename)).toEqual(["b.txt", "a.txt"]);
    const added = { channel_id: hidden.id, message_id, attachments };
    expect(await heard()).toEqual({ v1: nothing, v2: heardBy(viewers, ["ATTACHMENT_CREATE", added]) });
    expect((await fetch(`${client.baseUrl}${attachments[0]?.url}`)).status).toBe(200);

    const refused = await owner.send("POST", `/messages/${message_id}/attachments`, { body: formOf("c.txt") });
    expect(refused.status).toBe(403);
    const form = formOf("with it.txt");
    expect((await viewer.send("POST", `/channels/${hidden.id}/messages`, { body: form })).status).toBe(201);
    const { v2 } = await heard();
    for (const person of viewers) expect(v2[person].map(([name]) => name)).toEqual(["MESSAGE_CREATE"]);
  });
});

describe("a mark", () => {
  const zero = { unread_count: 0, mention_count: 0, last_read_at: expect.stringMatching(/Z$/) };

  test("a mark reaches every connection of its user with v=2 and nobody else, in channels and direct messages", async () => {
    const { viewer, owner, hidden, heard } = stage;
    const { created_at } = await postMessage(owner, hidden.id, `@everyone @${viewer.username} unread`);
    await heard();
    expect((await viewer.post(`/channels/${hidden.id}/ack`)).status).toBe(204);
    const { v1, v2 } = await heard({ viewer: "READ_STATE_UPDATE" });
    expect(v1).toEqual(nothing);
    expect(v2).toEqual(heardBy(["viewer"], ["READ_STATE_UPDATE", { channel_id: hidden.id, ...zero }]));
    const { last_read_at } = z.object({ last_read_at: z.string() }).parse(v2.viewer[0]?.[1]);
    expect(last_read_at >= created_at).toBe(true);

    const direct = await openDirectChannel(owner, viewer);
    expect((await owner.post(`/dm-channels/${direct}/messages`, { content: "psst" })).status).toBe(201);
    await heard({ viewer: "DM_MESSAGE_CREATE", owner: "DM_MESSAGE_CREATE" });
    expect((await viewer.post(`/dm-channels/${direct}/ack`)).status).toBe(204);
    const inDirect = heardBy(["viewer"], ["READ_STATE_UPDATE", { channel_id: direct, ...zero }]);
    expect((await heard({ viewer: "READ_STATE_UPDATE" })).v2).toEqual(inDirect);
    expect((await stage.outsider.post(`/channels/${hidden.id}/ack`)).status).toBe(403);
    expect((await heard()).v2).toEqual(nothing);
  });

  test("a mark in a channel of a server goes to the server's shard, one in direct messages to shard 0", async () => {
    const { viewer, owner, open, connections } = stage;
    const direct = await openDirectChannel(viewer, stage.admin);
    const shards = await Promise.all([0, 1].map((n) => connections.open(viewer.accessToken, 1, `v=2&shard=${n}/2`)));
    const whole = await connections.open(viewer.accessToken, 0, "v=2");
    const channels = [open.id, direct];
    for (const path of [`/channels/${open.id}/ack`, `/dm-channels/${direct}/ack`]) {
      expect((await viewer.post(path)).status).toBe(204);
    }
    for (const id of channels) await whole.waitFor("READ_STATE_UPDATE", ({ channel_id }) => channel_id === id);
    const barrier = await postMessage(owner, open.id, "which shard?");
    const serverShard = await Promise.any(
      shards.map((shard) => shard.waitFor("MESSAGE_CREATE", ({ id }) => id === barrier.id).then(() => shard)),
    );
    await serverShard.waitFor("READ_STATE_UPDATE", ({ channel_id }) => channel_id === open.id);
    await shards[0]?.waitFor("READ_STATE_UPDATE", ({ channel_id }) => channel_id === direct);
    await Promise.all(shards.map((shard) => shard.heartbeat()));
    const marks = shards.flatMap(({ events }) => events.filter(({ name }) => name === "READ_STATE_UPDATE"));
    expect(marks).toHaveLength(2);
    await stage.heard();
  });

  test("one of many marks at once fails without the others, and the last event has the stored state", async () => {
    const { viewer, owner, serverId, open, connections } = stage;
    const socket = await connections.open(viewer.accessToken, 1, "v=2");
    const gone = await createChannel(owner, serverId);
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => viewer.post(`/channels/${open.id}/ack`)),
      owner.delete(`/channels/${gone.id}`),
      ...Array.from({ length: 5 }, () => viewer.post(`/channels/${gone.id}/ack`)),
      ...Array.from({ length: 5 }, () => stage.admin.post(`/channels/${open.id}/ack`)),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.slice(0, 21)).toEqual(Array.from({ length: 21 }, () => 204));
    expect([...new Set(statuses.slice(21, 26))].every((status) => status === 204 || status === 404)).toBe(true);
    expect(statuses.slice(26)).toEqual(Array.from({ length: 5 }, () => 204));
    expect((await viewer.post(`/channels/${open.id}/ack`)).status).toBe(204);
    const times = () =>
      socket.events.flatMap(({ name, payload }) =>
        name === "READ_STATE_UPDATE" && Object(payload).channel_id === open.id
          ? [String(Object(payload).last_read_at)]
          : [],
      );
    await socket.waitFor("READ_STATE_UPDATE", ({ channel_id }) => channel_id === open.id);
    await expect.poll(() => times().length).toBeGreaterThan(1);
    expect(times()).toEqual(times().toSorted());
    await stage.heard();
  });
});

test("a ban says with v=2 what the list of bans says, and without it what it always said", async () => {
  const { owner, admin, outsider, serverId, connections } = stage;
  const versions = await Promise.all(["", "v=2"].map((query) => connections.open(owner.accessToken, 1, query)));
  const target = { server_id: serverId, user_id: outsider.user.id };
  const ban = async (reason: string) => {
    const answer = await admin.post(`/servers/${serverId}/members/${outsider.user.id}/ban`, { reason });
    expect(answer.status).toBe(204);
    const [listed] = (await owner.get(`/servers/${serverId}/bans`)).expect(200, z.array(Ban));
    return { banned_by: listed?.banned_by, created_at: listed?.created_at, expires_at: null };
  };
  const first = await ban("spam");
  expect(first.banned_by).toBe(admin.user.id);
  // A ban that is repeated keeps its time.
  expect(await ban("more spam")).toEqual(first);
  const barrier = await postMessage(owner, stage.open.id, "barrier");
  for (const [index, socket] of versions.entries()) {
    await socket.waitFor("MESSAGE_CREATE", ({ id }) => id === barrier.id);
    const bans = socket.events.filter(({ name }) => name === "MEMBER_BAN").map(({ payload }) => payload);
    const more = index === 0 ? {} : first;
    expect(bans).toEqual(["spam", "more spam"].map((reason) => ({ ...target, reason, ...more })));
  }
});
