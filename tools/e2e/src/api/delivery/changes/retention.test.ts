import { randomUUID } from "node:crypto";
import { type EventPayload, Message } from "@parley/contracts";
import { listMessages, postMessage, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runSql } from "../../stages/admin-stage.js";
import { keepFor } from "../../stages/retention-stage.js";
import { type ChangeStage, type Heard, nothing, startChangeStage } from "./change-stage.js";

let stage: ChangeStage;

beforeAll(async () => {
  stage = await startChangeStage();
});
afterAll(() => stage?.connections.closeAll());

/** Makes a message older than it is. @returns its new id, which contains its time */
async function age(messageId: string, days: number): Promise<string> {
  const time = (Date.now() - days * 86_400_000).toString(16).padStart(12, "0");
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
  await runSql(stage.stack.databaseUrl, "UPDATE messages SET id = $2 WHERE id = $1", [messageId, id]);
  return id;
}
const bulkOf = (events: readonly Heard[]) =>
  events.flatMap(([name, payload]) => (name === "MESSAGE_DELETE_BULK" ? [payload] : []));

test("messages that expire are named to those with v=2 who could read them, with their events, and to nobody else", async () => {
  const { viewer, owner, hidden } = stage;
  const post = (content: string) => postMessage(viewer, hidden.id, content);
  const reply = async (root: string, content: string) =>
    (await viewer.post(`/channels/${hidden.id}/messages/${root}/thread`, { content })).expect(201, Message).id;
  const [plain, deleted, root, kept] = [await post("a"), await post("b"), await post("c"), await post("d")];
  const young = await post("young");
  const [oldReply, oldReplyOfKept, youngReply] = [
    await reply(root.id, "old"),
    await reply(kept.id, "old"),
    await reply(kept.id, "young"),
  ];
  const blitz = { name: "Blitz", starts_at: new Date(Date.now() + 3_600_000).toISOString() };
  const scheduled = (await viewer.post(`/channels/${hidden.id}/events`, blitz)).expect(201, Message);
  await viewer.delete(`/messages/${deleted.id}`);
  await age(deleted.id, 40);
  const expired: string[] = [];
  for (const id of [plain.id, root.id, kept.id, oldReply, oldReplyOfKept, scheduled.id])
    expired.push(await age(id, 40));
  const message_id = expired.at(-1);
  await stage.heard();

  await keepFor(owner, stage.serverId, 30);
  const left = async () => (await viewer.get(`/servers/${stage.serverId}/events`)).body;
  await waitUntil(async () => JSON.stringify(await left()) === "[]");
  await waitUntil(async () => (await listMessages(viewer, hidden.id)).length === 1);
  // Every batch is published by the time that the channel is noted no more.
  await waitUntil(
    async () =>
      (await runSql(stage.stack.databaseUrl, "SELECT FROM expirations WHERE channel_id = $1", [hidden.id])).length ===
      0,
  );
  const { v1, v2 } = await stage.heard();
  expect(v1).toEqual(nothing);
  for (const person of ["owner", "admin", "viewer"] as const) {
    const bulk = bulkOf(v2[person]).map((payload): EventPayload<"MESSAGE_DELETE_BULK"> => Object(payload));
    expect(bulk.every(({ channel_id }) => channel_id === hidden.id)).toBe(true);
    expect(bulk.flatMap(({ ids }) => ids).toSorted()).toEqual(expired.toSorted());
    expect(v2[person].filter(([name]) => name === "EVENT_DELETE")).toEqual([
      ["EVENT_DELETE", { id: scheduled.event?.id, channel_id: hidden.id, message_id }],
    ]);
  }
  for (const person of ["outsider", "stranger"] as const) {
    expect(v2[person].filter(([name]) => name.includes("DELETE"))).toEqual([]);
  }
  expect((await listMessages(viewer, hidden.id)).map(({ id }) => id)).toEqual([young.id]);
  const answer = await viewer.get(`/channels/${hidden.id}/messages/${youngReply}`);
  expect(answer.expect(200, Message).deleted).toBe(false);
});
