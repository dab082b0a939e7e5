import { BulkBan, errorBody as error, permissionBits, Server } from "@parley/contracts";
import { assignRole, createRole, joinServer, type UserClient } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type ChangeStage, startChangeStage } from "../delivery/changes/change-stage.js";

const { KICK_MEMBERS, BAN_MEMBERS, MUTE_MEMBERS } = permissionBits;
const above = "Cannot moderate a member at or above your highest role position";

let stage: ChangeStage;
/** Holds the rights by a role at position 5. */
let moderator: UserClient;

beforeAll(async () => {
  stage = await startChangeStage("v=2");
  moderator = stage.viewer;
  await give(moderator, 5, KICK_MEMBERS | BAN_MEMBERS | MUTE_MEMBERS);
});
afterAll(() => stage?.connections.closeAll());
beforeEach(async () => void (await setHierarchy(true)));

async function give(to: UserClient, position: number, permissions = 0): Promise<void> {
  await assignRole(stage.owner, await createRole(stage.owner, stage.serverId, { permissions, position }), to);
}
const setHierarchy = async (hierarchy: boolean) =>
  (await stage.owner.patch(`/servers/${stage.serverId}`, { hierarchy })).expect(200, Server.strict());
/** A new member with a role at each of the positions. */
async function member(...positions: readonly number[]): Promise<UserClient> {
  const user = await stage.client.register();
  await joinServer(user, stage.serverId);
  for (const position of positions) await give(user, position);
  return user;
}
const moderate = (by: UserClient, action: string, target: UserClient) => {
  const path = `/servers/${stage.serverId}/members/${target.user.id}`;
  return action === "end timeout"
    ? by.delete(`${path}/timeout`)
    : by.post(`${path}/${action}`, action === "timeout" ? { duration_minutes: 5 } : {});
};
const actions = ["timeout", "end timeout", "kick", "ban"];

test("a server says that it has a hierarchy only while it has one, in answers, READY and events", async () => {
  const { owner, outsider, serverId, connections } = stage;
  await setHierarchy(false);
  await stage.heard();
  const seen = async () => {
    const ready = await (await connections.open(outsider.accessToken, 0, "v=2")).ready;
    const list = (await outsider.get("/servers")).expect(200, z.array(Server.strict()));
    return [ready.servers.find(({ id }) => id === serverId), list.find(({ id }) => id === serverId)];
  };
  for (const server of await seen()) expect(server).not.toHaveProperty("hierarchy");
  expect((await setHierarchy(true)).hierarchy).toBe(true);
  for (const server of await seen()) expect(server).toHaveProperty("hierarchy", true);
  expect(await setHierarchy(false)).not.toHaveProperty("hierarchy");
  const { v2 } = await stage.heard();
  const server = expect.objectContaining({ id: serverId });
  expect(v2.outsider).toEqual([
    ["SERVER_UPDATE", expect.objectContaining({ hierarchy: true })],
    ["SERVER_UPDATE", server],
  ]);
  expect(Object(v2.outsider[1]?.[1])).not.toHaveProperty("hierarchy");
  expect(v2.owner).toContainEqual(["SERVER_SETTINGS_UPDATE", { server_id: serverId, part: "moderation" }]);
  const created = (await owner.post("/servers", { name: "new", hierarchy: true })).expect(201, Server.strict());
  expect(created.hierarchy).toBe(true);
  expect((await outsider.patch(`/servers/${serverId}`, { hierarchy: true })).status).toBe(403);
  const refused = await owner.patch(`/servers/${serverId}`, { hierarchy: "yes" });
  expect([refused.status, refused.body]).toEqual([400, error("hierarchy must be a boolean")]);
});

test.each([
  ["above theirs", [1, 6], 403],
  ["at theirs", [5], 403],
  ["below theirs", [4], 204],
  ["without roles", [], 204],
])("a member who is no owner moderates a member %s with %j: %i", async (_place, positions, status) => {
  for (const action of actions) {
    const target = await member(...positions);
    const answer = await moderate(moderator, action, target);
    if (status === 403) expect([action, answer.status, answer.body]).toEqual([action, 403, error(above)]);
    else expect([action, answer.status]).toEqual([action, action === "timeout" ? 200 : 204]);
    await setHierarchy(false);
    expect((await moderate(moderator, action, target)).status, action).toBeLessThan(action === "kick" ? 405 : 300);
    await setHierarchy(true);
  }
});

test("the owner moderates everybody, the right is asked for first, and of many banned those above fail", async () => {
  const { owner, outsider, client, serverId } = stage;
  const [high, low, stranger] = [await member(9), await member(), await client.register()];
  const lacking = await moderate(outsider, "kick", high);
  expect([lacking.status, lacking.body]).toEqual([403, error("You lack the required permission for this action")]);
  const user_ids = [high, low, stranger].map(({ user }) => user.id);
  const banned = (await moderator.post(`/servers/${serverId}/bans/bulk`, { user_ids })).expect(200, BulkBan);
  expect(banned).toEqual({ banned: user_ids.slice(1), failed: [{ user_id: high.user.id, error: above }] });
  expect((await moderate(owner, "kick", high)).status).toBe(204);
});

test("two members without roles are at the same position, and one with a role at 0 is above both", async () => {
  const { owner, serverId } = stage;
  const everyone = `/servers/${serverId}/roles/${serverId}`;
  expect((await owner.patch(everyone, { permissions: 123 | MUTE_MEMBERS })).status).toBe(200);
  const [one, other, zero] = [await member(), await member(), await member(0)];
  expect((await moderate(one, "timeout", other)).body).toEqual(error(above));
  expect((await moderate(one, "timeout", zero)).body).toEqual(error(above));
  expect((await moderate(zero, "timeout", one)).status).toBe(200);
  expect((await owner.patch(everyone, { permissions: 123 })).status).toBe(200);
});
