import { permissionBits } from "@parley/contracts";
import {
  assignRole,
  createChannel,
  createClient,
  createRole,
  createServerWithMembers,
  type RestClient,
  startStack,
  type TestStack,
  type UserClient,
  waitingForLocks,
  waitUntil,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

let stack: TestStack;
let client: RestClient;
let database: pg.Client;
let owner: UserClient;
let moderator: UserClient;
let member: UserClient;
let serverId: string;
let channelId: string;

beforeAll(async () => {
  stack = await startStack({ apis: 2, gateways: 0 });
  client = createClient(stack.edgeUrl);
  database = new pg.Client({ connectionString: stack.databaseUrl });
  await database.connect();
});
afterAll(async () => {
  await database?.end();
  await stack?.stop();
});
beforeEach(async () => {
  const stage = await createServerWithMembers(client, 2);
  owner = stage.owner;
  serverId = stage.server.id;
  [moderator = owner, member = owner] = stage.members;
  channelId = (await createChannel(owner, serverId)).id;
  const role = await createRole(owner, serverId, { permissions: permissionBits.ADMINISTRATOR });
  await assignRole(owner, role, moderator);
});

/** Sends a request that waits for other changes of the server, one of which is made before it. */
async function sentBefore(change: string, send: () => ReturnType<UserClient["post"]>): Promise<number> {
  await database.query("BEGIN");
  let answer: ReturnType<typeof send>;
  try {
    await database.query("SELECT outbox_enter(ARRAY[$1]::uuid[], '{}', true)", [serverId]);
    await database.query("SELECT FROM servers WHERE id = $1 FOR NO KEY UPDATE", [serverId]);
    answer = send();
    await waitUntil(async () => (await waitingForLocks(database)) > 0, { what: "the request to wait for its turn" });
    await database.query(change, [serverId]);
    await database.query("COMMIT");
  } finally {
    // The next test begins without the locks of one that failed.
    await database.query("ROLLBACK");
    await database.query("SELECT outbox_leave('{}')");
  }
  return (await answer).status;
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
])("a %s whose turn comes when its sender has lost the right is refused", async (_, send) => {
  const before = await rowsOfServer();
  expect(await sentBefore("DELETE FROM member_roles WHERE server_id = $1", send)).toBe(403);
  expect(await rowsOfServer()).toEqual(before);
});

test.each([
  ["is private", "is_public = false", 404],
  ["requires an invite", "require_invite = true", 403],
])("a join whose turn comes when the server %s is refused", async (_, fields, status) => {
  const stranger = await client.register();
  const before = await rowsOfServer();
  const join = () => stranger.post(`/servers/${serverId}/join`);
  expect(await sentBefore(`UPDATE servers SET ${fields} WHERE id = $1`, join)).toBe(status);
  expect(await rowsOfServer()).toEqual(before);
});

/** How much there is of what these requests change. */
async function rowsOfServer() {
  const counts = new Map<string, unknown[]>();
  for (const table of ["channels", "webhooks", "members", "bans", "timeouts", "audit_log_entries"]) {
    const { rows } = await database.query(`SELECT count(*) FROM ${table} WHERE server_id = $1`, [serverId]);
    counts.set(table, rows);
  }
  return counts;
}
