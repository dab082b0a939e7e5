import { test } from "vitest";
import { page } from "vitest/browser";
import { messageWith } from "../../../page-stage/conversation.js";
import { noNetwork } from "../../../page-stage/fake-server.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

test("pinned messages that cannot be read say so, and are there at the next attempt", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  const kept = message(general, ada, "Keep this", { pinned: true, pinned_by: ada.id, pinned_at: general.created_at });
  club.messages[general.id] = [kept];
  const { server } = await visit(world(ada, [club]), {
    path: channelPath(general),
    prepare: (fresh) => fresh.on("GET /channels/:id/pinned-messages", noNetwork),
  });
  await shown(messageWith("Keep this"));
  await page.getByRole("button", { name: "Pinned messages" }).click();
  const panel = page.getByRole("complementary", { name: "Pinned messages" });
  await shown(panel.getByRole("alert").getByText(/^The server cannot be reached/));
  server.on("GET /channels/:id/pinned-messages", () => [kept]);
  await panel.getByRole("button", { name: "Try again" }).click();
  await shown(panel.getByText("Keep this"));
});
