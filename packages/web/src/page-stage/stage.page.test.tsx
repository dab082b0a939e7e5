import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { composer } from "./conversation.js";
import { channel, channelPath, community, user } from "./fixtures.js";
import { shown } from "./seeing.js";
import { visit } from "./stage.js";
import { world } from "./world.js";

// Each test finds the browser as it was before the first one.

/** Ada's page, in a server with a second channel, whose link the mouse enters or not. */
async function visitClub() {
  const ada = user("ada");
  const club = community([ada]);
  const other = channel(club.server, "other");
  club.channels.push(other);
  const stage = await visit(world(ada, [club]), { path: channelPath(club.channels[0]) });
  await shown(composer());
  await stage.settled();
  const link = page.getByRole("link", { name: "other" });
  await shown(link);
  const reads = () => stage.server.requests("GET /channels/:id/messages").map(({ params, path }) => params.id ?? path);
  return { link, other, reads };
}

test("a history is read as the mouse enters the link of its channel", async () => {
  const { link, other, reads } = await visitClub();
  await link.hover();
  await expect.poll(() => reads().filter((path) => path.includes(other.id)).length).toBe(1);
});

test("the mouse that an earlier test left on a link is not on the page of the next one", async () => {
  const { other, reads } = await visitClub();
  expect(document.querySelectorAll(":hover").length).toBe(0);
  expect(reads().filter((path) => path.includes(other.id))).toEqual([]);
});
