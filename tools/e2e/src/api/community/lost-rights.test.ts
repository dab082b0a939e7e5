import { permissionBits } from "@parley/contracts";
import {
  type Answer,
  assignRole,
  createChannel,
  createRole,
  createServerWithMembers,
  type UserClient,
} from "@parley/testing";
import { beforeEach, expect, test } from "vitest";
import { sentBehind, turnOf, useLockStage } from "../stages/lock-stage.js";

const stage = useLockStage();
let owner: UserClient;
let moderator: UserClient;
let member: UserClient;
let serverId: string;
let channelId: string;

beforeEach(async () => {
  const fixture = await createServerWithMembers(stage.client, 2);
  owner = fixture.owner;
  serverId = fixture.server.id;
  [moderator = owner, member = owner] = fixture.members;
  channelId = (await createChannel(owner, serverId)).id;
  const rights = ["manage_automod"];
  const role = await createRole(owner, serverId, { permissions: permissionBits.ADMINISTRATOR, rights });
  await assignRole(owner, role, moderator);
});

/** Sends a request that waits for other changes of the server; `change` is made before it. */
async function sentBefore(change: string, send: () => Promise<Answer>): Promise<number> {
  const server = { sql: "SELECT FROM servers WHERE id = $1 FOR NO KEY UPDATE", values: [serverId] };
  const meanwhile = () => stage.database.query(change, [serverId]);
  return (await sentBehind(stage.database, [turnOf(serverId), server], { send, meanwhile })).status;
}

const ofMember = (what: string) => `/servers/${serverId}/members/${member.user.id}/${what}`;
const webhook = { name: "hook", url: "https://example.com/", event_types: ["message.created"] };

test.each([
  ["kick", () => moderator.post(ofMember("kick"))],
  ["ban", () => moderator.post(ofMember("ban"))],
  ["timeout", () => moderator.post(ofMember("timeout"), { duration_minutes: 5 })],
  ["removal of a timeout", () => moderator.delete(ofMember("timeout"))],
  ["unban", () => moderator.delete(`/servers/${serverId}/bans/${member.user.id}`)],
  ["new channel", () => moderator.post(`/servers/${serverId}/channels`, { name: "too-late" })],
  ["deletion of a channel", () => moderator.delete(`/channels/${channelId}`)],
  ["new webhook", () => moderator.post(`/servers/${serverId}/webhooks`, webhook)],
  ["new role", () => moderator.post(`/servers/${serverId}/roles`, { name: "too-late" })],
  ["new invite", () => moderator.post(`/servers/${serverId}/invites`, {})],
  ["new word of auto-moderation", () => moderator.post(`/servers/${serverId}/automod/words`, { word: "late" })],
])("a %s whose turn comes when its sender has lost the right is refused", async (_, send) => {
  const before = await rowsOfServer();
  expect(await sentBefore("DELETE FROM member_roles WHERE server_id = $1", send)).toBe(403);
  expect(await rowsOfServer()).toEqual(before);
});

test.each([
  ["is private", "is_public = false", 404],
  ["requires an invite", "require_invite = true", 403],
])("a join whose turn comes when the server %s is refused", async (_, fields, status) => {
  const stranger = await stage.client.register();
  const before = await rowsOfServer();
  const join = () => stranger.post(`/servers/${serverId}/join`);
  expect(await sentBefore(`UPDATE servers SET ${fields} WHERE id = $1`, join)).toBe(status);
  expect(await rowsOfServer()).toEqual(before);
});

/** The number of rows that these requests change. */
async function rowsOfServer() {
  const counts = new Map<string, unknown[]>();
  const tables = ["channels", "webhooks", "roles", "invites", "automod_words", "members", "bans", "timeouts"];
  for (const table of [...tables, "audit_log_entries"]) {
    const { rows } = await stage.database.query(`SELECT count(*) FROM ${table} WHERE server_id = $1`, [serverId]);
    counts.set(table, rows);
  }
  return counts;
}
