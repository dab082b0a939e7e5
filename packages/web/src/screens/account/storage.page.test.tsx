import { test } from "vitest";
import { page } from "vitest/browser";
import { user } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test.each([
  ["of its quota", 5_000_000_000, "1.2 GB of 5 GB, in 12 files."],
  ["without a quota", null, "1.2 GB in 12 files."],
])("an account sees how much room its files take: %s", async (_, quota, text) => {
  await visit(world(user("ada")), {
    path: "/account/storage",
    prepare: (server) => server.on("GET /users/@me/storage", () => ({ used: 1_200_000_000, quota, files: 12 })),
  });
  await shown(page.getByText(text));
});
