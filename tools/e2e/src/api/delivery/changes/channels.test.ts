import { Channel, Server, ServerTemplate } from "@parley/contracts";
import { createChannel, postMessage, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ChangeStage, everyMember, heardBy, hideFrom, nothing, startChangeStage } from "./change-stage.js";

let stage: ChangeStage;

beforeAll(async () => {
  stage = await startChangeStage();
});
afterAll(() => stage?.connections.closeAll());

const viewers = ["owner", "admin", "viewer"] as const;
const removed = async (channelId: string) =>
  expect((await stage.owner.delete(`/channels/${channelId}`)).status).toBe(204);

describe("the events of a channel", () => {
  test("a new channel is announced to every member with v=2, its change and its end to those who may view it", async () => {
    const { owner, admin, serverId, outsider, heard } = stage;
    const created = await createChannel(admin, serverId, { name: "plans", category: "Work" });
    expect(await heard()).toEqual({ v1: nothing, v2: heardBy(everyMember, ["CHANNEL_CREATE", created]) });

    await hideFrom(owner, created.id, outsider);
    await heard();
    const changes = { name: "secret plans", topic: "who does what", category: null, position: 7 };
    const changed = (await owner.patch(`/servers/${serverId}/channels/${created.id}`, changes)).expect(200, Channel);
    expect(changed).toMatchObject(changes);
    expect(await heard()).toEqual({ v1: nothing, v2: heardBy(viewers, ["CHANNEL_UPDATE", changed]) });

    await removed(created.id);
    const ended = { id: created.id, server_id: serverId };
    expect(await heard()).toEqual({ v1: nothing, v2: heardBy(viewers, ["CHANNEL_DELETE", ended]) });
  });

  test("a change without fields, a refused one, and the channels of a template announce nothing", async () => {
    const { owner, outsider, open, hidden, serverId, heard } = stage;
    expect((await owner.patch(`/channels/${open.id}`, {})).status).toBe(200);
    expect((await owner.patch(`/channels/${open.id}`, { name: "" })).status).toBe(400);
    expect((await outsider.delete(`/channels/${hidden.id}`)).status).toBe(403);
    expect((await outsider.post(`/servers/${serverId}/channels`, { name: "mine" })).status).toBe(403);
    const [template] = (await owner.get("/server-templates")).expect(200, z.array(ServerTemplate));
    const made = await owner.post("/servers", { name: "From a template", template_id: template?.id });
    const { id } = made.expect(201, Server);
    const { v1, v2 } = await heard({ owner: "SERVER_JOIN" });
    expect(v1).toEqual(nothing);
    expect(v2).toMatchObject(heardBy(["owner"], ["SERVER_JOIN", { server: { id } }]));

    expect((await owner.delete(`/servers/${id}`)).status).toBe(204);
    const ended = (await heard({ owner: "SERVER_LEAVE" })).v2;
    expect(ended).toEqual(heardBy(["owner"], ["SERVER_LEAVE", { server_id: id, reason: "deleted" }]));
  });

  test("a new channel is announced before anything in it, and nothing follows its end", async () => {
    const { owner, admin, serverId, heard } = stage;
    const { id } = await createChannel(owner, serverId, { name: "short-lived" });
    const posting = [];
    for (let n = 0; n < 20; n += 1) posting.push(admin.post(`/channels/${id}/messages`, { content: `message ${n}` }));
    const changing = [1, 2, 3, 4].map((position) => owner.patch(`/channels/${id}`, { position }));
    await Promise.all(posting.slice(0, 5));
    await Promise.all(changing);
    const stored = (await owner.get(`/channels/${id}`)).expect(200, Channel);
    await removed(id);
    await Promise.all(posting);
    const events = (await heard()).v2.viewer;
    const names = events.map(([name]) => name);
    expect(names[0]).toBe("CHANNEL_CREATE");
    expect(names.at(-1)).toBe("CHANNEL_DELETE");
    expect(names.filter((name) => name === "CHANNEL_UPDATE")).toHaveLength(4);
    // The last event about the row agrees with the stored row.
    expect(events.findLast(([name]) => name === "CHANNEL_UPDATE")).toEqual(["CHANNEL_UPDATE", stored]);
  });
});

describe("the end of a hidden channel", () => {
  const Frame = z.object({ t: z.string().nullable(), d: z.unknown(), s: z.string().optional() });
  const framesOf = (frames: readonly string[]) => frames.map((frame) => Frame.parse(JSON.parse(frame)));

  /** A hidden channel in a server of its own; no gateway has read anything of it. */
  const unread = async () => {
    const { owner, viewer, outsider } = stage;
    const server = (await owner.post("/servers", { name: "Unread", is_public: true })).expect(201, Server);
    for (const user of [viewer, outsider]) expect((await user.post(`/servers/${server.id}/join`)).status).toBe(201);
    const channel = await createChannel(owner, server.id);
    await hideFrom(owner, channel.id, outsider);
    const witness = await createChannel(owner, server.id);
    return { server, channel, witness, ended: { id: channel.id, server_id: server.id } };
  };

  test("the end of a hidden channel reaches its viewers alone on connections that had no event of the server before", async () => {
    const { owner, viewer, outsider, connections } = stage;
    const { channel, witness, ended } = await unread();
    const opened = await Promise.all(
      ([0, 1] as const).flatMap((gateway) => [
        connections.open(viewer.accessToken, gateway, "v=2&events=CHANNEL_DELETE,MESSAGE_CREATE"),
        connections.open(outsider.accessToken, gateway, "v=2&events=CHANNEL_DELETE,MESSAGE_CREATE"),
      ]),
    );
    await removed(channel.id);
    const { id } = await postMessage(owner, witness.id, "barrier");
    for (const [index, socket] of opened.entries()) {
      await socket.waitFor("MESSAGE_CREATE", (message) => message.id === id);
      const ends = socket.events.filter(({ name }) => name === "CHANNEL_DELETE").map(({ payload }) => payload);
      expect(ends).toEqual(index % 2 === 0 ? [ended] : []);
    }
  });

  test("the end of a hidden channel reaches a viewer who was away, on either gateway, and nobody else who was", async () => {
    const { owner, viewer, outsider, connections } = stage;
    const { channel, witness, ended } = await unread();
    const away = await Promise.all(
      [viewer, outsider].map(async ({ accessToken }) => {
        const socket = await connections.open(accessToken, 0, "v=2&s=");
        const s = framesOf(socket.frames).findLast((frame) => frame.s !== undefined)?.s;
        socket.terminate();
        await socket.closed;
        return { accessToken, s };
      }),
    );
    await removed(channel.id);
    await postMessage(owner, witness.id, "while away");
    for (const [index, { accessToken, s }] of away.entries()) {
      for (const gateway of [0, 1] as const) {
        const back = connections.connect(accessToken, gateway, `v=2&s=${s}`);
        await waitUntil(() => framesOf(back.frames).some(({ t }) => t === "RESUMED"), { what: "RESUMED" });
        const replayed = back.events.filter(({ name }) => name === "CHANNEL_DELETE" || name === "MESSAGE_CREATE");
        const expected = index === 0 ? ["CHANNEL_DELETE", "MESSAGE_CREATE"] : ["MESSAGE_CREATE"];
        expect(replayed.map(({ name }) => name)).toEqual(expected);
        if (index === 0) expect(replayed[0]?.payload).toEqual(ended);
        back.terminate();
      }
    }
  });
});
