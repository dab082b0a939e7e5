import {
  AuditLogEntry,
  AutomodRule,
  DetailedMessage,
  errorBody as error,
  Member,
  permissionBits,
} from "@parley/contracts";
import {
  assignRole,
  createRole,
  joinServer,
  postMessage,
  type RestClient,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type ChangeStage, everyMember, heardBy, nothing, startChangeStage } from "../delivery/changes/change-stage.js";
import { createBot } from "../stages/connection-stage.js";

const { KICK_MEMBERS } = permissionBits;
const members = z.array(Member.strict());

let stage: ChangeStage;
/** Holds KICK_MEMBERS by a role at position 5. */
let moderator: UserClient;

beforeAll(async () => {
  stage = await startChangeStage("v=2&members=all");
  moderator = stage.viewer;
  await give(moderator, 5, KICK_MEMBERS);
});
afterAll(() => stage?.connections.closeAll());

async function give(to: UserClient, position: number, permissions = 0): Promise<void> {
  await assignRole(stage.owner, await createRole(stage.owner, stage.serverId, { permissions, position }), to);
}
async function newMember(...positions: readonly number[]): Promise<UserClient> {
  const user = await stage.client.register();
  await joinServer(user, stage.serverId);
  for (const position of positions) await give(user, position);
  return user;
}
const path = (who: UserClient | "@me") => `/servers/${stage.serverId}/members/${who === "@me" ? who : who.user.id}`;
const rename = (by: RestClient, who: UserClient | "@me", nickname: unknown) => by.patch(path(who), { nickname });
const named = async (by: RestClient, who: UserClient | "@me", nickname: string | null) => {
  const member = (await rename(by, who, nickname)).expect(200, Member.strict());
  expect(member.nickname).toBe(nickname);
  return member;
};
const nicknameOf = async (who: UserClient) => (await stage.owner.get(path(who))).expect(200, Member).nickname;
const audit = async () =>
  (await stage.owner.get(`/servers/${stage.serverId}/audit-logs?action=member_nickname`)).expect(
    200,
    z.array(AuditLogEntry),
  );

test("one's own nickname is trimmed, counted in code points and cleared by null and empty texts", async () => {
  const { outsider } = stage;
  for (const [sent, stored] of [
    ["  The rook\u0085 ", "The rook"],
    ["♜".repeat(32), "♜".repeat(32)],
    ["😀".repeat(32), "😀".repeat(32)],
    [null, null],
    ["Again", "Again"],
    ["  ", null],
    ["Again", "Again"],
    ["", null],
  ]) {
    expect((await rename(outsider, "@me", sent)).expect(200, Member.strict()).nickname).toBe(stored);
    expect(await nicknameOf(outsider)).toBe(stored);
  }
  for (const nickname of ["😀".repeat(33), "nul\u0000", "\ud800", 5, true, ["x"]]) {
    const answer = await rename(outsider, "@me", nickname);
    expect([answer.status, answer.body]).toEqual([400, error("nickname must be 1-32 characters")]);
  }
  expect((await outsider.patch(path("@me"), {})).expect(200, Member).nickname).toBeNull();
});

test("a nickname reaches the watchers of members and the member once, on both gateways, and nobody else", async () => {
  const { outsider, owner, stranger, serverId, connections, heard } = stage;
  await heard();
  const unwatching = await connections.open(owner.accessToken, 1, "v=2");
  const own = await connections.open(outsider.accessToken, 1, "v=2");
  const member = await named(outsider, "@me", "Bishop");
  await named(outsider, outsider, "Bishop");
  const event = ["MEMBER_UPDATE", { server_id: serverId, member }] as const;
  const { v1, v2 } = await heard();
  expect(v1).toEqual(nothing);
  expect(v2).toEqual(heardBy(everyMember, event));
  expect(await own.waitFor("MEMBER_UPDATE")).toEqual(event[1]);
  expect(unwatching.events.map(({ name }) => name)).not.toContain("MEMBER_UPDATE");
  expect((await rename(stranger, "@me", "Spy")).body).toEqual(error("Server not found"));
  expect((await rename(outsider, "@me", "x".repeat(33))).status).toBe(400);
  expect((await heard()).v2).toEqual(nothing);
  expect(await audit()).toEqual([]);
});

