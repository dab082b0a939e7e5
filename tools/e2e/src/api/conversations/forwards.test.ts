import {
  DmChannel,
  errorBody as error,
  type ForwardedMessage,
  InboxPage,
  permissionBits,
  SentDmMessage,
  SentMessage,
} from "@parley/contracts";
import { createClient, postMessage, type UserClient } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { type ChangeStage, startChangeStage } from "../delivery/changes/change-stage.js";
import { createGuardedServer } from "../stages/automod-stage.js";
import { formOf } from "../stages/upload-stage.js";

let stage: ChangeStage;
/** The viewer through the other api. */
let viewer: UserClient;
beforeAll(async () => {
  stage = await startChangeStage();
  const caller = createClient(stage.stack.apis[1]?.url ?? "").withAuthorization(`Bearer ${stage.viewer.accessToken}`);
  viewer = { ...stage.viewer, ...caller };
});
afterAll(() => stage?.connections.closeAll());

const notes = { name: "notes.txt", bytes: Buffer.from("opening notes") };
const forward = (by: UserClient, id: string, body: object, messages = "messages") =>
  by.post(`/${messages}/${id}/forward`, body);
const openDirect = async (by: UserClient, to: UserClient) =>
  (await by.post("/dm-channels", { user_id: to.user.id })).expect(201, DmChannel).id;
const sendNotes = async (by: UserClient, channelId: string, content: string) => {
  const form = formOf([notes]);
  form.append("payload_json", JSON.stringify({ content }));
  return (await by.send("POST", `/channels/${channelId}/messages`, { body: form })).expect(201, SentMessage);
};
const bytesOf = async (forwarded: ForwardedMessage | undefined) =>
  (await fetch(`${stage.client.baseUrl}${forwarded?.attachments[0]?.url}`)).text();
/** Addresses are signed anew with every answer. */
const unsigned = (forwarded: ForwardedMessage | undefined) => ({
  ...forwarded,
  attachments: forwarded?.attachments.map(({ url: _, ...file }) => file),
});

test("a forwarded message is a copy of then with its files, in answer, history and events with v=2, and mentions nobody", async () => {
  const { owner, open, hidden, serverId, outsider, heard } = stage;
  const text = `read this @${outsider.user.username} and **this**`;
  const original = await sendNotes(owner, hidden.id, text);
  await heard();
  const nonce = crypto.randomUUID();
  const sent = (await forward(viewer, original.id, { channel_id: open.id, content: "see", nonce })).expect(
    201,
    SentMessage.strict(),
  );
  expect(sent).toMatchObject({ channel_id: open.id, content: "see", mention_user_ids: [], nonce });
  expect(sent.attachments).toBeUndefined();
  expect(sent.forwarded).toEqual({
    server_id: serverId,
    channel_id: hidden.id,
    message_id: original.id,
    author: { id: owner.user.id, username: owner.user.username, nickname: null, avatar_url: null },
    content: text,
    created_at: original.created_at,
    attachments: [expect.objectContaining({ message_id: sent.id, filename: "notes.txt", mime_type: "text/plain" })],
  });
  const { v1, v2 } = await heard({ viewer: "MESSAGE_CREATE" });
  const [event] = v2.outsider;
  expect(event).toMatchObject(["MESSAGE_CREATE", { id: sent.id, forwarded: unsigned(sent.forwarded) }]);
  const { forwarded: _newer, ...older } = Object(event?.[1]);
  expect(v1.outsider).toEqual([["MESSAGE_CREATE", older]]);
  const again = await forward(viewer, original.id, { channel_id: open.id, content: "see", nonce });
  expect(again.expect(200, SentMessage.strict()).id).toBe(sent.id);

  // The copy outlives the original, and goes with the message that has it.
  await owner.patch(`/messages/${original.id}`, { content: "changed" });
  expect((await owner.delete(`/messages/${original.id}`)).status).toBe(204);
  const path = `/channels/${open.id}/messages/${sent.id}?include=attachments`;
  const kept = (await outsider.get(path)).expect(200, SentMessage);
  expect(kept).toMatchObject({ attachments: [], forwarded: unsigned(sent.forwarded) });
  expect(await bytesOf(kept.forwarded)).toBe("opening notes");
  expect((await outsider.get("/users/@me/inbox")).expect(200, InboxPage).items).toEqual([]);
  expect(await forward(viewer, original.id, { channel_id: open.id })).toMatchObject({
    status: 404,
    body: error("Message not found"),
  });
  await viewer.delete(`/messages/${sent.id}`);
  expect((await outsider.get(path)).expect(200, SentMessage).forwarded).toBeUndefined();
});

