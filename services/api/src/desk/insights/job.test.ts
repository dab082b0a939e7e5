import { lastDays } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database/prisma";
import { createLogger } from "@parley/service-runtime";
import { createTestDatabase, type TestDatabase, waitUntil } from "@parley/testing";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createRowFailures, RestingRows } from "../../platform/jobs/resting-rows.js";
import { countInsights } from "./job.js";
import { claimServer, countDay, findSpans } from "./repository.js";

let testDatabase: TestDatabase;
let client: Awaited<ReturnType<TestDatabase["connect"]>>;
const databases: Database[] = [];
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  client = await testDatabase.connect();
  await client.query(`SET timezone = '${zone}'`);
  const logger = { info() {}, warn() {}, error() {} };
  const connect = (applicationName: string) =>
    connectDatabase({ url: testDatabase.url, poolMax: 2, applicationName, logger });
  databases.push(await connect("one"), await connect("other"));
});
afterAll(async () => {
  await client?.end();
  for (const database of databases) await database.close();
  await testDatabase?.drop();
});

/** Batches of one of both processes, until none is due. */
function startJob(index: number) {
  const database = databases[index];
  if (database === undefined) throw new Error("not connected");
  const logger = createLogger({ service: "api", level: "silent", nodeId: "test" });
  const resting = new RestingRows({ job: "figures", failures: createRowFailures(new Registry()), logger });
  const job = countInsights(database);
  const batch = () => job.batch({ size: 1, signal: new AbortController().signal, resting });
  const run = async () => {
    while ((await batch()).more);
  };
  return { batch, run, database };
}

const rows = async (sql: string, values: unknown[] = []): Promise<unknown[]> => (await client.query(sql, values)).rows;
const one = async (sql: string, values: unknown[] = []) => Object.values(Object((await rows(sql, values))[0]));
const people = new Map<string, string>();
/** Where it is about noon, so that no test meets midnight. */
const hour = new Date().getUTCHours();
const zone = `Etc/GMT${hour < 12 ? "-" : "+"}${Math.abs(hour - 12)}`;
let serverId: string;
let channels: string[];

/** A server of a month, with people, a bot, a webhook and somebody of an archive. */
beforeEach(async () => {
  await client.query("TRUNCATE users, members, messages, read_states, membership_changes, insight_marks CASCADE");
  for (const name of ["owner", "ann", "bob", "cid", "bot", "hook", "imported"]) {
    const [id] = await one(
      "INSERT INTO users (username, is_webhook, imported) VALUES ($1, $1 = 'hook', $1 = 'imported') RETURNING id",
      [name],
    );
    people.set(name, String(id));
  }
  await client.query("INSERT INTO bots (user_id, name, token_hash) VALUES ($1, 'bot', repeat('a', 64))", [
    people.get("bot"),
  ]);
  const [id] = await one(
    "INSERT INTO servers (name, owner_id, timezone, created_at) VALUES ('s', $1, $2, now() - interval '30 days') RETURNING id",
    [people.get("owner"), zone],
  );
  serverId = String(id);
  const made = await client.query<{ id: string }>(
    "INSERT INTO channels (server_id, name, position) SELECT $1, 'c' || n, n FROM generate_series(0, 1) n RETURNING id",
    [serverId],
  );
  channels = made.rows.map((row) => row.id);
});

const join = (name: string, days: number, code: string | null = null) =>
  client.query(
    `INSERT INTO members (server_id, user_id, joined_at, joined_with)
     VALUES ($1, $2, now() - make_interval(days => $3), $4)`,
    [serverId, people.get(name), days, code],
  );
const say = (name: string | null, at: string, { channel = 0, deleted = false } = {}) =>
  client.query(
    `INSERT INTO messages (id, server_id, channel_id, author_id, content, deleted)
     VALUES (uuidv7($4::timestamptz - clock_timestamp()), $1, $2, $3, 'x', $5)`,
    [serverId, channels[channel], name === null ? null : people.get(name), at, deleted],
  );
/** About noon in the time zone of the server. */
const noon = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString();
const dueNow = () => client.query("UPDATE insight_counts SET due_at = now()");
const figures = "joins, leaves, members, active_members, writers, messages";
const counted = () =>
  rows(
    `SELECT (current_date - day)::integer AS ago, ${figures}, channels FROM insight_days WHERE server_id = $1 ORDER BY day`,
    [serverId],
  );
const span = async (days: number) => (await findSpans(startJob(0).database, serverId))?.spans[days];
const byChannel = async (days: number) =>
  (await span(days))?.channels.map(({ channel_id, messages, writers }) => [
    channels.indexOf(channel_id),
    messages,
    writers,
  ]);

async function fillMonth() {
  await join("owner", 29);
  await join("ann", 20, "AAAAAAAA");
  await join("bob", 10, "AAAAAAAA");
  await join("cid", 3, "BBBBBBBB");
  await join("bot", 3);
  for (const day of [20, 20, 10, 2, 1]) await say("ann", noon(day));
  await say("bob", noon(10), { channel: 1 });
  await say("bob", noon(1), { deleted: true });
  for (const nobody of ["bot", "hook", "imported", null]) await say(nobody, noon(1));
  await client.query("INSERT INTO read_states (user_id, channel_id, last_read_at) VALUES ($1, $2, $3)", [
    people.get("cid"),
    channels[0],
    noon(1),
  ]);
  await client.query("DELETE FROM members WHERE user_id = $1", [people.get("bob")]);
}

