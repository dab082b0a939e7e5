import { DmChannel, DmMessage, errorBody as error, SavedPage } from "@parley/contracts";
import { createClient, postMessage, type UserClient } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChangeStage, heardBy, hideFrom, nothing, startChangeStage } from "../delivery/changes/change-stage.js";

let stage: ChangeStage;
/** The viewer through the other api. */
let viewer: UserClient;

beforeAll(async () => {
  stage = await startChangeStage();
  const caller = createClient(stage.stack.apis[1]?.url ?? "").withAuthorization(`Bearer ${stage.viewer.accessToken}`);
  viewer = { ...stage.viewer, ...caller };
});
afterAll(() => stage?.connections.closeAll());

const pathOf = (id: string) => `/users/@me/saved/${id}`;
const saved = async (query = "", by = viewer) =>
  (await by.get(`/users/@me/saved${query}`)).expect(200, SavedPage).saved;
const idsOf = async (query = "", by = viewer) => (await saved(query, by)).map(({ message }) => message.id);
const sendDirect = async (by: UserClient, to: UserClient, content: string) => {
  const { id } = (await by.post("/dm-channels", { user_id: to.user.id })).expect(201, DmChannel);
  return (await by.post(`/dm-channels/${id}/messages`, { content })).expect(201, DmMessage);
};

test("a saved message reaches every connection of its saver with v=2 and nobody else, with note, change and end", async () => {
  const { owner, open, heard } = stage;
  const { id } = await postMessage(owner, open.id, "the hall is in the old school");
  await heard();
  expect((await viewer.put(pathOf(id), { note: "address" })).status).toBe(204);
  const [entry] = await saved();
  expect(entry).toMatchObject({
    message: { id, server_id: stage.serverId, author: { id: owner.user.id }, content: "the hall is in the old school" },
    note: "address",
  });
  const kept = (note: string | null) => ({ message_id: id, saved: { saved_at: entry?.saved_at, note } });
  const first = await heard({ viewer: "SAVED_UPDATE" });
  expect(first.v1).toEqual(nothing);
  expect(first.v2).toEqual(heardBy(["viewer"], ["SAVED_UPDATE", kept("address")]));

  // Without a note the one that there is stays, and the same again is no change.
  expect((await viewer.put(pathOf(id))).status).toBe(204);
  expect((await viewer.put(pathOf(id), { note: "address" })).status).toBe(204);
  expect((await heard()).v2).toEqual(nothing);
  expect((await viewer.put(pathOf(id), { note: "" })).status).toBe(204);
  expect((await heard({ viewer: "SAVED_UPDATE" })).v2).toEqual(heardBy(["viewer"], ["SAVED_UPDATE", kept(null)]));

  expect((await viewer.delete(pathOf(id))).status).toBe(204);
  const last = await heard({ viewer: "SAVED_UPDATE" });
  expect(last.v2).toEqual(heardBy(["viewer"], ["SAVED_UPDATE", { message_id: id, saved: null }]));
  expect((await viewer.delete(pathOf(id))).status).toBe(204);
  expect(await saved()).toEqual([]);
});

test("messages of channels and direct messages are listed together in pages, the one saved last first", async () => {
  const { owner, open, hidden } = stage;
  const ids: string[] = [];
  for (const channel of [open, hidden, open]) ids.unshift((await postMessage(owner, channel.id, "x")).id);
  const direct = await sendDirect(owner, stage.viewer, "between us");
  ids.unshift(direct.id);
  for (const id of ids.toReversed()) expect((await viewer.put(pathOf(id))).status).toBe(204);
  expect(await idsOf()).toEqual(ids);
  expect((await saved())[0]?.message).toMatchObject({ channel_id: direct.channel_id, author: { id: owner.user.id } });
  expect(await idsOf("?limit=2")).toEqual(ids.slice(0, 2));
  expect(await idsOf(`?limit=2&before=${ids[1]}`)).toEqual(ids.slice(2));
  for (const id of ids) await viewer.delete(pathOf(id));
});

test("a saved message goes with the right to see it and comes back with it, and a deleted one is gone", async () => {
  const { owner, outsider, open, hidden, serverId } = stage;
  const { id } = await postMessage(owner, hidden.id, "for those who may");
  expect(await outsider.put(pathOf(id))).toMatchObject({
    status: 403,
    body: error("You don't have permission to view this channel"),
  });
  const deleted = await postMessage(owner, open.id, "not for long");
  for (const message of [id, deleted.id]) expect((await viewer.put(pathOf(message))).status).toBe(204);
  expect(await idsOf()).toEqual([deleted.id, id]);
  await owner.delete(`/messages/${deleted.id}`);
  await hideFrom(owner, hidden.id, stage.viewer);
  expect(await idsOf()).toEqual([]);
  const overrides = (await owner.get(`/channels/${hidden.id}/overrides`)).body;
  const own = (Array.isArray(overrides) ? overrides : []).find(({ user_id }) => user_id === viewer.user.id);
  expect((await owner.delete(`/channels/${hidden.id}/overrides/${own?.id}`)).status).toBe(204);
  expect(await idsOf()).toEqual([id]);
  expect(await viewer.put(pathOf(deleted.id))).toMatchObject({ status: 404, body: error("Message not found") });
  expect(serverId).toBeDefined();
  for (const message of [id, deleted.id]) await viewer.delete(pathOf(message));
});

test("others' direct messages cannot be saved, and notes have 500 characters", async () => {
  const { owner, admin, open } = stage;
  const direct = await sendDirect(owner, admin, "not yours");
  expect(await viewer.put(pathOf(direct.id))).toMatchObject({ status: 404, body: error("Message not found") });
  const { id } = await postMessage(owner, open.id, "x");
  for (const note of ["x".repeat(501), 5]) {
    const answer = await viewer.put(pathOf(id), { note });
    expect(answer).toMatchObject({ status: 400, body: error("note must be 1-500 characters") });
  }
  expect((await viewer.put(pathOf(id), { note: "😀".repeat(500) })).status).toBe(204);
  await viewer.delete(pathOf(id));
});

test("an account keeps 1,000 messages, of which those that are gone for good do not count", async () => {
  const { owner, admin, open } = stage;
  const { id } = await postMessage(owner, open.id, "x");
  const sql = new pg.Client({ connectionString: stage.stack.databaseUrl });
  await sql.connect();
  const make = async (ids: string) =>
    sql.query(`INSERT INTO saves (user_id, message_id) SELECT $1, id FROM (${ids}) AS made (id)`, [admin.user.id]);
  await make("SELECT uuidv7() FROM generate_series(1, 1000)");
  expect((await admin.put(pathOf(id))).status).toBe(204);
  await sql.query(
    `INSERT INTO messages (channel_id, server_id, author_id, content)
      SELECT $1, $2, $3, 'x' FROM generate_series(1, 999)`,
    [open.id, stage.serverId, owner.user.id],
  );
  await sql.query(
    `INSERT INTO saves (user_id, message_id)
      SELECT $1, id FROM messages WHERE channel_id = $2 AND content = 'x' ORDER BY id DESC LIMIT 999
      ON CONFLICT DO NOTHING`,
    [admin.user.id, open.id],
  );
  await sql.end();
  const other = await postMessage(owner, open.id, "one too many");
  const refused = await admin.put(pathOf(other.id));
  expect(refused).toMatchObject({ status: 400, body: error("Limit of 1000 saved messages reached") });
  expect((await admin.put(pathOf(id), { note: "still" })).status).toBe(204);
});
