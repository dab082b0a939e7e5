import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { deleteBatch } from "./repository.js";

const size = 4;
/** More than fit into a batch, reactions, votes and assignments of roles too. */
const people = 9;
const roles = 30;
const readers = 50;

let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = { info() {}, warn() {}, error() {} };
  database = await connectDatabase({ url: testDatabase.url, poolMax: 3, applicationName: "orphans test", logger });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

const deleteSome = () => database.transaction((transaction) => deleteBatch(transaction, size));
async function counts() {
  const { prisma } = database;
  return {
    members: await prisma.member.count(),
    member_roles: await prisma.memberRole.count(),
    bans: await prisma.ban.count(),
    timeouts: await prisma.timeout.count(),
    read_states: await prisma.readState.count(),
    reports: await prisma.report.count(),
    member_notes: await prisma.memberNote.count(),
    membership_changes: await prisma.membershipChange.count(),
    insight_marks: await prisma.insightMark.count(),
    messages: await prisma.message.count(),
    reactions: await prisma.reaction.count(),
    poll_votes: await prisma.pollVote.count(),
  };
}
const tables = [
  ...(["members", "member_roles", "bans", "timeouts", "read_states"] as const),
  ...(["reports", "member_notes", "membership_changes", "insight_marks"] as const),
  ...(["messages", "reactions", "poll_votes"] as const),
];
const none = {
  ...{ members: 0, member_roles: 0, bans: 0, timeouts: 0, read_states: 0, reports: 0, member_notes: 0 },
  ...{ membership_changes: 0, insight_marks: 0 },
  ...{ messages: 0, reactions: 0, poll_votes: 0 },
};

let serverId: string;
let roleIds: string[];
let memberIds: string[];
/** A server whose members all have every role, a ban, a timeout, a mark, a report and a note; more people reacted and voted. */
beforeEach(async () => {
  const { prisma } = database;
  await prisma.$executeRawUnsafe(
    "TRUNCATE users, members, bans, timeouts, read_states, messages, reports, membership_changes, orphans CASCADE",
  );
  const users = await prisma.user.createManyAndReturn({
    data: Array.from({ length: readers }, (_, n) => ({ username: `person${n}` })),
  });
  const ids = users.map(({ id }) => id);
  memberIds = ids.slice(0, people);
  const [owner_id = ""] = ids;
  const { id: server_id } = await prisma.server.create({ data: { name: "s", owner_id } });
  serverId = server_id;
  const { id: channel_id } = await prisma.channel.create({ data: { server_id, name: "c", position: 0 } });
  const made = await prisma.role.createManyAndReturn({
    data: Array.from({ length: roles }, (_, position) => ({ server_id, name: "r", position })),
  });
  roleIds = made.map(({ id }) => id);
  const now = new Date();
  const place = { server_id, place_id: channel_id, last_day: now };
  await prisma.insightMark.createMany({ data: memberIds.map((user_id) => ({ ...place, user_id })) });
  await prisma.member.createMany({ data: memberIds.map((user_id) => ({ server_id, user_id })) });
  await prisma.memberRole.createMany({
    data: memberIds.flatMap((user_id) => roleIds.map((role_id) => ({ server_id, user_id, role_id }))),
  });
  await prisma.ban.createMany({ data: memberIds.map((user_id) => ({ server_id, user_id })) });
  await prisma.timeout.createMany({ data: memberIds.map((user_id) => ({ server_id, user_id, expires_at: now })) });
  await prisma.readState.createMany({
    data: memberIds.map((user_id) => ({ channel_id, user_id, last_read_at: now })),
  });
  const report = { server_id, target_type: "member", category: "other", source: "member" };
  await prisma.report.createMany({ data: memberIds.map((target_id) => ({ ...report, target_id })) });
  await prisma.memberNote.createMany({ data: memberIds.map((user_id) => ({ server_id, user_id, text: "x" })) });
  const { id: message_id } = await prisma.message.create({ data: { channel_id, server_id, content: "x" } });
  const { id: poll_id } = await prisma.poll.create({ data: { message_id, question: "x" } });
  const { id: option_id } = await prisma.pollOption.create({ data: { poll_id, position: 0, text: "x" } });
  await prisma.reaction.createMany({ data: ids.map((user_id) => ({ message_id, user_id, emoji: "x" })) });
  await prisma.pollVote.createMany({ data: ids.map((user_id) => ({ poll_id, option_id, user_id })) });
});
const deleteServer = () => database.prisma.server.delete({ where: { id: serverId } });

test("no batch removes more rows of a table than it may, and all are removed in the end", async () => {
  await deleteServer();
  let before = await counts();
  expect(before).toEqual({
    ...{ members: people, member_roles: people * roles, bans: people, timeouts: people, read_states: people },
    ...{ reports: people, member_notes: people, membership_changes: 1, insight_marks: people },
    ...{ messages: 1, reactions: readers, poll_votes: readers },
  });
  const largest = { ...none };
  while ((await deleteSome()) !== null) {
    const after = await counts();
    for (const table of tables) largest[table] = Math.max(largest[table], before[table] - after[table]);
    before = after;
  }
  expect(before).toEqual(none);
  expect(largest).toEqual({
    ...{ members: size, member_roles: size, bans: size, timeouts: size, read_states: size },
    ...{ reports: size, member_notes: size, membership_changes: 1, insight_marks: size },
    ...{ messages: 1, reactions: 10 * size, poll_votes: 10 * size },
  });
});

test("what another transaction is at is left to it, and is not forgotten when that rolls back", async () => {
  await deleteServer();
  const rollback = new Error("rolled back");
  const other = database.transaction(async ({ prisma }) => {
    await prisma.ban.update({
      where: { server_id_user_id: { server_id: serverId, user_id: memberIds[5] ?? "" } },
      data: { reason: "x" },
    });
    for (let batch = 0; (await deleteSome()) !== null; batch += 1) expect(batch).toBeLessThan(people);
    expect(await database.prisma.ban.count()).toBe(1);
    throw rollback;
  });
  await expect(other).rejects.toBe(rollback);
  while ((await deleteSome()) !== null);
  expect(await counts()).toEqual(none);
});

test("only the assignments of a role that was deleted alone are removed", async () => {
  const { prisma } = database;
  const [id = ""] = roleIds;
  await prisma.role.delete({ where: { id } });
  while ((await deleteSome()) !== null);
  expect(await prisma.memberRole.count()).toBe(people * (roles - 1));
  expect(await prisma.orphans.count()).toBe(0);
});

test("a table that only a later version knows is left to its processes", async () => {
  await deleteServer();
  const later = { table_name: "later", parent_id: serverId, created_at: new Date(0) };
  await database.prisma.orphans.create({ data: later });
  while ((await deleteSome()) !== null);
  expect(await database.prisma.orphans.findMany()).toEqual([later]);
  expect(await counts()).toEqual(none);
});
