import { randomUUID } from "node:crypto";
import { errorBody as error, Message, permissionBits } from "@parley/contracts";
import { assignRole, createRole, listMessages, postMessage } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type ChangeStage, startChangeStage } from "../delivery/changes/change-stage.js";
import { eventOf, receiverOfTest } from "../stages/webhook-receiver.js";
import { createWebhook } from "../stages/webhook-stage.js";

let stage: ChangeStage;

beforeAll(async () => {
  stage = await startChangeStage("v=2");
  const role = await createRole(stage.owner, stage.serverId, { permissions: permissionBits.MANAGE_MESSAGES });
  await assignRole(stage.owner, role, stage.viewer);
  await stage.heard();
});
afterAll(() => stage?.connections.closeAll());

const Deleted = z.strictObject({ deleted: z.int() });

test("many messages are deleted at once, for each version in its events and webhooks in theirs; those that are not there are skipped", async () => {
  const { owner, viewer, outsider, open, hidden, serverId } = stage;
  const [first, second, elsewhere, gone, kept] = [
    await postMessage(outsider, open.id, "first"),
    await postMessage(owner, open.id, "second"),
    await postMessage(owner, hidden.id, "elsewhere"),
    await postMessage(owner, open.id, "gone"),
    await postMessage(owner, open.id, "kept"),
  ];
  const blitz = { name: "Blitz", starts_at: new Date(Date.now() + 3_600_000).toISOString() };
  const event = (await owner.post(`/channels/${open.id}/events`, blitz)).expect(201, Message);
  const path = `/channels/${open.id}/messages/${kept.id}/thread`;
  const reply = (await outsider.post(path, { content: "a reply" })).expect(201, Message);
  expect((await owner.post(`/channels/${open.id}/messages/${first.id}/pin`)).status).toBeLessThan(300);
  await owner.delete(`/messages/${gone.id}`);
  const receiver = await receiverOfTest();
  await createWebhook(owner, serverId, { url: receiver.url, event_types: ["message.deleted"] });
  await stage.heard();

  const ids = [first, second, event, reply].map(({ id }) => id);
  const message_ids = [second.id.toUpperCase(), ...ids, elsewhere.id, gone.id, randomUUID()];
  const answer = await viewer.post(`/channels/${open.id}/messages/bulk-delete`, { message_ids });
  expect(answer.expect(200, Deleted)).toEqual({ deleted: 4 });

  const { v1, v2 } = await stage.heard();
  const each = ids.map((id) => ["MESSAGE_DELETE", { id, channel_id: open.id }]);
  const scheduled = { id: event.event?.id, channel_id: open.id, message_id: event.id };
  for (const person of ["owner", "outsider"] as const) {
    expect(v1[person]).toEqual(each);
    expect(v2[person]).toEqual([
      ["MESSAGE_DELETE_BULK", { channel_id: open.id, ids }],
      ["EVENT_DELETE", scheduled],
    ]);
  }
  expect([v1.stranger, v2.stranger]).toEqual([[], []]);
  const deliveries = await receiver.waitFor(ids.length);
  expect(deliveries.map(eventOf)).toEqual(ids.map(() => "message.deleted"));
  const named = deliveries.map(({ body }) => JSON.parse(body.toString()).data.id);
  expect(named.toSorted()).toEqual(ids.toSorted());

  const left = (await listMessages(owner, open.id)).map(({ id }) => id);
  expect(left.filter((id) => ids.includes(id))).toEqual([]);
  expect(left).toContain(kept.id);
  expect(await listMessages(owner, hidden.id)).toHaveLength(1);
  expect((await owner.get(`/channels/${open.id}/pinned-messages`)).body).toEqual([]);
  const log = (await owner.get(`/servers/${serverId}/audit-logs?limit=1`)).body;
  const entry = { action: "message_bulk_delete", target_type: "channel", target_id: open.id, details: { count: 4 } };
  expect(log).toMatchObject([{ ...entry, actor_id: viewer.user.id }]);

  const again = await viewer.post(`/channels/${open.id}/messages/bulk-delete`, { message_ids });
  expect(again.expect(200, Deleted)).toEqual({ deleted: 0 });
});

test("many messages are deleted only with MANAGE_MESSAGES in their channel, and one to a hundred at once", async () => {
  const { owner, viewer, outsider, stranger, open, hidden } = stage;
  const own = await postMessage(outsider, open.id, "own");
  const lacking = "You lack the required permission for this action";
  const refusals = [
    [outsider, open, [own.id], 403, lacking],
    [outsider, hidden, [own.id], 403, "You don't have permission to view this channel"],
    [stranger, open, [own.id], 404, "Channel not found"],
    [outsider, open, [], 400, "message_ids must be 1-100 ids"],
    [outsider, open, ["x"], 400, "message_ids must be 1-100 ids"],
    [outsider, open, Array.from({ length: 101 }, randomUUID), 400, "message_ids must be 1-100 ids"],
  ] as const;
  for (const [by, { id }, message_ids, status, text] of refusals) {
    const refused = await by.post(`/channels/${id}/messages/bulk-delete`, { message_ids });
    expect([refused.status, refused.body]).toEqual([status, error(text)]);
  }
  const override = { user_id: viewer.user.id, allow: 0, deny: permissionBits.MANAGE_MESSAGES };
  expect((await owner.put(`/channels/${open.id}/overrides`, override)).status).toBe(200);
  const denied = await viewer.post(`/channels/${open.id}/messages/bulk-delete`, { message_ids: [own.id] });
  expect([denied.status, denied.body]).toEqual([403, error(lacking)]);
  const hundred = [own.id, ...Array.from({ length: 99 }, randomUUID)];
  const answer = await owner.post(`/channels/${open.id}/messages/bulk-delete`, { message_ids: hundred });
  expect(answer.expect(200, Deleted)).toEqual({ deleted: 1 });
});
