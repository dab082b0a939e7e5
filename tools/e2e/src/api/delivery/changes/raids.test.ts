import { RaidEnd, rightsOf } from "@parley/contracts";
import { assignRole, createRole } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runSql } from "../../stages/admin-stage.js";
import { type ChangeStage, everyMember, heardBy, nothing, startChangeStage } from "./change-stage.js";

let stage: ChangeStage;

beforeAll(async () => {
  stage = await startChangeStage();
});
afterAll(() => stage?.connections.closeAll());

const path = () => `/servers/${stage.serverId}/raid`;

test("a raid is announced to those who may manage raids, with v=2, on both gateways, and its end once", async () => {
  const { owner, admin, viewer, serverId, heard, stack } = stage;
  const begun = (await owner.put(path(), { minutes: 5 })).expect(200, RaidEnd);
  const start = ["SERVER_RAID_START", { server_id: serverId, ...begun }] as const;
  expect(await heard()).toEqual({ v1: nothing, v2: heardBy(["owner", "admin"], start) });

  const helper = await createRole(owner, serverId);
  await assignRole(owner, helper, viewer);
  const rights = await owner.patch(`/servers/${serverId}/roles/${helper.id}`, { rights: ["manage_raids"] });
  expect([rights.status, rightsOf(["manage_raids"])]).toEqual([200, 32]);
  await heard();
  expect((await viewer.delete(path())).status).toBe(204);
  const readers = ["owner", "admin", "viewer"] as const;
  const ended = await heard();
  const end = ["SERVER_RAID_END", { server_id: serverId, until: expect.any(String) }] as const;
  expect(ended).toEqual({ v1: nothing, v2: heardBy(readers, end) });
  expect((await admin.delete(path())).status).toBe(204);
  expect((await heard()).v2).toEqual(nothing);

  await owner.put(path(), { minutes: 5 });
  await heard();
  await runSql(stack.databaseUrl, "UPDATE server_safety SET raid_until = now() WHERE server_id = $1", [serverId]);
  expect(await heard({ owner: "SERVER_RAID_END", admin: "SERVER_RAID_END", viewer: "SERVER_RAID_END" })).toEqual({
    v1: nothing,
    v2: heardBy(readers, end),
  });
});

test("a change of the rules is announced to every member, one of the shield to those who may manage raids", async () => {
  const { owner, serverId, heard } = stage;
  const changed = ["SERVER_SETTINGS_UPDATE", { server_id: serverId, part: "moderation" }] as const;
  const patch = async (settings: object) =>
    expect((await owner.patch(`/servers/${serverId}/safety`, settings)).status).toBe(200);
  await patch({ rules: "Be kind." });
  expect(await heard()).toEqual({ v1: nothing, v2: heardBy(everyMember, changed) });
  await patch({ rules: "Be kind.", raid_shield: true });
  expect(await heard()).toEqual({ v1: nothing, v2: heardBy(["owner", "admin", "viewer"], changed) });
  await patch({});
  expect((await heard()).v2).toEqual(nothing);
});