test("every day has a row: joins, leaves, members at its end, people who wrote or read, and their messages", async () => {
  await fillMonth();
  await startJob(0).run();
  const days = await counted();
  expect(days).toHaveLength(31);
  const quiet = { joins: 0, leaves: 0, active_members: 0, writers: 0, messages: 0, channels: {} };
  const [first, second] = [channels[0] ?? "", channels[1] ?? ""];
  expect(days.find((day) => Object(day).ago === 20)).toEqual({
    ...{ ago: 20, joins: 1, leaves: 0, members: 2, active_members: 1, writers: 1, messages: 2 },
    channels: { [first]: 2 },
  });
  expect(days.find((day) => Object(day).ago === 10)).toEqual({
    ...{ ago: 10, joins: 1, leaves: 0, members: 3, active_members: 2, writers: 2, messages: 2 },
    channels: { [first]: 1, [second]: 1 },
  });
  expect(days.find((day) => Object(day).ago === 4)).toEqual({ ago: 4, ...quiet, members: 3 });
  expect(days.find((day) => Object(day).ago === 1)).toEqual({
    ...{ ago: 1, joins: 0, leaves: 0, members: 5, active_members: 3, writers: 2, messages: 2 },
    channels: { [first]: 2 },
  });
  expect(days.at(-1)).toEqual({ ago: 0, ...quiet, leaves: 1, members: 4 });
  expect(await byChannel(7)).toEqual([[0, 3, 2]]);
  expect((await byChannel(28))?.toSorted()).toEqual([
    [0, 6, 2],
    [1, 1, 1],
  ]);
  expect((await span(7))?.invites).toEqual([{ code: "BBBBBBBB", joins: 1, still_members: 1 }]);
  expect((await span(90))?.invites).toEqual([
    { code: "AAAAAAAA", joins: 2, still_members: 1 },
    { code: "BBBBBBBB", joins: 1, still_members: 1 },
  ]);
});

test("the count of two processes, one of which dies in the middle, is that of one, and so is a second one", async () => {
  await fillMonth();
  await startJob(0).run();
  const [once, spans] = [await counted(), await span(28)];
  await dueNow();
  await startJob(0).run();
  expect([await counted(), await span(28)]).toEqual([once, spans]);

  await client.query("DELETE FROM insight_days");
  await client.query("DELETE FROM insight_marks");
  await dueNow();
  const dying = startJob(0);
  for (let day = 0; day < 5; day += 1) await dying.batch();
  expect(await counted()).toHaveLength(5);
  // It dies with the server in its hand, which another process takes when the time for that has passed.
  expect(await claimServer(dying.database, [])).toMatchObject({ id: serverId });
  expect(await startJob(1).batch()).toEqual({ rows: 0, more: false });
  await dueNow();
  await Promise.all([startJob(0).run(), startJob(1).run()]);
  expect(await rows("SELECT FROM insight_counts WHERE due_at > now()")).toHaveLength(1);
  expect([await counted(), await span(28)]).toEqual([once, spans]);
});

test("a statement that is killed while it counts leaves the rows of before, and the next one counts right", async () => {
  await fillMonth();
  await startJob(0).run();
  const before = await counted();
  for (const channel of [0, 1]) await say("owner", noon(0), { channel });
  await dueNow();
  const holder = await testDatabase.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM insight_days FOR UPDATE");
  const killed = startJob(1).batch();
  const rejected = expect(killed).rejects.toThrow();
  const waiting = "SELECT pid FROM pg_stat_activity WHERE application_name = 'other' AND wait_event_type = 'Lock'";
  await waitUntil(async () => (await rows(waiting)).length === 1, { what: "the job to wait for the row" });
  await client.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS waiting`);
  await rejected;
  await holder.query("ROLLBACK");
  await holder.end();
  expect(await counted()).toEqual(before);
  expect(await rows("SELECT FROM insight_marks WHERE user_id = $1", [people.get("owner")])).toEqual([]);
  await dueNow();
  await startJob(0).run();
  expect((await counted()).at(-1)).toMatchObject({ ago: 0, active_members: 1, writers: 1, messages: 2 });
  expect((await counted()).slice(0, -1)).toEqual(before.slice(0, -1));
});

test("a day is cut where the clocks of the time zone say so, also when they change", async () => {
  const times = ["2026-03-28T22:59:59", "2026-03-28T23:00:00", "2026-03-29T21:59:59", "2026-03-29T22:00:00"];
  for (const time of times) await say("ann", `${time}Z`);
  const { database } = startJob(0);
  const days = lastDays(3, { now: new Date("2026-03-30T12:00:00Z"), timeZone: "Europe/Berlin" });
  for (const day of days) await countDay(database, serverId, day);
  expect(
    await rows("SELECT day::text, messages FROM insight_days WHERE server_id = $1 ORDER BY day", [serverId]),
  ).toEqual([
    { day: "2026-03-28", messages: 1 },
    { day: "2026-03-29", messages: 2 },
    { day: "2026-03-30", messages: 1 },
  ]);
});

test("a server goes on being counted when the job was away for days, and is counted soon when its time zone changes", async () => {
  await fillMonth();
  await startJob(0).run();
  const all = await counted();
  await client.query("DELETE FROM insight_days WHERE day IN (current_date - 2, current_date)");
  await client.query("UPDATE insight_days SET messages = 99, counted_at = day WHERE day = current_date - 1");
  await dueNow();
  await startJob(0).run();
  expect(await counted()).toEqual(all);
  expect(await rows("SELECT FROM insight_counts WHERE due_at <= now()")).toEqual([]);
  await client.query("UPDATE servers SET timezone = 'Asia/Tokyo'");
  expect(await rows("SELECT FROM insight_counts WHERE due_at <= now()")).toHaveLength(1);
});
