import { randomUUID } from "node:crypto";
import { shownReportersMax } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database/prisma";
import {
  connectMessaging,
  defaultStreamSettings,
  ensureStreams,
  type Messaging,
  readStored,
  storedRange,
} from "@parley/messaging";
import { createOutbox, type Outbox } from "@parley/outbox";
import { createTestDatabase, startNats, type TestDatabase } from "@parley/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type NewReport, recordReport } from "./reports.js";

const logger = { info() {}, warn() {}, error() {} };
let testDatabase: TestDatabase;
let nats: Awaited<ReturnType<typeof startNats>>;
let databases: Database[];
let messaging: Messaging;
let outboxes: Outbox[];
let serverId: string;
let authorId: string;

beforeAll(async () => {
  [testDatabase, nats] = await Promise.all([createTestDatabase(), startNats()]);
  const options = { url: testDatabase.url, poolMax: 5, applicationName: "test", logger };
  databases = [await connectDatabase(options), await connectDatabase(options)];
  messaging = await connectMessaging({ url: nats.url, name: "test", logger });
  await ensureStreams(messaging, defaultStreamSettings);
  outboxes = databases.map((database) => createOutbox({ database, messaging, logger }));
});
afterAll(async () => {
  await Promise.all((outboxes ?? []).map((outbox) => outbox.close()));
  await Promise.all([...(databases ?? []).map((database) => database.close()), messaging?.close()]);
  await Promise.all([testDatabase?.drop(), nats?.stop()]);
});
beforeEach(async () => {
  authorId = await newUser();
  serverId = (await prisma().server.create({ data: { name: "s", owner_id: await newUser() } })).id;
});

const prisma = () => {
  const [database] = databases;
  if (database === undefined) throw new Error("there is no database");
  return database.prisma;
};

const newUser = async () => (await prisma().user.create({ data: { username: `u_${randomUUID().slice(0, 8)}` } })).id;

const message = (content = "rude"): NewReport["target"] => ({
  type: "message",
  serverId,
  channelId: randomUUID(),
  id: randomUUID(),
  authorId,
  content,
  attachments: 2,
});

/** By one process or another. */
const record = (report: NewReport, process = 0) => {
  const outbox = outboxes[process];
  if (outbox === undefined) throw new Error("there is no such process");
  return outbox.transaction([{ server_id: serverId }], (transaction, emit) => recordReport(transaction, emit, report));
};

/** Names and payloads of the events that the work stores, in the order of the stream. */
async function eventsOf(work: () => Promise<unknown>) {
  const { lastSequence } = await storedRange(messaging);
  await work();
  const found: { name: string; d: unknown }[] = [];
  const range = { from: lastSequence + 1, to: (await storedRange(messaging)).lastSequence };
  await readStored(messaging, range, ({ address, body }) => {
    found.push({ name: address.event, d: JSON.parse(Buffer.from(body).toString()).d });
  });
  return found;
}

const close = (id: string) =>
  prisma().report.update({ where: { id }, data: { status: "closed", closed_at: new Date() } });

describe("the reports of one thing", () => {
  test("reports of one message at once by two processes are one row, one REPORT_CREATE and updates", async () => {
    const target = message();
    const reporters = await Promise.all(Array.from({ length: 8 }, newUser));
    const events = await eventsOf(() =>
      Promise.all(reporters.map((reporterId, n) => record({ target, reporterId, reason: `reason ${n}` }, n % 2))),
    );
    expect(events.map(({ name }) => name)).toEqual(["REPORT_CREATE", ...Array(7).fill("REPORT_UPDATE")]);
    const [row, ...others] = await prisma().report.findMany({ where: { server_id: serverId } });
    expect(others).toEqual([]);
    expect(row?.reporters.toSorted()).toEqual(reporters.toSorted());
    expect(events.at(-1)?.d).toMatchObject({
      ...{ id: row?.id, message_id: target.id, author_id: authorId, content: "rude", attachments: 2 },
      ...{ reporters: row?.reporters, source: "member", category: "other", status: "open", closed_at: null },
    });
  });

  test("the same reporter, and a rule for the same reason, add nothing; the reporter opens a closed report again", async () => {
    const target = message();
    const byMember: NewReport = { target, reporterId: await newUser(), reason: "spam", category: "spam" };
    const byRule: NewReport = { target, reporterId: null, reason: "Rule: links" };
    const first = await record(byMember);
    expect(first.isKnown).toBe(false);
    expect(await record(byRule)).toEqual({ id: first.id, isKnown: false });
    const again = () => Promise.all([byMember, byRule].map((report) => record({ ...report, category: "illegal" })));
    expect(await eventsOf(again)).toEqual([]);
    await close(first.id);
    expect(await eventsOf(() => record(byRule))).toEqual([]);
    const [event, ...others] = await eventsOf(again);
    expect(others).toEqual([]);
    const whole = { reasons: ["spam", "Rule: links"], category: "spam", status: "open", closed_at: null };
    expect(event).toMatchObject({ name: "REPORT_UPDATE", d: whole });
    expect(await again()).toEqual([
      { id: first.id, isKnown: true },
      { id: first.id, isKnown: true },
    ]);
    const row = await prisma().report.findUniqueOrThrow({ where: { id: first.id } });
    expect(row).toMatchObject(whole);
  });

  test("a new report opens a closed one again, with what is there to read now", async () => {
    const target = message();
    const { id } = await record({ target, reporterId: null, reason: "Rule: words" });
    await record({ target: { ...target, content: "edited" }, reporterId: await newUser(), reason: "rude" });
    expect(await prisma().report.findUnique({ where: { id } })).toMatchObject({ content: "rude", source: "automod" });
    await close(id);
    const report = { target: { ...target, content: "edited" }, reporterId: await newUser(), reason: "still rude" };
    const [event] = await eventsOf(() => record(report));
    expect(event).toMatchObject({
      name: "REPORT_UPDATE",
      d: { id, status: "open", closed_at: null, content: "edited" },
    });
  });

  test("a row keeps a bounded number of reporters, and further ones open it again only", async () => {
    const target = message();
    const reporters = await Promise.all(Array.from({ length: shownReportersMax + 1 }, newUser));
    for (const reporterId of reporters.slice(1)) await record({ target, reporterId, reason: "rude" });
    const last: NewReport = { target, reporterId: reporters[0] ?? "", reason: "rude" };
    expect(await eventsOf(() => record(last))).toEqual([]);
    await close((await record(last)).id);
    const [event] = await eventsOf(() => record(last));
    expect(event).toMatchObject({ name: "REPORT_UPDATE", d: { status: "open", reporters: reporters.slice(1) } });
  });

  test("names are reported by server, and what concerns the installation has no event", async () => {
    const id = authorId;
    const name: NewReport["target"] = { type: "member", serverId, id, authorId, content: "rude_name" };
    const [event] = await eventsOf(() => record({ target: name, reporterId: null, reason: "Rule: names" }));
    expect(event).toMatchObject({
      name: "REPORT_CREATE",
      d: { message_id: null, channel_id: null, author_id: id, content: "rude_name", reporters: [], source: "automod" },
    });
    const user: NewReport["target"] = { type: "user", id, authorId, content: "rude_name" };
    expect(await eventsOf(async () => record({ target: user, reporterId: await newUser(), reason: "rude" }))).toEqual(
      [],
    );
    const ids = await Promise.all(
      [newUser(), newUser()].map(async (reporter) => {
        return (await record({ target: user, reporterId: await reporter, reason: "rude" })).id;
      }),
    );
    expect(new Set(ids).size).toBe(1);
  });
});
