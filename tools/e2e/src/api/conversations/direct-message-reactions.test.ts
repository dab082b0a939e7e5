import { ReactionCount } from "@parley/contracts";
import { createServer } from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runSql } from "../stages/admin-stage.js";
import { createEmoji } from "../stages/sample-emoji.js";
import { type DirectStage, expectError, startDirectStage } from "./direct-stage.js";

let stage: DirectStage;
beforeAll(async () => {
  stage = await startDirectStage();
});
afterAll(() => stage?.stop());

test("reactions to a direct message are counted for each of both, and every connection of both hears of them", async () => {
  const { ann, bob, channelId, send, heard, history } = stage;
  const { id } = await send(ann, "chess?");
  await heard("DM_MESSAGE_CREATE", { id });
  const path = `/dm-messages/${id}/reactions`;
  const reacted = (by: typeof ann, emoji: string) => ({
    message_id: id,
    channel_id: channelId,
    user_id: by.user.id,
    emoji,
  });
  expect((await bob.put(`${path}/${encodeURIComponent("♟️")}`)).status).toBe(204);
  expect(await heard("DM_REACTION_ADD", { message_id: id })).toEqual([["DM_REACTION_ADD", reacted(bob, "♟️")]]);
  // The same again is no event.
  expect((await bob.put(`${path}/${encodeURIComponent("♟️")}`)).status).toBe(204);
  expect((await ann.put(`${path}/${encodeURIComponent("♟️")}`)).status).toBe(204);
  expect((await ann.put(`${path}/❌`)).status).toBe(204);
  expect(await heard("DM_REACTION_ADD", { emoji: "❌" })).toEqual([
    ["DM_REACTION_ADD", reacted(ann, "♟️")],
    ["DM_REACTION_ADD", reacted(ann, "❌")],
  ]);
  const seenBy = (me: boolean) => [
    { emoji: "♟️", count: 2, me: true },
    { emoji: "❌", count: 1, me },
  ];
  expect((await ann.get(path)).expect(200, ReactionCount.array())).toEqual(seenBy(true));
  expect((await bob.get(path)).expect(200, ReactionCount.array())).toEqual(seenBy(false));
  const [listed] = await history(bob, "?include=reactions,attachments");
  expect(listed).toMatchObject({ id, reactions: seenBy(false), attachments: [] });
  expect((await ann.delete(`${path}/❌`)).status).toBe(204);
  const removed = await heard("DM_REACTION_REMOVE", { message_id: id });
  expect(removed).toEqual([["DM_REACTION_REMOVE", reacted(ann, "❌")]]);
  expect((await ann.get(path)).expect(200, ReactionCount.array())).toHaveLength(1);
});

test("reactions to a direct message are refused to others, and where there is nothing to take back", async () => {
  const { ann, bob, eve, send } = stage;
  const { id } = await send(ann, "mine");
  const path = `/dm-messages/${id}/reactions`;
  for (const answer of [await eve.get(path), await eve.put(`${path}/❌`), await eve.delete(`${path}/❌`)]) {
    expectError(answer, 404, "Message not found");
  }
  await ann.put(`${path}/❌`);
  expectError(await bob.delete(`${path}/❌`), 404, "Reaction not found");
  expectError(await bob.put(`${path}/${"x".repeat(65)}`), 400, "Emoji must be between 1 and 64 bytes");
});

test("a reaction to a direct message is one emoji, of Unicode or of a server that the writer is in", async () => {
  const { ann, bob, send, stack } = stage;
  const { id } = await send(ann, "react");
  const path = (emoji: string) => `/dm-messages/${id}/reactions/${encodeURIComponent(emoji)}`;
  for (const emoji of ["x", "buy cheap coins", "🎉🎉", "   ", "1", `c:${id}`, "c:x"]) {
    expectError(await ann.put(path(emoji)), 400, "Not an emoji");
  }
  const { id: serverId } = await createServer(ann);
  const emoji = await createEmoji(ann, serverId);
  expect((await ann.put(path(`c:${emoji.id}`))).status).toBe(204);
  expectError(await bob.put(path(`c:${emoji.id}`)), 400, "Not an emoji");
  for (const form of ["\u2764", "\u2764\ufe0f"]) expect((await bob.put(path(form))).status).toBe(204);
  await runSql(stack.databaseUrl, "INSERT INTO dm_reactions (message_id, emoji, user_id) VALUES ($1, 'old', $2)", [
    id,
    bob.user.id,
  ]);
  expect((await bob.get(`/dm-messages/${id}/reactions`)).expect(200, ReactionCount.array())).toEqual([
    { emoji: `c:${emoji.id}`, count: 1, me: false },
    { emoji: "\u2764\ufe0f", count: 1, me: true },
    { emoji: "old", count: 1, me: true },
  ]);
  for (const form of ["old", "\u2764"]) expect((await bob.delete(path(form))).status).toBe(204);
  expectError(await bob.delete(path("\u2764\ufe0f")), 404, "Reaction not found");
});

test("a direct message has at most 250 different emoji, of both together", async () => {
  const { ann, bob, send, stack } = stage;
  const { id } = await send(ann, "many");
  const sql = new pg.Client({ connectionString: stack.databaseUrl });
  await sql.connect();
  const insert =
    "INSERT INTO dm_reactions (message_id, emoji, user_id) SELECT $1, 'e' || n, $2 FROM generate_series(1, 250) AS n";
  await sql.query(insert, [id, ann.user.id]);
  expectError(await bob.put(`/dm-messages/${id}/reactions/♟`), 400, "Limit of 250 reactions reached");
  await sql.query("UPDATE dm_reactions SET emoji = $2 WHERE message_id = $1 AND emoji = 'e1'", [id, "♟️"]);
  await sql.end();
  expect((await bob.put(`/dm-messages/${id}/reactions/♟`)).status).toBe(204);
});
