import { randomUUID } from "node:crypto";
import { DmMessage } from "@parley/contracts";
import { asAuthor, connectGateway } from "@parley/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DirectStage, expectError, startDirectStage } from "./direct-stage.js";

let stage: DirectStage;
beforeAll(async () => {
  stage = await startDirectStage();
});
afterAll(() => stage?.stop());

describe("a direct message that is edited", () => {
  test("an edit reaches every connection of both, and the history has it", async () => {
    const { ann, channelId, send, heard, history } = stage;
    const sent = await send(ann, "helo");
    await heard("DM_MESSAGE_CREATE", { id: sent.id });
    const edited = (await ann.patch(`/dm-messages/${sent.id}`, { content: "hello" })).expect(200, DmMessage.strict());
    expect(edited).toEqual({ ...sent, content: "hello", edited_at: expect.stringMatching(/Z$/) });
    expect(await heard("DM_MESSAGE_UPDATE", { id: sent.id })).toEqual([
      ["DM_MESSAGE_UPDATE", { ...edited, author: asAuthor(ann) }],
    ]);
    expect((await history())[0]).toEqual(edited);
    const found = (await ann.get(`/dm-channels/${channelId}/messages/${sent.id}`)).expect(200, DmMessage.strict());
    expect(found).toEqual(edited);
  });

  test("a message is edited by its author only, exists for both only, and keeps the rules of its text", async () => {
    const { ann, bob, eve, send } = stage;
    const { id } = await send(ann, "mine");
    const edit = { content: "x" };
    expectError(await bob.patch(`/dm-messages/${id}`, edit), 403, "Only the message author can edit it");
    expectError(await eve.patch(`/dm-messages/${id}`, edit), 404, "Message not found");
    expectError(await ann.patch(`/dm-messages/${randomUUID()}`, edit), 404, "Message not found");
    const lengths = "Message content must be 1-4000 characters";
    expectError(await ann.patch(`/dm-messages/${id}`, { content: " " }), 400, lengths);
    expect((await stage.heard("DM_MESSAGE_CREATE", { id })).map(([name]) => name)).toEqual(["DM_MESSAGE_CREATE"]);
  });
});

describe("a direct message that is deleted", () => {
  test("a deletion reaches every connection of both, and leaves nothing but a place in the history", async () => {
    const { ann, bob, eve, channelId, send, heard, history } = stage;
    const [older, sent, newer] = [await send(ann, "older"), await send(ann, "secret"), await send(bob, "newer")];
    expectError(await bob.delete(`/dm-messages/${sent.id}`), 403, "Only the message author can delete it");
    expectError(await eve.delete(`/dm-messages/${sent.id}`), 404, "Message not found");
    await heard("DM_MESSAGE_CREATE", { id: newer.id });
    expect((await ann.delete(`/dm-messages/${sent.id}`)).status).toBe(204);
    const deleted = { id: sent.id, channel_id: channelId };
    expect(await heard("DM_MESSAGE_DELETE", deleted)).toEqual([["DM_MESSAGE_DELETE", deleted]]);
    expect((await history(bob, "?limit=2")).map(({ id }) => id)).toEqual([newer.id, older.id]);
    // A reader before it goes on at its place.
    expect((await history(bob, `?limit=1&before=${sent.id}`)).map(({ id }) => id)).toEqual([older.id]);
    expect((await history(bob, `?after=${sent.id}`)).map(({ id }) => id)).toEqual([newer.id]);
    for (const answer of [
      await ann.delete(`/dm-messages/${sent.id}`),
      await ann.patch(`/dm-messages/${sent.id}`, { content: "x" }),
      await ann.get(`/dm-channels/${channelId}/messages/${sent.id}`),
      await ann.put(`/dm-messages/${sent.id}/reactions/❌`),
    ]) {
      expectError(answer, 404, "Message not found");
    }
  });

  test("a deleted message is not counted as unread", async () => {
    const { ann, bob, channelId, send, stack } = stage;
    expect((await bob.post(`/dm-channels/${channelId}/ack`)).status).toBe(204);
    const first = await send(ann, "one");
    await send(ann, "two");
    expect((await ann.delete(`/dm-messages/${first.id}`)).status).toBe(204);
    const socket = connectGateway(stack.gateways[1]?.url ?? "", bob.accessToken);
    const { unread_counts } = await socket.ready;
    socket.terminate();
    expect(unread_counts).toEqual([{ channel_id: channelId, unread_count: 1 }]);
  });

  test("a request that repeats a deleted message gets it without its text, and sends nothing", async () => {
    const { ann, path, send, heard } = stage;
    const body = { content: "once", nonce: randomUUID() };
    const sent = (await ann.post(path, body)).expect(201, DmMessage.loose());
    expect((await ann.delete(`/dm-messages/${sent.id}`)).status).toBe(204);
    await heard("DM_MESSAGE_DELETE", { id: sent.id });
    expect((await ann.post(path, body)).expect(200, DmMessage.loose())).toEqual({ ...sent, content: "" });
    const { id } = await send(ann, "next");
    expect(await heard("DM_MESSAGE_CREATE", { id })).toHaveLength(1);
  });
});

describe("a direct message that is a reply", () => {
  test("a reply names its message in answer, event and history, also when that is deleted; others have no such key", async () => {
    const { ann, bob, send, heard, history } = stage;
    const target = await send(ann, "a question");
    const reply = await send(bob, "an answer", target.id);
    expect([reply.reply_to, "reply_to" in target]).toEqual([target.id, false]);
    const events = await heard("DM_MESSAGE_CREATE", { id: reply.id });
    expect(events.slice(-2).map(([, payload]) => payload)).toEqual([
      { ...target, author: asAuthor(ann) },
      { ...reply, author: asAuthor(bob) },
    ]);
    await ann.delete(`/dm-messages/${target.id}`);
    expect((await history())[0]).toEqual(reply);
  });

  test("a reply to a message outside the conversation is refused, unless it repeats a request", async () => {
    const { ann, bob, eve, client, path, send } = stage;
    const opened = await eve.post("/dm-channels", { user_id: (await client.register()).user.id });
    const elsewhere = await eve.post(`/dm-channels/${Object(opened.body).id}/messages`, { content: "elsewhere" });
    for (const reply_to of [randomUUID(), String(Object(elsewhere.body).id)]) {
      expectError(await ann.post(path, { content: "x", reply_to }), 404, "Reply target message not found");
    }
    expectError(await ann.post(path, { content: "x", reply_to: "x" }), 400, "Invalid reply_to");
    const target = await send(bob, "soon gone");
    const body = { content: "x", reply_to: target.id, nonce: randomUUID() };
    const sent = (await ann.post(path, body)).expect(201, DmMessage.loose());
    await bob.delete(`/dm-messages/${target.id}`);
    expect((await ann.post(path, body)).expect(200, DmMessage.loose())).toEqual(sent);
  });
});