test("what is forwarded again keeps its first origin, into direct messages and out of them, with its files", async () => {
  const { owner, open, admin } = stage;
  const original = await sendNotes(owner, open.id, "first");
  const id = await openDirect(viewer, admin);
  const direct = (await forward(viewer, original.id, { dm_channel_id: id })).expect(201, SentDmMessage.strict());
  expect(direct).toMatchObject({
    channel_id: id,
    content: "",
    forwarded: { message_id: original.id, content: "first" },
  });
  const read = (await admin.get(`/dm-channels/${id}/messages/${direct.id}`)).expect(200, SentDmMessage);
  expect(await bytesOf(read.forwarded)).toBe("opening notes");
  const back = (await forward(admin, direct.id, { channel_id: open.id, content: "it" }, "dm-messages")).expect(
    201,
    SentMessage.strict(),
  );
  await viewer.delete(`/dm-messages/${direct.id}`);
  await owner.delete(`/messages/${original.id}`);
  const { attachments: _, ...origin } = Object(direct.forwarded);
  expect(back.forwarded).toMatchObject(origin);
  expect(await bytesOf(back.forwarded)).toBe("opening notes");

  const own = (await admin.post(`/dm-channels/${id}/messages`, { content: "between us" })).expect(201, SentDmMessage);
  const nonce = crypto.randomUUID();
  const copies = [1, 2].map(
    async () => (await forward(viewer, own.id, { dm_channel_id: id, nonce }, "dm-messages")).body,
  );
  const [one, two] = await Promise.all(copies);
  expect(one).toMatchObject({ forwarded: { server_id: null, channel_id: id, author: { id: admin.user.id } } });
  expect(two).toEqual(one);
});

test("forwarding needs to read the one and to send to the other", async () => {
  const { owner, open, hidden, serverId, outsider, stranger, heard } = stage;
  const { id } = await postMessage(owner, hidden.id, "secret");
  const { id: shown } = await postMessage(owner, open.id, "open");
  const direct = await openDirect(outsider, viewer);
  await heard();
  const refused = (by: UserClient, message: string, body: object, messages?: string) =>
    forward(by, message, body, messages).then(({ status, body }) => [status, body]);
  expect((await forward(outsider, id, { channel_id: open.id })).status).toBe(403);
  expect((await forward(outsider, shown, { channel_id: hidden.id })).status).toBe(403);
  expect(await refused(stranger, shown, { dm_channel_id: direct })).toEqual([404, error("Message not found")]);
  expect(await refused(viewer, shown, { channel_id: crypto.randomUUID() })).toEqual([404, error("Channel not found")]);
  const elsewhere = { dm_channel_id: crypto.randomUUID() };
  expect(await refused(viewer, shown, elsewhere)).toEqual([404, error("DM channel not found")]);
  expect(await refused(viewer, shown, { channel_id: open.id }, "dm-messages")).toEqual([
    404,
    error("Message not found"),
  ]);
  for (const body of [{}, { channel_id: open.id, dm_channel_id: direct }, { channel_id: "x" }])
    expect(await refused(viewer, shown, body)).toEqual([400, error("Give either channel_id or dm_channel_id")]);
  const long = { channel_id: open.id, content: "x".repeat(4_001) };
  expect(await refused(viewer, shown, long)).toEqual([400, error("Message content must be 1-4000 characters")]);
  const { v2 } = await heard();
  expect(v2.viewer).toEqual([]);
  const silent = { role_id: serverId, allow: 0, deny: permissionBits.ATTACH_FILES };
  const override = (await owner.put(`/channels/${open.id}/overrides`, silent)).expect(
    200,
    z.object({ id: z.string() }),
  );
  const withFile = await sendNotes(owner, open.id, "with notes");
  expect((await forward(viewer, shown, { channel_id: open.id })).status).toBe(201);
  expect(await refused(viewer, withFile.id, { channel_id: open.id })).toEqual([
    403,
    error("You don't have permission to attach files in this channel"),
  ]);
  expect((await owner.delete(`/channels/${open.id}/overrides/${override.id}`)).status).toBe(204);
});

test("automatic moderation judges both texts, slow mode holds, and two copies are no duplicates", async () => {
  const guarded = await createGuardedServer(stage.client, { word_filter_enabled: true, duplicate_enabled: true }, [
    "forbidden",
  ]);
  const { author, owner, channel } = guarded;
  const direct = await openDirect(author, owner);
  const write = async (content: string) =>
    (await author.post(`/dm-channels/${direct}/messages`, { content })).expect(201, SentDmMessage).id;
  const [bad, fine] = [await write("a forbidden word"), await write("a word")];
  const to = (id: string, content?: string) =>
    forward(author, id, { channel_id: channel.id, content }, "dm-messages").then(({ status }) => status);
  expect(await to(bad)).toBe(403);
  expect(await to(fine, "forbidden")).toBe(403);
  expect([await to(fine), await to(await write("another"))]).toEqual([201, 201]);
  await owner.patch(`/channels/${channel.id}`, { slow_mode_seconds: 600 });
  expect(await to(fine)).toBe(429);
});
