import { expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { composer } from "../../page-stage/conversation.js";
import { channel, channelPath, community, message, newId, user } from "../../page-stage/fixtures.js";
import { welcome } from "../../page-stage/login.js";
import { shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

// Pages that are not there, or cannot be drawn, have a way on.

async function openClub() {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const stage = await visit(world(ada, [club]), { path: channelPath(club.channels[0]) });
  await shown(composer());
  await stage.settled();
  return { stage, ada, club };
}

test("an address that leads to nothing has a way on", async () => {
  const { stage, club } = await openClub();
  stage.goTo(channelPath({ server_id: club.server.id, id: newId() }));
  await shown(page.getByRole("heading", { name: "Page not found" }));
  await page.getByRole("button", { name: "Go to the start page" }).click();
  await shown(welcome());
});

test("a page that cannot be drawn says so, and leaves the others as they are", async () => {
  // React reports the errors that the boundary catches.
  const reported = vi.spyOn(console, "error").mockReturnValue();
  onTestFinished(() => reported.mockRestore());
  const { stage, ada, club } = await openClub();
  const broken = channel(club.server, "broken", { position: 1 });
  // A leap second is valid in a timestamp, and no time for a browser.
  const undrawable = message(broken, ada, "Never seen", {
    created_at: "2016-12-31T23:59:60.000Z",
  });
  club.channels.push(broken);
  club.messages[broken.id] = [undrawable];
  stage.socket.event("CHANNEL_CREATE", broken);
  await page.getByRole("link", { name: "broken" }).click();
  await shown(page.getByRole("heading", { name: "This page can’t be shown" }));
  expect(reported).toHaveBeenCalled();
  await page.getByRole("button", { name: "Go to the start page" }).click();
  await shown(welcome());
});
