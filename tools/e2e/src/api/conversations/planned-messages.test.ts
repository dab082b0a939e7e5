import { randomUUID } from "node:crypto";
import {
  DmChannel,
  DmMessage,
  errorBody as error,
  Message,
  PlannedMessage,
  ScheduledMessage,
  ScheduledMessageList,
} from "@parley/contracts";
import { createClient, postMessage, type UserClient } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChangeStage, heardBy, hideFrom, nothing, startChangeStage } from "../delivery/changes/change-stage.js";

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

const path = "/users/@me/scheduled-messages";
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const planned = async (by = viewer) => (await by.get(path)).expect(200, ScheduledMessageList).scheduled_messages;
const plan = async (to: string, body: Record<string, unknown>, by = viewer) =>
  (await by.post(to, { send_at: inAnHour(), ...body })).expect(202, PlannedMessage.strict());
/** Lets the time of a planned message come. */
const bring = (id: string) =>
  sql.query("UPDATE planned_messages SET send_at = now(), due_at = now() WHERE id = $1", [id]);
const history = async (channelId: string) =>
  (await stage.owner.get(`/channels/${channelId}/messages`)).expect(200, Message.array());

// First, because events of sent plans come late.
test("a plan, its change and its end reach the planner's connections with v=2 alone", async () => {
  const { open, heard } = stage;
  const { id, send_at } = await plan(`/channels/${open.id}/messages`, { content: "first" });
  const [made] = await planned();
  expect(made).toMatchObject({ id, send_at, channel_id: open.id, thread_id: null, content: "first", error: null });
  const begun = await heard({ viewer: "SCHEDULED_MESSAGE_UPDATE" });
  expect(begun.v1).toEqual(nothing);
  expect(begun.v2).toEqual(heardBy(["viewer"], ["SCHEDULED_MESSAGE_UPDATE", { id, scheduled_message: made }]));

  const later = new Date(Date.now() + 86_400_000).toISOString();
  const answer = await viewer.patch(`${path}/${id}`, { content: "second", send_at: later });
  const changed = answer.expect(200, ScheduledMessage.strict());
  expect(changed).toEqual({ ...made, content: "second", send_at: later });
  const then = await heard({ viewer: "SCHEDULED_MESSAGE_UPDATE" });
  expect(then.v2).toEqual(heardBy(["viewer"], ["SCHEDULED_MESSAGE_UPDATE", { id, scheduled_message: changed }]));

  // Others neither see nor change it.
  expect(await planned(stage.owner)).toEqual([]);
  for (const answer of [await stage.owner.patch(`${path}/${id}`, {}), await stage.owner.delete(`${path}/${id}`)])
    expect(answer).toMatchObject({ status: 404, body: error("Scheduled message not found") });
  expect((await viewer.delete(`${path}/${id}`)).status).toBe(204);
  const ended = await heard({ viewer: "SCHEDULED_MESSAGE_UPDATE" });
  expect(ended.v2).toEqual(heardBy(["viewer"], ["SCHEDULED_MESSAGE_UPDATE", { id, scheduled_message: null }]));
  expect(await viewer.delete(`${path}/${id}`)).toMatchObject({ status: 404 });
});

test("a message, a reply in a thread and a direct message are sent at their time, once each, on two apis", async () => {
  const { owner, open } = stage;
  const root = await postMessage(owner, open.id, "root");
  const dm = (await viewer.post("/dm-channels", { user_id: owner.user.id })).expect(201, DmChannel);
  const content = `later ${randomUUID()}`;
  const plans = [
    await plan(`/channels/${open.id}/messages`, { content, reply_to: root.id }),
    await plan(`/channels/${open.id}/messages/${root.id}/thread`, { content }),
    await plan(`/dm-channels/${dm.id}/messages`, { content }),
  ];
  expect((await planned()).map(({ id }) => id)).toEqual(plans.map(({ id }) => id));
  expect((await history(open.id)).map((message) => message.content)).not.toContain(content);
  for (const { id } of plans) await bring(id);
  await expect.poll(() => planned()).toEqual([]);
  const sent = (await history(open.id)).filter((message) => message.content === content);
  expect(sent).toEqual([expect.objectContaining({ author_id: viewer.user.id, reply_to: root.id })]);
  const replies = await owner.get(`/channels/${open.id}/messages/${root.id}/thread`);
  expect(replies.expect(200, Message.array()).map((message) => message.content)).toEqual([content]);
  const direct = (await owner.get(`/dm-channels/${dm.id}/messages`)).expect(200, DmMessage.array());
  expect(direct.map((message) => message.content)).toEqual([content]);
  const events = (await stage.heard()).v2.owner.filter(([, payload]) => Object(payload).content === content);
  expect(events.map(([name]) => name).sort()).toEqual(["DM_MESSAGE_CREATE", "MESSAGE_CREATE", "THREAD_MESSAGE_CREATE"]);
  // Their planner gave none.
  for (const [, payload] of events) expect(payload).not.toHaveProperty("nonce");
});

