import { createServerWithMembers, joinServer, type MailReader, postMessage, waitUntil } from "@parley/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type MailStage, startMailStage } from "./mails-fixture.js";

let stage: MailStage;
/** Called by the mail server before it takes a mail. */
let accept: (source: string) => Promise<void>;
beforeEach(() => {
  accept = async () => undefined;
});
beforeAll(async () => {
  stage = await startMailStage({ accept: ({ source }) => accept(source) });
});
afterEach(() => {
  accept = async () => undefined;
});
afterAll(() => stage?.stop());

async function createPlace(readerCount = 1) {
  const { server, channel, owner } = await createServerWithMembers(stage.client, 0);
  const readers = await Promise.all(Array.from({ length: readerCount }, () => stage.register()));
  for (const each of readers) await joinServer(each, server.id);
  const [reader] = readers;
  if (reader === undefined) throw new Error("A place has a reader");
  const mention = async (text: string, of: MailReader = reader) =>
    (await postMessage(owner, channel.id, `@${of.username} ${text}`)).id;
  return { reader, readers, mention };
}

const rowOf = async ({ user }: MailReader) => {
  const [row] = await stage.sql(
    `SELECT extract(epoch FROM mail_due_at - now())::float8 AS due_in, mail_attempts AS attempts,
      extract(epoch FROM mail_due_at - mail_sent_at)::float8 AS after_last,
      mail_leased_until IS NOT NULL AS is_leased,
      (SELECT extract(epoch FROM n.mail_due_at - min(created_at))::float8 FROM missed_messages m
        WHERE m.user_id = n.user_id) AS after_first,
      (SELECT count(*)::integer FROM missed_messages m WHERE m.user_id = n.user_id) AS missed
     FROM notification_settings n WHERE user_id = $1`,
    [user.id],
  );
  return Object(row);
};
const setRow = ({ user }: MailReader, assignment: string) =>
  stage.sql(`UPDATE notification_settings SET ${assignment} WHERE user_id = $1`, [user.id]);
const textsOf = (reader: MailReader) => stage.mailsTo(reader).map(({ text }) => text);

test("a mail waits until the first message is a quarter of an hour old, has all missed messages, and the next one waits an hour", async () => {
  const { reader, mention } = await createPlace();
  await mention("one");
  await mention("two");
  await stage.untilCollected();
  expect(await rowOf(reader)).toMatchObject({ after_first: 900, missed: 2 });
  // Looked into too early, it is put off again.
  await setRow(reader, "mail_due_at = now()");
  await stage.untilSettled([reader]);
  expect(await rowOf(reader)).toMatchObject({ after_first: 900, missed: 2 });
  expect(textsOf(reader)).toEqual([]);
  await stage.makeDue([reader]);
  await stage.untilSettled([reader]);
  const [first, ...others] = textsOf(reader);
  expect(others).toEqual([]);
  expect([first?.includes("one"), first?.includes("two")]).toEqual([true, true]);
  expect(await rowOf(reader)).toMatchObject({ due_in: null, missed: 0 });

  await mention("three");
  await stage.untilCollected();
  expect(await rowOf(reader)).toMatchObject({ after_last: 3_600, missed: 1 });
  await stage.makeDue([reader]);
  await stage.untilSettled([reader]);
  expect(await rowOf(reader)).toMatchObject({ after_last: 3_600, missed: 1 });
  expect(textsOf(reader)).toHaveLength(1);
  await setRow(reader, "mail_sent_at = mail_sent_at - interval '1 hour', mail_due_at = now()");
  await stage.untilSettled([reader]);
  const [, second] = textsOf(reader);
  expect([second?.includes("one"), second?.includes("three")]).toEqual([false, true]);
});

test("two processes send each of many mails that are due once", async () => {
  const { readers, mention } = await createPlace(30);
  const ids = await Promise.all(readers.map((reader) => mention("hello", reader)));
  await Promise.all(readers.map((reader, index) => stage.miss(reader, [ids[index] ?? ""])));
  await stage.untilSettled(readers);
  expect(readers.map((reader) => textsOf(reader).length)).toEqual(readers.map(() => 1));
});

