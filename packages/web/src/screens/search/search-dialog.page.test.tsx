import type { SearchPage } from "@parley/client";
import { test } from "vitest";
import { page } from "vitest/browser";
import { composer } from "../../page-stage/conversation.js";
import { channelPath, community, created, madeAt, message, newId, user } from "../../page-stage/fixtures.js";
import { counted, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test("a found message that is deleted or edited meanwhile changes in the results", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  const sent = ["one", "two", "three", "four"].map((word) => message(general, ada, `Walnut ${word}`));
  club.messages[general.id] = sent;
  let left = sent;
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  stage.server.on("GET /servers/:id/search", () => {
    const results = left.map(({ id, channel_id, content, created_at }) => ({
      ...{ id, channel_id, author_id: ada.id, author_username: ada.username, content },
      ...{ highlight: content, created_at, rank: 1 },
    }));
    return { results, total: results.length, has_more: false, next_cursor: null };
  });
  await shown(composer());
  await page.getByRole("button", { name: "Search" }).click();
  const dialog = page.getByRole("dialog", { name: "Search" });
  const found = dialog.getByRole("listitem");
  await dialog.getByRole("searchbox").fill("walnut");
  await counted(found, 4);
  const [one, two, three, four] = sent.map(({ id }) => id);
  stage.socket.event("MESSAGE_DELETE", { id: one ?? "", channel_id: general.id });
  await counted(found, 3);
  stage.socket.event("MESSAGE_DELETE_BULK", { ids: [two ?? "", three ?? ""], channel_id: general.id });
  await counted(found, 1);
  left = sent.filter(({ id }) => id === four).map((last) => ({ ...last, content: "Walnut five", edited_at: madeAt }));
  for (const last of left) {
    const { attachments: _files, ...edited } = created(last, general);
    stage.socket.event("MESSAGE_UPDATE", edited);
  }
  await shown(found.filter({ hasText: "Walnut five" }));
  await shown(dialog.getByText("1 message", { exact: true }));
});

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
