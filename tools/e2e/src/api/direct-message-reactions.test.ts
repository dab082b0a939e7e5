import { ReactionCount } from "@parley/contracts";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
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
  expect((await ann.put(`${path}/x`)).status).toBe(204);
  expect(await heard("DM_REACTION_ADD", { emoji: "x" })).toEqual([
    ["DM_REACTION_ADD", reacted(ann, "♟️")],
    ["DM_REACTION_ADD", reacted(ann, "x")],
  ]);
  const seenBy = (me: boolean) => [
    { emoji: "♟️", count: 2, me: true },
    { emoji: "x", count: 1, me },
  ];
  expect((await ann.get(path)).expect(200, ReactionCount.array())).toEqual(seenBy(true));
  expect((await bob.get(path)).expect(200, ReactionCount.array())).toEqual(seenBy(false));
  const [listed] = await history(bob, "?include=reactions,attachments");
  expect(listed).toMatchObject({ id, reactions: seenBy(false), attachments: [] });
  expect((await ann.delete(`${path}/x`)).status).toBe(204);
  const removed = await heard("DM_REACTION_REMOVE", { message_id: id });
  expect(removed).toEqual([["DM_REACTION_REMOVE", reacted(ann, "x")]]);
  expect((await ann.get(path)).expect(200, ReactionCount.array())).toHaveLength(1);
});

test("reactions to a direct message are refused to others, and where there is nothing to take back", async () => {
  const { ann, bob, eve, send } = stage;
  const { id } = await send(ann, "mine");
  const path = `/dm-messages/${id}/reactions`;
  for (const answer of [await eve.get(path), await eve.put(`${path}/x`), await eve.delete(`${path}/x`)]) {
    expectError(answer, 404, "Message not found");
  }
  await ann.put(`${path}/x`);
  expectError(await bob.delete(`${path}/x`), 404, "Reaction not found");
  expectError(await bob.put(`${path}/${"x".repeat(65)}`), 400, "Emoji must be between 1 and 64 bytes");
});

test("a direct message has at most 250 different emoji, of both together", async () => {
  const { ann, bob, send, stack } = stage;
  const { id } = await send(ann, "many");
  const sql = new pg.Client({ connectionString: stack.databaseUrl });
  await sql.connect();
  const insert =
    "INSERT INTO dm_reactions (message_id, emoji, user_id) SELECT $1, 'e' || n, $2 FROM generate_series(1, 250) AS n";
  await sql.query(insert, [id, ann.user.id]);
  await sql.end();
  expectError(await bob.put(`/dm-messages/${id}/reactions/more`), 400, "Limit of 250 reactions reached");
  expect((await bob.put(`/dm-messages/${id}/reactions/e1`)).status).toBe(204);
});
