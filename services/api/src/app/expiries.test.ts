import { randomBytes, randomUUID } from "node:crypto";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { createLogger } from "@parley/service-runtime";
import { createTestDatabase, type TestDatabase } from "@parley/testing";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, test } from "vitest";
import { expiredSessions, expiredSuccessors } from "../accounts/auth/repository.js";
import { expiredOidcSessions, expiredSignIns, expiredUsedTokens } from "../accounts/oidc/repository.js";
import { expiredRegistrations } from "../accounts/registration/repository.js";
import { expiredReportContent } from "../desk/reports/repository.js";
import { missingTargets, uncheckedTargets } from "../notices/notifications/repository.js";
import {
  expiredPushedChannels,
  expiredPushes,
  expiredPushSubscriptions,
} from "../notices/push-subscriptions/repository.js";
import { createExpiryJobs, defineExpiry, expireBatch } from "../platform/jobs/expiry-repository.js";
import { createRowFailures, RestingRows } from "../platform/jobs/resting-rows.js";
import { expiredNonces } from "../platform/nonces/repository.js";

const logger = createLogger({ service: "api", level: "silent", nodeId: "test" });
const restingRows = new RestingRows({ job: "expiries", failures: createRowFailures(new Registry()), logger });
let testDatabase: TestDatabase;
let database: Database;

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = await connectDatabase({ url: testDatabase.url, poolMax: 3, applicationName: "test", logger });
});
afterAll(async () => {
  await database?.close();
  await testDatabase?.drop();
});

test("the copy in a report goes 90 days after it was closed, some at a time, and the report stays", async () => {
  const { prisma } = database;
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  for (const closed_at of [null, daysAgo(89), daysAgo(91), daysAgo(92), daysAgo(93)]) {
    const about = { target_type: "user", target_id: randomUUID(), content: "x", category: "other", source: "member" };
    const state = { status: closed_at === null ? "open" : "closed", closed_at, created_at: daysAgo(100) };
    await prisma.report.create({ data: { ...about, ...state, reasons: ["rude"] } });
  }
  expect(await expireBatch(database, expiredReportContent, 2)).toEqual({ rows: 2, more: true });
  expect(await expireBatch(database, expiredReportContent, 2)).toEqual({ rows: 1, more: true });
  expect(await expireBatch(database, expiredReportContent, 2)).toEqual({ rows: 0, more: false });
  const rows = await prisma.report.findMany({ orderBy: { id: "asc" } });
  expect(rows.map(({ content }) => content)).toEqual(["x", "x", null, null, null]);
  expect(rows.map(({ reasons }) => reasons)).toEqual(Array(5).fill(["rude"]));
});

test("settings of what does not exist go after 30 days, unless it is there by then", async () => {
  const { prisma } = database;
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const { id: user_id } = await prisma.user.create({ data: { username: "ann" } });
  const server = await prisma.server.create({ data: { name: "Chess", owner_id: user_id } });
  const target = (target_id: string, checked: number, missing: number | null) => ({
    ...{ user_id, kind: "server", target_id, level: "all", checked_at: daysAgo(checked) },
    missing_since: missing === null ? null : daysAgo(missing),
  });
  const [fresh, unseen, kept, gone] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await prisma.notificationTarget.createMany({
    data: [
      target(server.id, 2, 40),
      target(fresh, 0, null),
      target(unseen, 2, null),
      target(kept, 2, 29),
      target(gone, 2, 31),
    ],
  });
  for (const each of [uncheckedTargets, missingTargets]) await expireBatch(database, each, 10);
  const rows = await prisma.notificationTarget.findMany();
  const missing = new Map(rows.map(({ target_id, missing_since }) => [target_id, missing_since !== null]));
  expect(Object.fromEntries(missing)).toEqual({ [server.id]: false, [fresh]: false, [unseen]: true, [kept]: true });
});

