import type { FoundServer } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { community, user } from "../../page-stage/fixtures.js";
import { counted, gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const found = (name: string, changes: Partial<FoundServer> = {}): FoundServer => ({
  ...{ ...community([user("owner")], { name }).server, description: null, tags: null, language: null },
  ...{ banner_url: null, online_count: 1, ...changes },
});

test("public servers are found by words, by a tag and by order, page after page", async () => {
  const [first, second] = [found("Chess", { description: "Every Sunday", tags: ["games"] }), found("Go")];
  const { server } = await visit(world(user("ada")), {
    path: "/browse",
    prepare(fake) {
      fake.on("GET /servers/browse", ({ query }) => {
        if (query.size === 0) return [];
        return query.get("after") === null ? { servers: [first], next: "page-2" } : { servers: [second], next: null };
      });
    },
  });
  await shown(page.getByText("No public servers yet. Create the first one!"));
  const cards = page.getByRole("main").getByRole("listitem");
  await page.getByRole("searchbox", { name: "Find by name, description or tag" }).fill("sunday");
  await shown(cards.getByText("Every Sunday"));
  await shown(cards.getByText("1 member · 1 online"));
  await page.getByRole("button", { name: "More servers" }).click();
  await counted(cards, 2);
  await gone(page.getByRole("button", { name: "More servers" }));
  await page.getByRole("combobox", { name: "Sort by" }).selectOptions("Most people online");
  await page.getByRole("combobox", { name: "Language" }).selectOptions("German");
  await cards.getByRole("button", { name: "Only servers with the tag games" }).click();
  await shown(page.getByRole("button", { name: "All servers, not only games" }));
  const last = () => Object.fromEntries(server.requests("GET /servers/browse").at(-1)?.query ?? []);
  await expect.poll(last).toEqual({ sort: "active", limit: "30", q: "sunday", tag: "games", language: "de" });
});
