import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer } from "../../page-stage/conversation.js";
import { channelPath, community, user } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test("a long name leaves a dialog within the window of a telephone", async () => {
  const noa = user("noa");
  const club = community([noa], { name: "Long ".repeat(20).trim() });
  const width = 390;
  await visit(world(noa, [club]), { path: channelPath(club.channels[0]), viewport: { width, height: 780 } });
  await shown(composer());
  await userEvent.keyboard("{Control>}k{/Control}");
  const dialog = page.getByRole("dialog", { name: "Go to" });
  await shown(dialog.getByRole("option", { name: club.server.name, exact: true }));
  const { left, right } = dialog.element().getBoundingClientRect();
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(width);
  expect(right).toBeGreaterThan(left);
});
