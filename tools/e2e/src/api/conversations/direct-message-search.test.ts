import { SearchPage } from "@parley/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DirectStage, expectError, startDirectStage } from "./direct-stage.js";

let stage: DirectStage;
beforeAll(async () => {
  stage = await startDirectStage();
});
afterAll(() => stage?.stop());

test("a conversation is searched by both and nobody else, page by page, without messages that are deleted or elsewhere", async () => {
  const { ann, bob, eve, client, channelId, send } = stage;
  const best = await send(ann, "gambit gambit <gambit>");
  const sent = [await send(bob, "a gambit"), await send(ann, "Gambits are fine")];
  const gone = await send(ann, "a gambit that is gone");
  await ann.delete(`/dm-messages/${gone.id}`);
  const edited = await send(bob, "nothing yet");
  await bob.patch(`/dm-messages/${edited.id}`, { content: "now a gambit" });
  const opened = await ann.post("/dm-channels", { user_id: (await client.register()).user.id });
  await ann.post(`/dm-channels/${Object(opened.body).id}/messages`, { content: "another gambit" });

  const search = async (query: string) =>
    (await ann.get(`/dm-channels/${channelId}/search?${query}`)).expect(200, SearchPage.strict());
  const first = await search("q=gambit&limit=1");
  expect(first).toMatchObject({ total: 4, has_more: true, next_cursor: best.id });
  expect(first.results[0]).toMatchObject({
    id: best.id,
    channel_id: channelId,
    author_id: ann.user.id,
    author_username: ann.username,
    content: "gambit gambit <gambit>",
    highlight: expect.stringContaining("<mark>gambit</mark>"),
  });
  const rest = await search(`q=gambit&before=${best.id}`);
  expect(new Set(rest.results.map(({ id }) => id))).toEqual(new Set([...sent, edited].map(({ id }) => id)));
  expect(rest).toMatchObject({ has_more: false, next_cursor: null });
  expect(await search("q=checkmate")).toEqual({ results: [], total: 0, has_more: false, next_cursor: null });

  // The words that a person sees, as in channels.
  const whole = await send(ann, "Pike/Perch at treasurer@example.org, Café Straße 上海市");
  for (const word of ["perch", "treasurer", "cafe", "strasse", "上海"]) {
    expect([word, (await search(`q=${encodeURIComponent(word)}`)).results.map(({ id }) => id)]).toEqual([
      word,
      [whole.id],
    ]);
  }

  expectError(await eve.get(`/dm-channels/${channelId}/search?q=gambit`), 404, "DM channel not found");
  expectError(await ann.get(`/dm-channels/${channelId}/search?q=g`), 400, "Query must be 2-200 characters");
  expectError(await ann.get(`/dm-channels/${channelId}/search?q=gambit&limit=0`), 400, "Limit must be 1-100");
});