test("quiet hours let a mail wait until they end, and changed ones count at once", async () => {
  const { reader, mention } = await createPlace();
  const [hours] = await stage.sql(
    `SELECT to_char(now() AT TIME ZONE 'Asia/Tokyo' - interval '1 hour', 'HH24:MI') AS "from",
      to_char(now() AT TIME ZONE 'Asia/Tokyo' + interval '2 hours', 'HH24:MI') AS "to"`,
  );
  const quiet = { from: Object(hours).from, to: Object(hours).to };
  expect((await reader.patch("/users/@me/notifications", { quiet, timezone: "Asia/Tokyo" })).status).toBe(200);
  await stage.miss(reader, [await mention("hush")]);
  await stage.untilSettled([reader]);
  expect(textsOf(reader)).toEqual([]);
  const { due_in, missed } = await rowOf(reader);
  expect(missed).toBe(1);
  expect(due_in).toBeGreaterThan(7_200 - 120);
  expect(due_in).toBeLessThanOrEqual(7_200);
  expect((await reader.patch("/users/@me/notifications", { quiet: null })).status).toBe(200);
  await stage.untilSettled([reader]);
  expect(textsOf(reader)).toHaveLength(1);
});

test("a mail that the server does not take for now is tried again later, and delays no other", async () => {
  const { readers, mention } = await createPlace(2);
  const [unlucky, other] = readers;
  if (unlucky === undefined || other === undefined) throw new Error("two readers are needed");
  accept = async (source) => {
    if (source.includes(unlucky.email)) throw Object.assign(new Error("come back later"), { responseCode: 451 });
  };
  await stage.miss(unlucky, [await mention("hello", unlucky)]);
  await stage.miss(other, [await mention("hello", other)]);
  await stage.untilSettled([unlucky, other]);
  expect([textsOf(unlucky).length, textsOf(other).length]).toEqual([0, 1]);
  const { due_in, ...row } = await rowOf(unlucky);
  expect(row).toMatchObject({ attempts: 1, missed: 1 });
  expect(due_in).toBeGreaterThan(30);
  expect(due_in).toBeLessThanOrEqual(60);
  // The fifth pause is the last: another failure gives the mail up.
  await setRow(unlucky, "mail_attempts = 5, mail_due_at = now()");
  await stage.untilSettled([unlucky]);
  expect(await rowOf(unlucky)).toMatchObject({ due_in: null, attempts: 0, missed: 0 });
  accept = async () => undefined;
  await stage.miss(unlucky, [await mention("again", unlucky)]);
  await stage.untilSettled([unlucky]);
  expect(textsOf(unlucky).map((text) => [text.includes("hello"), text.includes("again")])).toEqual([[false, true]]);
});

test("a mail that the server refuses for good is given up at once", async () => {
  const { reader, mention } = await createPlace();
  accept = async () => {
    throw Object.assign(new Error("no such mailbox"), { responseCode: 550 });
  };
  await stage.miss(reader, [await mention("hello")]);
  await stage.untilSettled([reader]);
  expect(textsOf(reader)).toEqual([]);
  expect(await rowOf(reader)).toMatchObject({ due_in: null, attempts: 0, missed: 0 });
});

test("a mail that a process does not finish within its lease comes from another one, with the same Message-ID, and is recorded once", async () => {
  const { reader, mention } = await createPlace();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sources: string[] = [];
  accept = async (source) => {
    if (source.includes(reader.email) && source.includes("hello") && sources.push(source) === 1) await held;
  };
  await stage.miss(reader, [await mention("hello")]);
  await stage.doing(["send"], async () => {
    await waitUntil(() => sources.length === 1, { what: "the mail to be sent" });
    expect(await rowOf(reader)).toMatchObject({ is_leased: true, missed: 1 });
    await setRow(reader, "mail_leased_until = now()");
    await waitUntil(() => textsOf(reader).length === 1, { what: "the mail of the other process" });
    await waitUntil(async () => !(await rowOf(reader)).is_leased, { what: "the end of that mail" });
    release();
  });
  expect(sources).toHaveLength(2);
  const [first, second] = sources.map((source) => /^Message-ID: (<\S+@chat\.example\.com>)/im.exec(source)?.[1]);
  expect(first).toBeDefined();
  expect(second).toBe(first);
  expect(await rowOf(reader)).toMatchObject({ due_in: null, missed: 0 });
});
