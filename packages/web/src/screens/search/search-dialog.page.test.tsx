import type { SearchPage } from "@parley/client";
import { test } from "vitest";
import { page } from "vitest/browser";
import { composer } from "../../page-stage/conversation.js";
import { channelPath, community, madeAt, newId, user } from "../../page-stage/fixtures.js";
import { counted, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test("a page of results that is late is not added to the results for other words", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  const result = (content: string): SearchPage["results"][0] => ({
    ...{ id: newId(), channel_id: general.id, author_id: ada.id, author_username: ada.username, content },
    ...{ highlight: content, created_at: madeAt, rank: 1 },
  });
  const walnuts = Array.from({ length: 26 }, (_, n) => result(`Walnut ${n}`));
  const chestnuts = [result("Chestnut")];
  const address = "GET /servers/:id/search";
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  const first = (words: string | null): SearchPage =>
    words === "walnut"
      ? { results: walnuts.slice(0, 25), total: 26, has_more: true, next_cursor: walnuts[24]?.id ?? null }
      : { results: chestnuts, total: 1, has_more: false, next_cursor: null };
  stage.server.on(address, ({ query }) => first(query.get("q")));
  await shown(composer());
  await page.getByRole("button", { name: "Search" }).click();
  const dialog = page.getByRole("dialog", { name: "Search" });
  const found = dialog.getByRole("listitem");
  await dialog.getByRole("searchbox").fill("walnut");
  await counted(found, 25);
  const late: SearchPage = { results: walnuts.slice(25), total: 26, has_more: false, next_cursor: null };
  const answer = stage.server.hold(address, () => late);
  await dialog.getByRole("button", { name: "More results" }).click();
  await answer.asked;
  stage.server.on(address, ({ query }) => first(query.get("q")));
  await dialog.getByRole("searchbox").fill("chestnut");
  await counted(found, 1);
  answer.release();
  await stage.settled();
  await counted(found, 1);
  await shown(found.filter({ hasText: "Chestnut" }));
});