test("lists, their search and messages have the nickname, which is gone after leaving", async () => {
  const { owner, serverId, open } = stage;
  const guest = await newMember();
  await named(guest, "@me", "Grünfeld 100%");
  const found = async (q: string) =>
    (await owner.get(`/servers/${serverId}/members?q=${encodeURIComponent(q)}`)).expect(200, members);
  expect((await found("GRÜNFELD 100%")).map(({ user_id }) => user_id)).toEqual([guest.user.id]);
  expect(await found("feld")).toEqual([]);
  const { id } = await postMessage(guest, open.id, "hello");
  const message = await owner.get(`/channels/${open.id}/messages/${id}?include=author`);
  expect(message.expect(200, DetailedMessage).author?.nickname).toBe("Grünfeld 100%");
  expect((await guest.delete(`/servers/${serverId}/leave`)).status).toBe(204);
  await joinServer(guest, serverId);
  expect(await nicknameOf(guest)).toBeNull();
  expect(await found("GRÜNFELD")).toEqual([]);
});

test("a member is renamed by those above them with KICK_MEMBERS, whatever the hierarchy setting, and it is audited", async () => {
  const { owner, admin, outsider } = stage;
  const [plain, low, equal, high] = [await newMember(), await newMember(4), await newMember(5), await newMember(9)];
  const bot = await createBot(owner);
  const before = (await audit()).length;
  await named(moderator, plain, "Plain");
  await named(moderator, low, "Low");
  await named(moderator, low, "Low");
  await named(moderator, low, null);
  const above = "Cannot moderate a member at or above your highest role position";
  for (const target of [equal, high]) {
    const answer = await rename(moderator, target, "No");
    expect([answer.status, answer.body]).toEqual([403, error(above)]);
    await named(owner, target, "Yes");
  }
  for (const by of [moderator, admin, outsider]) {
    const ofOwner = await rename(by, owner, "No");
    expect([ofOwner.status, ofOwner.body]).toEqual([403, error("Cannot moderate the server owner")]);
  }
  const lacking = await rename(outsider, plain, "No");
  expect([lacking.status, lacking.body]).toEqual([403, error("You lack the required permission for this action")]);
  for (const target of [stage.stranger, { ...plain, user: { ...plain.user, id: bot.userId } }]) {
    const missing = await rename(moderator, target, "No");
    expect([missing.status, missing.body]).toEqual([404, error("Member not found")]);
  }
  await named(owner, owner, "King");
  const entries = (await audit()).slice(0, -before || undefined).reverse();
  expect(
    entries.map(({ actor_id, target_type, target_id, details }) => [actor_id, target_type, target_id, details]),
  ).toEqual([
    [moderator.user.id, "user", plain.user.id, { nickname: "Plain" }],
    [moderator.user.id, "user", low.user.id, { nickname: "Low" }],
    [moderator.user.id, "user", low.user.id, { nickname: null }],
    [owner.user.id, "user", equal.user.id, { nickname: "Yes" }],
    [owner.user.id, "user", high.user.id, { nickname: "Yes" }],
  ]);
});

test("a rule about names judges nicknames as well", async () => {
  const { owner, serverId } = stage;
  const guest = await newMember();
  const rule = {
    name: "names",
    trigger: { type: "name", words: ["grandmaster"], match: "word" },
    actions: [{ type: "kick" }],
  };
  (await owner.post(`/servers/${serverId}/automod/rules`, rule)).expect(201, AutomodRule);
  await named(guest, "@me", "Not a Grándmaster");
  await waitUntil(async () => (await guest.get(path(guest))).status === 404, { what: "the kick" });
});
