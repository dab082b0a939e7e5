import { DmChannel, DraftList, errorBody as error } from "@parley/contracts";
import { createClient, postMessage, type UserClient } from "@parley/testing";
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

const write = async (channelId: string, body: Record<string, unknown>, by = viewer) =>
  expect((await by.put(`/users/@me/drafts/${channelId}`, body)).status).toBe(204);
const drafts = async (by = viewer) => (await by.get("/users/@me/drafts")).expect(200, DraftList).drafts;

/** The next changes of the viewer's drafts that connections get, by channel: direct messages are newer. */
async function announced(count: number) {
  const payloads: { channel_id: string; content: string }[] = [];
  while (payloads.length < count) {
    const { viewer: list } = (await stage.heard({ viewer: "DRAFT_UPDATE" })).v2;
    payloads.push(...list.map(([, payload]) => Object(payload)));
  }
  return payloads.toSorted((a, b) => b.channel_id.localeCompare(a.channel_id));
}

test("a draft of a channel, a thread or a direct message is on every device, and nobody else hears of it", async () => {
  const { owner, open, heard } = stage;
  const root = await postMessage(owner, open.id, "root");
  const { id: dmId } = (await viewer.post("/dm-channels", { user_id: owner.user.id })).expect(201, DmChannel);
  await heard();
  await write(open.id, { content: "in the channel" });
  const [first] = await drafts();
  expect(first).toMatchObject({ channel_id: open.id, thread_id: null, reply_to: null, content: "in the channel" });
  const { v1, v2 } = await heard({ viewer: "DRAFT_UPDATE" });
  expect(v1).toEqual(nothing);
  expect(v2).toEqual(heardBy(["viewer"], ["DRAFT_UPDATE", first]));

  await write(open.id, { content: "in the thread", thread_id: root.id });
  await write(dmId, { content: "between us", reply_to: root.id });
  expect(await drafts()).toEqual([
    expect.objectContaining({ channel_id: dmId, thread_id: null, reply_to: root.id, content: "between us" }),
    expect.objectContaining({ channel_id: open.id, thread_id: root.id, content: "in the thread" }),
    first,
  ]);
  await heard({ viewer: "DRAFT_UPDATE" });
  await heard();

  await write(dmId, { content: null });
  await write(open.id, { content: "", thread_id: root.id });
  expect(await drafts()).toEqual([first]);
  expect(await announced(2)).toEqual([
    expect.objectContaining({ channel_id: dmId, content: null }),
    expect.objectContaining({ channel_id: open.id, thread_id: root.id, content: null }),
  ]);
});

test("the later of two writers wins, and an older form brings no deleted draft back", async () => {
  const { hidden } = stage;
  const at = (seconds: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, seconds)).toISOString();
  const own = async () => (await drafts()).filter(({ channel_id }) => channel_id === hidden.id);
  await write(hidden.id, { content: "second", updated_at: at(2) });
  await write(hidden.id, { content: "first", updated_at: at(1) });
  expect(await own()).toEqual([expect.objectContaining({ content: "second", updated_at: at(2) })]);
  // The same text is no change, and is the later form nevertheless.
  await write(hidden.id, { content: "second", updated_at: at(4) });
  await write(hidden.id, { content: "between", updated_at: at(3) });
  expect(await own()).toEqual([expect.objectContaining({ content: "second", updated_at: at(4) })]);
  await write(hidden.id, { content: null, updated_at: at(6) });
  await write(hidden.id, { content: "third", updated_at: at(5) });
  expect(await own()).toEqual([]);
  // A clock that is ahead does not keep later drafts out.
  await write(hidden.id, { content: "from tomorrow", updated_at: new Date(Date.now() + 86_400_000).toISOString() });
  await write(hidden.id, { content: "now" });
  expect(await own()).toEqual([expect.objectContaining({ content: "now" })]);
});

test("the last form of a draft within a second is announced, after the second", async () => {
  const { open } = stage;
  const texts = Array.from({ length: 12 }, (_, n) => `letter ${n}`);
  for (const content of texts) await write(open.id, { content });
  const contents: string[] = [];
  while (contents.at(-1) !== "letter 11") {
    contents.push(
      ...(await announced(1)).flatMap(({ channel_id, content }) => (channel_id === open.id ? content : [])),
    );
  }
  expect(contents.length).toBeLessThan(texts.length);
  expect(contents).toEqual(contents.toSorted((a, b) => texts.indexOf(a) - texts.indexOf(b)));
});

test("drafts need the right to read the channel, which takes them away and brings them back", async () => {
  const { outsider, stranger, hidden, open } = stage;
  const path = `/users/@me/drafts/${hidden.id}`;
  expect(await outsider.put(path, { content: "x" })).toMatchObject({
    status: 403,
    body: error("You don't have permission to view this channel"),
  });
  expect(await stranger.put(path, { content: "x" })).toMatchObject({ status: 404, body: error("Channel not found") });
  await write(open.id, { content: "later" }, outsider);
  expect(await drafts(outsider)).toHaveLength(1);
  await hideFrom(stage.owner, open.id, outsider);
  expect(await drafts(outsider)).toEqual([]);
  for (const [body, text] of [
    [{ content: "x".repeat(4001) }, "Message content must be 1-4000 characters"],
    [{ content: "x", reply_to: "y" }, "Invalid reply_to"],
    [{ content: "x", thread_id: "y" }, "Invalid thread_id"],
    [{ content: "x", updated_at: "y" }, "Invalid updated_at"],
  ] as const) {
    expect(await viewer.put(path, body)).toMatchObject({ status: 400, body: error(text) });
  }
});
