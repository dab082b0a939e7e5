import { ChannelOverride, errorBody as error, permissionBits, Role } from "@parley/contracts";
import { assignRole, createChannel, createRole, postMessage } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ChangeStage, everyMember, heardBy, nothing, startChangeStage } from "../delivery/changes/change-stage.js";

const { VIEW_CHANNEL, SEND_MESSAGES, MANAGE_ROLES, ADMINISTRATOR } = permissionBits;
let stage: ChangeStage;
let roles: string;
let path: string;

beforeAll(async () => {
  stage = await startChangeStage();
  roles = `/servers/${stage.serverId}/roles`;
  path = `${roles}/${stage.serverId}`;
});
afterAll(() => stage?.connections.closeAll());

const everyone = async () => (await stage.owner.get(path)).expect(200, Role);
const change = (permissions: number) => stage.owner.patch(path, { permissions });

describe("the everyone role of a server", () => {
  test("holds 123 and two rights at first, is read by the server's id and not listed", async () => {
    const { viewer, stranger, serverId } = stage;
    const found = (await viewer.get(path)).expect(200, Role);
    const shown = { id: serverId, server_id: serverId, name: "everyone", color: "#95a5a6", position: 0 };
    expect(found).toMatchObject({ ...shown, permissions: 123, rights: ["mention_everyone", "use_apps"] });
    const listed = (await viewer.get(roles)).expect(200, z.array(Role));
    expect(listed.map(({ id }) => id)).not.toContain(serverId);
    expect((await stranger.get(path)).status).toBe(404);
  });

  test("can be neither renamed, moved, made administrator, deleted nor assigned", async () => {
    const { owner, viewer, serverId } = stage;
    for (const body of [{ name: "all" }, { color: "#ffffff" }, { position: 3 }])
      expect(await owner.patch(path, body)).toMatchObject({
        status: 400,
        body: error("Only permissions and rights of the everyone role can be changed"),
      });
    const administrator = await change(ADMINISTRATOR);
    expect(administrator).toMatchObject({ status: 400, body: error("The everyone role cannot be an administrator") });
    const missing = { status: 404, body: error("Role not found") };
    expect(await owner.delete(path)).toMatchObject(missing);
    expect(await owner.put(`/servers/${serverId}/members/${viewer.user.id}/roles/${serverId}`)).toMatchObject(missing);
  });

  test("takes its lost permissions from all but administrators, announced to connections with v=2 alone", async () => {
    const { owner, admin, viewer, open, heard } = stage;
    await heard();
    const role = (await change(123 & ~SEND_MESSAGES)).expect(200, Role);
    const { v1, v2 } = await heard({ owner: "ROLE_UPDATE" });
    expect(v1).toEqual(nothing);
    expect(v2).toEqual(heardBy(everyMember, ["ROLE_UPDATE", role]));
    expect((await viewer.post(`/channels/${open.id}/messages`, { content: "no" })).status).toBe(403);
    for (const user of [owner, admin]) await postMessage(user, open.id, "still");
    await change(123);
    await postMessage(viewer, open.id, "again");
    await heard();
  });

  test("makes a channel private to a role by two overrides: others neither list nor hear it", async () => {
    const { owner, viewer, outsider, serverId, heard } = stage;
    const channel = await createChannel(owner, serverId, { name: "team" });
    const team = await createRole(owner, serverId, { name: "Team" });
    await assignRole(owner, team, viewer);
    const put = async (role_id: string, allow: number, deny: number) =>
      (await owner.put(`/channels/${channel.id}/overrides`, { role_id, allow, deny })).expect(200, ChannelOverride);
    await put(team.id, VIEW_CHANNEL, 0);
    const first = await put(serverId, 0, VIEW_CHANNEL | SEND_MESSAGES);
    const again = await put(serverId, 0, VIEW_CHANNEL);
    expect(again).toEqual({ ...first, deny: VIEW_CHANNEL });
    expect(again).toMatchObject({ role_id: serverId, user_id: null });
    await heard({ viewer: "CHANNEL_OVERRIDE_UPDATE" });

    const message = await postMessage(viewer, channel.id, "secret");
    const { v1, v2 } = await heard({ viewer: "MESSAGE_CREATE" });
    for (const side of [v1, v2]) {
      const got = everyMember.filter((person) =>
        side[person].some(([name, payload]) => name === "MESSAGE_CREATE" && Object(payload).id === message.id),
      );
      expect(got).toEqual(["owner", "admin", "viewer"]);
    }
    const listed = (await outsider.get(`/servers/${serverId}/channels`)).expect(
      200,
      z.array(z.object({ id: z.string() })),
    );
    expect(listed.map(({ id }) => id)).not.toContain(channel.id);
    expect((await outsider.get(`/channels/${channel.id}/messages`)).status).toBe(403);
    expect((await outsider.get(`/channels/${channel.id}/overrides`)).status).toBe(403);

    await owner.delete(`/channels/${channel.id}/overrides/${again.id}`);
    expect((await outsider.get(`/channels/${channel.id}/messages`)).status).toBe(200);
  });

  test("without VIEW_CHANNEL shows channels to those alone whose role holds it", async () => {
    const { owner, admin, viewer, outsider, serverId, open, heard } = stage;
    const readers = await createRole(owner, serverId, { name: "Readers", permissions: VIEW_CHANNEL | SEND_MESSAGES });
    await assignRole(owner, readers, viewer);
    await heard({ viewer: "MEMBER_ROLE_ADD" });
    await change(123 & ~VIEW_CHANNEL);
    const message = await postMessage(viewer, open.id, "for readers");
    const statuses = [admin, viewer, outsider].map(
      async (user) => (await user.get(`/channels/${open.id}/messages`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 403]);
    await change(123);
    const { v1, v2 } = await heard({ outsider: "ROLE_UPDATE" });
    for (const side of [v1, v2]) {
      const got = everyMember.filter((person) => side[person].some(([, payload]) => Object(payload).id === message.id));
      expect(got).toEqual(["owner", "admin", "viewer"]);
    }
  });
});

describe("rights of a role", () => {
  test("stand in answers that ask for them, and only who holds one grants it", async () => {
    const { owner, outsider, viewer, serverId } = stage;
    const manager = await createRole(owner, serverId, { name: "Manager", permissions: MANAGE_ROLES, position: 50 });
    await assignRole(owner, manager, outsider);
    const body = { name: "Reviewers", rights: ["review_reports"] };
    const refused = { status: 403, body: error("Cannot grant rights you do not have") };
    expect(await outsider.post(roles, body)).toMatchObject(refused);
    const role = (await owner.post(roles, { ...body, position: 2 })).expect(201, Role);
    expect(role.rights).toEqual(["review_reports"]);
    expect((await owner.patch(`${roles}/${role.id}`, { name: "Reviewer" })).expect(200, Role).rights).toBeUndefined();
    expect((await owner.get(`${roles}/${role.id}?rights=true`)).expect(200, Role)).toEqual({
      ...role,
      name: "Reviewer",
    });
    expect(await outsider.put(`/servers/${serverId}/members/${viewer.user.id}/roles/${role.id}`)).toMatchObject(
      refused,
    );
    expect(await outsider.patch(`${roles}/${role.id}`, { rights: ["review_reports", "manage_raids"] })).toMatchObject(
      refused,
    );
    expect((await outsider.patch(`${roles}/${role.id}`, { rights: ["review_reports"] })).status).toBe(200);
    expect((await outsider.patch(`${roles}/${role.id}`, { rights: [] })).expect(200, Role).rights).toEqual([]);
    const unknown = await owner.patch(path, { rights: ["fly"] });
    expect(unknown).toMatchObject({ status: 400, body: error("Unknown right: fly") });
    expect((await owner.patch(path, { rights: ["use_apps"] })).expect(200, Role).rights).toEqual(["use_apps"]);
    expect((await everyone()).permissions).toBe(123);
  });
});
