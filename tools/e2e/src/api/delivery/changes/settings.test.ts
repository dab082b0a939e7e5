import { AutomodWord, RawServer, Server, Webhook } from "@parley/contracts";
import { createServer, joinServer, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ChangeStage, everyMember, heardBy, nothing, startChangeStage } from "./change-stage.js";

let stage: ChangeStage;

beforeAll(async () => {
  stage = await startChangeStage();
});
afterAll(() => stage?.connections.closeAll());

const settings = (part: "automod" | "webhooks" | "retention") =>
  ["SERVER_SETTINGS_UPDATE", { server_id: stage.serverId, part }] as const;

describe("a change of a server", () => {
  test("a change of a server is announced to its members with v=2 as READY shows it; without fields it is not", async () => {
    const { owner, admin, serverId, heard } = stage;
    const changes = { name: "Renamed", icon_url: "https://example.com/icon.png", require_invite: true };
    const answer = await owner.patch(`/servers/${serverId}`, changes);
    const changed = RawServer.strip().parse(answer.expect(200, Server));
    expect(changed).toMatchObject(changes);
    expect(await heard()).toEqual({ v1: nothing, v2: heardBy(everyMember, ["SERVER_UPDATE", changed]) });

    expect((await owner.patch(`/servers/${serverId}`, {})).status).toBe(200);
    expect((await admin.patch(`/servers/${serverId}`, { name: "Taken" })).status).toBe(403);
    expect((await heard()).v2).toEqual(nothing);
  });

  test("a change of a server's owner is announced to its members, and the new owner reads from then on what owners read", async () => {
    const { owner, viewer, connections } = stage;
    const { id } = await createServer(owner, { is_public: true });
    await joinServer(viewer, id);
    const next = await connections.open(viewer.accessToken, 1, "v=2");
    expect((await owner.patch(`/servers/${id}/automod`, { enabled: true })).status).toBe(200);
    const handOver = (password: string) => owner.post(`/servers/${id}/owner`, { user_id: viewer.user.id, password });
    const server = (await handOver(owner.password)).expect(200, Server);
    const changed = RawServer.strip().parse(server);
    expect(await next.waitFor("SERVER_UPDATE")).toEqual(changed);
    expect(changed.owner_id).toBe(viewer.user.id);
    expect(next.events.map(({ name }) => name)).not.toContain("SERVER_SETTINGS_UPDATE");
    expect((await viewer.patch(`/servers/${id}/automod`, { enabled: false })).status).toBe(200);
    await next.waitFor("SERVER_SETTINGS_UPDATE", ({ server_id }) => server_id === id);
    await stage.heard({ viewer: "SERVER_SETTINGS_UPDATE" });
  });
});

describe("a change of settings", () => {
  test("a change of auto-moderation is announced to the owner alone, each time that something changed", async () => {
    const { owner, serverId, heard } = stage;
    const path = `/servers/${serverId}/automod`;
    expect((await owner.patch(path, { enabled: true })).status).toBe(200);
    (await owner.post(`${path}/words`, { word: "spoiler" })).expect(201, AutomodWord);
    expect((await owner.delete(`${path}/words/spoiler`)).status).toBe(204);
    const three = [settings("automod"), settings("automod"), settings("automod")];
    expect(await heard()).toEqual({ v1: nothing, v2: heardBy(["owner"], ...three) });

    await owner.post(`${path}/words`, { word: "twice" });
    await heard();
    (await owner.post(`${path}/words`, { word: "twice" })).expect(201, AutomodWord);
    expect((await owner.delete(`${path}/words/never-there`)).status).toBe(204);
    expect((await owner.patch(path, { timeout_minutes: 0 })).status).toBe(400);
    expect((await heard()).v2).toEqual(nothing);
  });

  test("a change of webhooks is announced to the owner and the administrators", async () => {
    const { admin, serverId, heard } = stage;
    const path = `/servers/${serverId}/webhooks`;
    const fields = { name: "hook", url: "https://example.com/", event_types: ["message.created"] };
    const { webhook } = (await admin.post(path, fields)).expect(201, z.object({ webhook: Webhook }));
    expect((await admin.patch(`${path}/${webhook.id}`, { enabled: false })).status).toBe(200);
    expect((await admin.patch(`${path}/${webhook.id}`, {})).status).toBe(200);
    expect((await admin.delete(`${path}/${webhook.id}`)).status).toBe(204);
    const three = [settings("webhooks"), settings("webhooks"), settings("webhooks")];
    expect(await heard()).toEqual({ v1: nothing, v2: heardBy(["owner", "admin"], ...three) });
  });

  test("a change of how long messages are kept is announced to every member", async () => {
    const { owner, serverId, heard } = stage;
    expect((await owner.put(`/servers/${serverId}/retention`, { retention_days: 30 })).status).toBe(200);
    expect(await heard()).toEqual({ v1: nothing, v2: heardBy(everyMember, settings("retention")) });
  });

  test("a change of settings reaches an administrator who was away, and no other member, on a gateway that has read nothing of the server", async () => {
    const { owner, viewer, connections } = stage;
    const { id } = await createServer(owner, { is_public: true });
    await joinServer(viewer, id);
    const socket = await connections.open(owner.accessToken, 0, "v=2&s=");
    const other = await connections.open(viewer.accessToken, 0, "v=2&s=");
    const cursors = [socket, other].map(({ frames }) => /"s":"([^"]+)"/.exec(frames.at(-1) ?? "")?.[1]);
    for (const connection of [socket, other]) {
      connection.terminate();
      await connection.closed;
    }
    const webhook = { name: "hook", url: "https://example.com/", event_types: ["message.created"] };
    expect((await owner.post(`/servers/${id}/webhooks`, webhook)).status).toBe(201);
    for (const [index, user] of [owner, viewer].entries()) {
      const back = connections.connect(user.accessToken, 1, `v=2&s=${cursors[index]}`);
      await waitUntil(() => back.frames.some((frame) => frame.includes('"RESUMED"')), { what: "RESUMED" });
      const names = back.events.map(({ name }) => name).filter((name) => name === "SERVER_SETTINGS_UPDATE");
      expect(names).toEqual(index === 0 ? ["SERVER_SETTINGS_UPDATE"] : []);
    }
    await stage.heard({ owner: "SERVER_SETTINGS_UPDATE" });
  });
});
