import { expect, onTestFinished, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer } from "../../page-stage/conversation.js";
import { answer } from "../../page-stage/fake-server.js";
import { channel, channelPath, community, newId, user } from "../../page-stage/fixtures.js";
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
  return { stage, club };
}

test("an address that leads to nothing has a way on", async () => {
  const { stage, club } = await openClub();
  stage.goTo(channelPath({ server_id: club.server.id, id: newId() }));
  await shown(page.getByRole("heading", { name: "Page not found" }));
  await page.getByRole("button", { name: "Go to the start page" }).click();
  await shown(welcome());
});
