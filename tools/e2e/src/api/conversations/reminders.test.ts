import { randomUUID } from "node:crypto";
import { errorBody as error, InboxPage, Reminder, ReminderList } from "@parley/contracts";
import { createClient, postMessage, type UserClient } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChangeStage, heardBy, nothing, startChangeStage } from "../delivery/changes/change-stage.js";

let stage: ChangeStage;
/** The viewer through the other api. */
let viewer: UserClient;
let sql: pg.Client;

beforeAll(async () => {
  stage = await startChangeStage();
  const caller = createClient(stage.stack.apis[1]?.url ?? "").withAuthorization(`Bearer ${stage.viewer.accessToken}`);
  viewer = { ...stage.viewer, ...caller };
  sql = new pg.Client({ connectionString: stage.stack.databaseUrl });
  await sql.connect();
});
afterAll(async () => {
  stage?.connections.closeAll();
  await sql?.end();
});

const path = "/users/@me/reminders";
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const reminders = async (by = viewer) => (await by.get(path)).expect(200, ReminderList).reminders;
const remind = async (body: object, by = viewer) =>
  (await by.post(path, { at: inAnHour(), ...body })).expect(201, Reminder.strict());
/** Lets the time of reminders come. */
const bring = (...ids: string[]) => sql.query("UPDATE reminders SET due_at = now() WHERE id = ANY ($1)", [ids]);
const reminded = async (by = viewer) =>
  (await by.get("/users/@me/inbox?kinds=reminder")).expect(200, InboxPage.strict()).items;

test("at its time a reminder is an item of the inbox, once, on two apis", async () => {
  const { owner, open, serverId } = stage;
  const message = await postMessage(owner, open.id, `later ${randomUUID()}`);
  const soon = await remind({ text: "call the hall", at: new Date(Date.now() + 3_000).toISOString() });
  expect(soon).toMatchObject({ message_id: null, text: "call the hall" });
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, n) => remind({ message_id: message.id, text: `${n}` })),
  );
  await expect.poll(() => reminded()).toMatchObject([{ kind: "reminder", reminder: { id: soon.id, text: soon.text } }]);
  await bring(...made.map(({ id }) => id));
  await expect.poll(() => reminders()).toEqual([]);
  const items = await reminded();
  const ids = items.map(({ reminder }) => reminder?.id);
  expect(ids.toSorted()).toEqual([soon.id, ...made.map(({ id }) => id)].toSorted());
  expect(items[0]).toMatchObject({
    message: { id: message.id, author: { id: owner.user.id } },
    server_id: serverId,
    channel_id: open.id,
    by: null,
    read: false,
  });
  expect(items.at(-1)).toMatchObject({ message: null, server_id: null, channel_id: null, by: null });
  await viewer.post("/users/@me/inbox/ack");
  expect((await reminded()).every(({ read }) => read)).toBe(true);
});

test("a reminder stays when its message is gone", async () => {
  const { owner, open } = stage;
  const message = await postMessage(owner, open.id, "not for long");
  const { id } = await remind({ message_id: message.id, text: "still here" });
  await owner.delete(`/messages/${message.id}`);
  await bring(id);
  await expect
    .poll(async () => (await reminded())[0])
    .toMatchObject({ reminder: { id }, message: null, channel_id: null });
});

test("a reminder and its end reach its owner's connections with v=2 alone, and others neither see nor delete it", async () => {
  const { heard, owner } = stage;
  await heard();
  const made = await remind({ text: "for me" });
  expect(await reminders()).toEqual([made]);
  const begun = await heard({ viewer: "REMINDER_UPDATE" });
  expect(begun.v1).toEqual(nothing);
  expect(begun.v2).toEqual(heardBy(["viewer"], ["REMINDER_UPDATE", { id: made.id, reminder: made }]));
  expect(await reminders(owner)).toEqual([]);
  expect(await owner.delete(`${path}/${made.id}`)).toMatchObject({ status: 404, body: error("Reminder not found") });
  expect((await viewer.delete(`${path}/${made.id}`)).status).toBe(204);
  const ended = await heard({ viewer: "REMINDER_UPDATE" });
  expect(ended.v2).toEqual(heardBy(["viewer"], ["REMINDER_UPDATE", { id: made.id, reminder: null }]));
  expect((await viewer.delete(`${path}/${made.id}`)).status).toBe(404);
});

test("a reminder needs a readable message or a text, and a time to come", async () => {
  const { owner, outsider, hidden } = stage;
  const secret = await postMessage(owner, hidden.id, "secret");
  expect(await outsider.post(path, { at: inAnHour(), message_id: secret.id })).toMatchObject({
    status: 404,
    body: error("Message not found"),
  });
  for (const [body, text] of [
    [{ at: inAnHour() }, "A reminder needs a message or a text"],
    [{ at: inAnHour(), text: "x".repeat(501) }, "text must be at most 500 characters"],
    [{ at: new Date(Date.now() - 1_000).toISOString(), text: "x" }, "at must be a time to come"],
    [{ at: "soon", text: "x" }, "at must be a time to come"],
    [{ at: inAnHour(), message_id: "x" }, "Invalid message_id"],
  ] as const)
    expect(await viewer.post(path, body)).toMatchObject({ status: 400, body: error(text) });
});

test("an account has 100 reminders that wait", async () => {
  const { admin } = stage;
  await sql.query(
    `INSERT INTO reminders (user_id, text, due_at)
      SELECT $1, 'x', now() + interval '1 day' FROM generate_series(1, 100)`,
    [admin.user.id],
  );
  const answer = await admin.post(path, { at: inAnHour(), text: "x" });
  expect(answer).toMatchObject({ status: 400, body: error("Limit of 100 reminders reached") });
});
