import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { madeAt, newId, profile } from "../../page-stage/fixtures.js";
import { counted, gone } from "../../page-stage/seeing.js";
import { openSettings } from "../../page-stage/settings.js";

test("a page of many bans is shown, and only its names are read", async () => {
  const people = Array.from({ length: 60 }, (_, n) => profile({ id: newId(), username: `banned_${n}` }));
  const { server, settled } = await openSettings("bans", (fake, { server: { id: server_id, owner_id } }) => {
    fake.on("GET /servers/:id/bans", () =>
      people.map(({ id }) => ({ server_id, user_id: id, banned_by: owner_id, reason: null, created_at: madeAt })),
    );
    fake.on("GET /users/:id", ({ params }) => people.find(({ id }) => id === params.id));
  });
  const rows = page.getByRole("list", { name: "Bans" }).getByRole("listitem");
  const named = rows.filter({ hasText: "banned_" });
  const read = () => new Set(server.requests("GET /users/:id").map(({ path }) => path)).size;
  await counted(named, 25);
  await settled();
  await counted(rows, 25);
  expect(read()).toBe(25);
  const more = page.getByRole("button", { name: "More bans" });
  await more.click();
  await counted(named, 50);
  await more.click();
  await counted(named, 60);
  await gone(more);
  expect(read()).toBe(60);
});