test("accounts whose address nobody confirmed in a week go, and declined ones after 30 days; those who wait for more stay", async () => {
  type Waits = { verified?: boolean; confirm_by?: Date; state?: string; decided_at?: Date };
  const { prisma } = database;
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const declined = (days: number) => ({ state: "declined", decided_at: daysAgo(days) });
  const cases = {
    unconfirmed_late: { confirm_by: daysAgo(1) },
    unconfirmed_still: { confirm_by: daysAgo(-1) },
    confirmed: { confirm_by: daysAgo(1), verified: true },
    pending: { state: "pending" },
    declined_long_ago: declined(31),
    declined_lately: declined(29),
  };
  for (const [username, { verified = false, ...waits }] of Object.entries<Waits>(cases)) {
    const email_verified_at = verified ? daysAgo(2) : null;
    const registration = { create: { ...waits, network: "192.0.2.0/24", language: "en" } };
    await prisma.user.create({ data: { username, email_verified_at, registration } });
  }
  await expireBatch(database, expiredRegistrations, 10);
  const left = await prisma.user.findMany({ where: { username: { in: Object.keys(cases) } }, orderBy: { id: "asc" } });
  expect(left.map(({ username }) => username)).toEqual([
    "unconfirmed_still",
    "confirmed",
    "pending",
    "declined_lately",
  ]);
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test("a push goes an hour after it was made, or when its event is not read again, unless it is still to be sent", async () => {
  const { prisma } = database;
  const push = (created: number, due: number | null) => ({
    ...{ subscription_id: randomUUID(), message_id: randomUUID(), channel_id: randomUUID() },
    ...{ created_at: minutesAgo(created), due_at: due === null ? null : minutesAgo(due) },
  });
  const [fresh, hour, hours, waiting, given] = [
    push(59, null),
    push(61, null),
    push(181, null),
    push(1_439, 1_439),
    push(1_441, 1_441),
  ];
  await prisma.push.createMany({ data: [fresh, hour, hours, waiting, given] });
  const left = async () =>
    (await prisma.push.findMany({ orderBy: { created_at: "desc" } })).map(({ message_id }) => message_id);
  const idsOf = (...rows: { message_id: string }[]) => rows.map(({ message_id }) => message_id);
  await expireBatch(database, expiredPushes(180 * 60_000), 10);
  expect(await left()).toEqual(idsOf(fresh, hour, waiting));
  await expireBatch(database, expiredPushes(1_000), 10);
  expect(await left()).toEqual(idsOf(fresh, waiting));
});

test("the record of a device's push of a channel is kept for 25 hours", async () => {
  const { prisma } = database;
  const told = (hours: number) => ({
    ...{ subscription_id: randomUUID(), channel_id: randomUUID() },
    ...{ pushed_at: minutesAgo(hours * 60), message_at: minutesAgo(hours * 60) },
  });
  const [kept, gone] = [told(24.9), told(25.1)];
  await prisma.pushedChannel.createMany({ data: [kept, gone] });
  await expireBatch(database, expiredPushedChannels, 10);
  expect((await prisma.pushedChannel.findMany()).map(({ channel_id }) => channel_id)).toEqual([kept.channel_id]);
});

test("a device goes once the session that named it has no refresh token in force, those of bots stay", async () => {
  const { prisma } = database;
  const { id: user_id } = await prisma.user.create({ data: { username: "bob" } });
  const device = (session_id: string | null) => ({
    ...{ user_id, session_id, endpoint: `https://push.example/${randomUUID()}`, p256dh: "p", auth: "a" },
  });
  const refresh = (family_id: string, minutes: number) => ({
    ...{
      user_id,
      family_id,
      token_hash: randomBytes(32).toString("hex"),
      session_version: 0,
      expires_at: minutesAgo(-minutes),
    },
  });
  const [valid, expired, dropped] = [randomUUID(), randomUUID(), randomUUID()];
  await prisma.refreshSession.createMany({ data: [refresh(valid, -1), refresh(valid, 1), refresh(expired, -1)] });
  await prisma.pushSubscription.createMany({ data: [valid, expired, dropped, null].map(device) });
  await expireBatch(database, expiredPushSubscriptions, 10);
  const left = await prisma.pushSubscription.findMany({ orderBy: { session_id: { sort: "asc", nulls: "last" } } });
  expect(left.map(({ session_id }) => session_id)).toEqual([valid, null]);
});

test("what was kept of sign-ins at a provider goes with its time, and a session that began there once nothing of it is left", async () => {
  const { prisma } = database;
  const hash = () => randomBytes(32).toString("hex");
  const [code_hash, used] = [hash(), hash()];
  const person = { issuer: "https://id.example", subject: "x" };
  const signIn = (code: string, minutes: number) => ({
    ...{ ...person, code_hash: code, browser_hash: hash(), claims: {}, expires_at: minutesAgo(minutes) },
  });
  await prisma.oidcSignIn.createMany({ data: [signIn(code_hash, -1), signIn(hash(), 1)] });
  await prisma.oidcUsedToken.createMany({
    data: [
      { token_hash: used, expires_at: minutesAgo(-1) },
      { token_hash: hash(), expires_at: minutesAgo(1) },
    ],
  });
  for (const each of [expiredSignIns, expiredUsedTokens]) await expireBatch(database, each, 10);
  expect((await prisma.oidcSignIn.findMany()).map((row) => row.code_hash)).toEqual([code_hash]);
  expect((await prisma.oidcUsedToken.findMany()).map((row) => row.token_hash)).toEqual([used]);

  const { id: user_id } = await prisma.user.create({ data: { username: "eve" } });
  const [going, recent, over] = [randomUUID(), randomUUID(), randomUUID()];
  const session = (session_id: string, days: number) => ({
    ...{ ...person, session_id, user_id, created_at: minutesAgo(days * 1_440) },
  });
  await prisma.oidcSession.createMany({ data: [session(going, 31), session(recent, 29), session(over, 31)] });
  const refresh = { user_id, family_id: going, token_hash: hash(), expires_at: minutesAgo(-1) };
  await prisma.refreshSession.create({ data: refresh });
  await expireBatch(database, expiredOidcSessions, 10);
  const left = (await prisma.oidcSession.findMany()).map((row) => row.session_id);
  expect(left.sort()).toEqual([going, recent].sort());
});

test("a nonce goes after 25 hours, a session with its end, and the sealed successor of a token with the grace", async () => {
  const { prisma } = database;
  const before = (seconds: number) => new Date(Date.now() - seconds * 1_000);
  const { id: user_id } = await prisma.user.create({ data: { username: "sessions" } });
  const channel_id = randomUUID();
  for (const [nonce, hours] of [
    ["young", 24.5],
    ["old", 25.5],
  ] as const) {
    const created_at = before(hours * 3_600);
    await prisma.messageNonce.create({
      data: { author_id: user_id, channel_id, nonce, message_id: randomUUID(), created_at },
    });
  }
  const session = (name: string, expires: number, used: number | null) => ({
    ...{ user_id, family_id: randomUUID(), token_hash: randomBytes(32).toString("hex"), expires_at: before(expires) },
    user_agent: name,
    ...(used === null ? {} : { used_at: before(used), sealed_successor: "sealed" }),
  });
  await prisma.refreshSession.createMany({
    data: [session("expired", 1, null), session("in grace", -60, 50), session("past it", -60, 61)],
  });
  for (const each of [expiredNonces, expiredSessions, expiredSuccessors]) await expireBatch(database, each, 10);
  expect((await prisma.messageNonce.findMany()).map(({ nonce }) => nonce)).toEqual(["young"]);
  const left = await prisma.refreshSession.findMany({ where: { user_id }, orderBy: { user_agent: "asc" } });
  expect(left.map(({ user_agent, sealed_successor }) => [user_agent, sealed_successor])).toEqual([
    ["in grace", "sealed"],
    ["past it", null],
  ]);
});

test("an expiry that fails leaves the turn to the next one", async () => {
  const { id: user_id } = await database.prisma.user.create({ data: { username: "turns" } });
  const old = { author_id: user_id, channel_id: randomUUID(), message_id: randomUUID(), nonce: "old" };
  await database.prisma.messageNonce.create({ data: { ...old, created_at: minutesAgo(26 * 60) } });
  const broken = defineExpiry({ name: "expired nothing", table: "no_such_table", where: "true", order: "id" });
  const jobs = createExpiryJobs(database, [broken, expiredNonces]);
  const batch = { size: 10, signal: new AbortController().signal, resting: restingRows };
  const rounds = await Promise.allSettled(jobs.map((job) => job.batch(batch)));
  expect(rounds).toMatchObject([{ status: "rejected" }, { status: "fulfilled", value: { rows: 1 } }]);
});