test("a plan that may not be sent at its time stays with the reason, and waits again once it is changed", async () => {
  const { owner, outsider, open } = stage;
  const content = `refused ${randomUUID()}`;
  const { id } = await plan(`/channels/${open.id}/messages`, { content }, outsider);
  await hideFrom(owner, open.id, outsider);
  await bring(id);
  const text = "You don't have permission to view this channel";
  await expect
    .poll(() => planned(outsider))
    .toMatchObject([{ id, error: { code: "view_channel_required", message: text } }]);
  expect((await history(open.id)).map((message) => message.content)).not.toContain(content);
  const changed = await outsider.patch(`${path}/${id}`, { send_at: inAnHour() });
  expect(changed.expect(200, ScheduledMessage)).toMatchObject({ id, error: null });
  await outsider.delete(`${path}/${id}`);
});

test("a plan asks for the right to send when it is made, and its time is 30 seconds to 30 days ahead", async () => {
  const { stranger, open, hidden, outsider } = stage;
  const body = { content: "x", send_at: inAnHour() };
  const to = `/channels/${open.id}/messages`;
  expect(await stranger.post(to, body)).toMatchObject({ status: 404, body: error("Channel not found") });
  expect((await outsider.post(`/channels/${hidden.id}/messages`, body)).status).toBe(403);
  const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();
  for (const send_at of [ahead(25_000), ahead(30 * 86_400_000 + 60_000), ahead(-1), "soon"])
    expect(await viewer.post(to, { ...body, send_at })).toMatchObject({
      status: 400,
      body: error("send_at must be 30 seconds to 30 days ahead"),
    });
  const form = new FormData();
  form.set("payload_json", JSON.stringify(body));
  form.set("file", new Blob(["x"], { type: "text/plain" }), "x.txt");
  const answer = await fetch(`${stage.stack.apis[0]?.url}${to}`, {
    method: "POST",
    headers: { authorization: `Bearer ${viewer.accessToken}` },
    body: form,
  });
  expect([answer.status, await answer.json()]).toEqual([400, error("Only text can be scheduled")]);
});

test("a repeated nonce gives the same plan, and after its time the message that was sent", async () => {
  const { open } = stage;
  const to = `/channels/${open.id}/messages`;
  const body = { content: `once ${randomUUID()}`, nonce: randomUUID() };
  const first = await plan(to, body);
  const again = await Promise.all([plan(to, body), plan(to, body, stage.viewer)]);
  expect(again).toEqual([first, first]);
  await bring(first.id);
  await expect.poll(() => planned()).toEqual([]);
  const sent = (await viewer.post(to, { ...body, send_at: inAnHour() })).expect(200, Message);
  expect(sent.content).toBe(body.content);
  expect((await history(open.id)).filter(({ content }) => content === body.content)).toHaveLength(1);
});

test("a message whose sender died between storing it and ending the plan is not sent twice", async () => {
  const { open } = stage;
  const content = `survivor ${randomUUID()}`;
  const to = `/channels/${open.id}/messages`;
  const { id } = await plan(to, { content });
  const { rows } = await sql.query("SELECT nonce FROM planned_messages WHERE id = $1", [id]);
  // Sends as the process did before it died.
  (await viewer.post(to, { content, nonce: rows[0]?.nonce })).expect(201, Message);
  await bring(id);
  await expect.poll(() => planned()).toEqual([]);
  expect((await history(open.id)).filter((message) => message.content === content)).toHaveLength(1);
});

test("an account has 100 planned messages", async () => {
  const { admin, open } = stage;
  await sql.query(
    `INSERT INTO planned_messages (user_id, kind, channel_id, content, nonce, send_at, due_at)
      SELECT $1, 'channel', $2, 'x', n::text, now() + interval '1 day', now() + interval '1 day'
      FROM generate_series(1, 100) AS n`,
    [admin.user.id, open.id],
  );
  const answer = await admin.post(`/channels/${open.id}/messages`, { content: "x", send_at: inAnHour() });
  expect(answer).toMatchObject({ status: 400, body: error("Limit of 100 scheduled messages reached") });
});
