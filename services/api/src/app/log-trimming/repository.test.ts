import { randomUUID } from "node:crypto";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { createTestDatabase } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deletedServersAuditDays, expiredDeletedServersAudit } from "../../access/audit-log/repository.js";
import { expireBatch } from "../../platform/jobs/expiry-repository.js";
import { serverLogs, trimBatchMax, trimLog, trimServersMax } from "./repository.js";

const kept = 5;
const [auditLog, automodLog] = serverLogs;
let testDatabase: Awaited<ReturnType<typeof createTestDatabase>>;
let database: Database;
let serverIds: string[];

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const logger = { info() {}, warn() {}, error() {} };
  database = await connectDatabase({ url: testDatabase.url, poolMax: 5, applicationName: "test", logger });
  const owner = await database.prisma.user.create({ data: { username: "owner" } });
  const servers = await database.prisma.server.createManyAndReturn({
    data: Array.from({ length: trimServersMax + 5 }, (_, n) => ({ name: `s${n}`, owner_id: owner.id })),
  });
  serverIds = servers.map(({ id }) => id).sort();
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

async function run(steps: AsyncGenerator<number, undefined>): Promise<void> {
  for await (const _ of steps);
}

/** How many entries each server gets: more than one statement removes, none, too many by one, and as many as are kept. */
const counts = (index: number) => [kept + 2 * trimBatchMax, 0, kept + 1, kept][index % 4] ?? 0;
const entriesOf = <Entry>(make: (server_id: string, created_at: Date) => Entry) =>
  // Three in each millisecond, so that the cut falls between entries of the same time.
  serverIds.flatMap((id, index) =>
    Array.from({ length: counts(index) }, (_, n) => make(id, new Date(1_700_000_000_000 + Math.floor(n / 3)))),
  );
const newestOf = <Entry extends { id: string; server_id: string | null; created_at: Date }>(entries: Entry[]) => {
  const order = ({ created_at, id }: Entry) => `${created_at.toISOString()} ${id}`;
  return serverIds.flatMap((id) =>
    entries
      .filter(({ server_id }) => server_id === id)
      .sort((a, b) => (order(a) < order(b) ? 1 : -1))
      .slice(0, kept)
      .map((entry) => entry.id),
  );
};

describe("logs of servers", () => {
  test("keep the newest entries of the audit log, also when two processes cut it", async () => {
    const { auditLogEntry } = database.prisma;
    const entries = await auditLogEntry.createManyAndReturn({
      data: entriesOf((server_id, created_at) => ({ server_id, action: "server_update", created_at })),
    });
    await Promise.all([run(trimLog(database, { ...auditLog, kept })), run(trimLog(database, { ...auditLog, kept }))]);
    await run(trimLog(database, { ...auditLog, kept }));
    const left = await auditLogEntry.findMany({ select: { id: true } });
    expect(left.map(({ id }) => id).sort()).toEqual(newestOf(entries).sort());
  });

  test("keep the newest entries of auto-moderation", async () => {
    const { automodLog: logged } = database.prisma;
    const entry = { username: "u", rule_type: "spam", action_taken: "delete", message_content: "text" };
    const entries = await logged.createManyAndReturn({
      data: entriesOf((server_id, created_at) => ({ server_id, created_at, ...entry })),
    });
    await run(trimLog(database, { ...automodLog, kept }));
    const left = await logged.findMany({ select: { id: true } });
    expect(left.map(({ id }) => id).sort()).toEqual(newestOf(entries).sort());
  });

  test("lose the old entries of a server that is gone", async () => {
    const { auditLogEntry } = database.prisma;
    await auditLogEntry.deleteMany();
    const [standing = ""] = serverIds;
    const gone = randomUUID();
    for (const server_id of [standing, gone]) {
      for (const age of [deletedServersAuditDays + 2, deletedServersAuditDays + 1, deletedServersAuditDays - 1]) {
        const created_at = new Date(Date.now() - age * 86_400_000);
        await auditLogEntry.create({ data: { server_id, action: "server_update", created_at } });
      }
    }
    await run(trimLog(database, { ...auditLog, kept }));
    expect(await auditLogEntry.count({ where: { server_id: standing } })).toBe(3);
    expect(await auditLogEntry.count({ where: { server_id: gone } })).toBe(1);
  });

  test("lose old deletions of servers", async () => {
    const { auditLogEntry } = database.prisma;
    await auditLogEntry.deleteMany();
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    const ages = [...Array<number>(trimBatchMax + 1).fill(deletedServersAuditDays + 1), deletedServersAuditDays - 1];
    await auditLogEntry.createMany({ data: ages.map((age) => ({ action: "server_delete", created_at: days(age) })) });
    const [serverId = ""] = serverIds;
    await auditLogEntry.create({ data: { server_id: serverId, action: "server_update", created_at: days(1_000) } });
    expect(await expireBatch(database, expiredDeletedServersAudit, trimBatchMax)).toMatchObject({ rows: trimBatchMax });
    expect(await expireBatch(database, expiredDeletedServersAudit, trimBatchMax)).toMatchObject({ rows: 1 });
    const left = await auditLogEntry.findMany({ orderBy: { created_at: "asc" } });
    expect(left.map(({ server_id }) => server_id)).toEqual([serverId, null]);
  });
});
