import { AuditLogEntry, errorBody as error } from "@parley/contracts";
import { assignRole, createRole, type UserClient } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type ChangeStage, heardBy, startChangeStage } from "../delivery/changes/change-stage.js";

let stage: ChangeStage;
beforeAll(async () => {
  stage = await startChangeStage();
});
afterAll(() => stage?.connections.closeAll());

const withRight = async (right: string, user: UserClient) =>
  assignRole(stage.owner, await createRole(stage.owner, stage.serverId, { rights: [right] }), user);

describe("a right that ADMINISTRATOR does not imply", () => {
  test("view_audit_log opens the audit log, to nobody but its holders and the owner", async () => {
    const { owner, admin, viewer, serverId } = stage;
    const path = `/servers/${serverId}/audit-logs`;
    const refused = { status: 403, body: error("Only the server owner can view audit logs") };
    for (const user of [admin, viewer]) expect(await user.get(path)).toMatchObject(refused);
    await withRight("view_audit_log", viewer);
    for (const user of [owner, viewer])
      expect((await user.get(path)).expect(200, z.array(AuditLogEntry)).length).toBeGreaterThan(0);
    expect(await admin.get(path)).toMatchObject(refused);
  });

  test("manage_automod opens auto-moderation and says when it changes, to nobody but its holders and the owner", async () => {
    const { admin, outsider, stranger, serverId, heard } = stage;
    const path = `/servers/${serverId}/automod`;
    const refused = { status: 403, body: error("Only the server owner can manage automod") };
    for (const user of [admin, outsider, stranger]) expect(await user.patch(path, {})).toMatchObject(refused);
    await withRight("manage_automod", outsider);
    await heard();
    expect((await outsider.patch(path, { enabled: false })).status).toBe(200);
    const part = { server_id: serverId, part: "automod" };
    const { v2 } = await heard({ owner: "SERVER_SETTINGS_UPDATE", outsider: "SERVER_SETTINGS_UPDATE" });
    expect(v2).toEqual(heardBy(["owner", "outsider"], ["SERVER_SETTINGS_UPDATE", part]));
    for (const [method, suffix, body] of [
      ["GET", "", undefined],
      ["GET", "/words", undefined],
      ["POST", "/words", { word: "zugzwang" }],
      ["DELETE", "/words/zugzwang", undefined],
      ["GET", "/logs", undefined],
    ] as const) {
      expect((await outsider.send(method, `${path}${suffix}`, { body })).status).toBeLessThan(300);
      expect(await admin.send(method, `${path}${suffix}`, { body })).toMatchObject(refused);
    }
  });
});
