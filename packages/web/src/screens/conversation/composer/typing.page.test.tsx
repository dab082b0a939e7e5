import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer } from "../../../page-stage/conversation.js";
import { channelPath, community, user } from "../../../page-stage/fixtures.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

const ben = "ben_the_knight";

async function openComposer(): Promise<void> {
  const ada = user("ada");
  const club = community([ada, user(ben)]);
  await visit(world(ada, [club]), { path: channelPath(club.channels[0]) });
  await shown(composer());
}

const rest = "abcdefgh";

/** Actions that choose a member in the list of suggestions, by name. */
const choices: [string, () => Promise<void>][] = [
  ["Enter", () => userEvent.keyboard("{Enter}")],
  ["Tab", () => userEvent.keyboard("{Tab}")],
  ["a click", () => page.getByRole("option", { name: ben }).click()],
];

test.each(choices)("what is typed right after %s has chosen a mention stands behind it", async (_, choose) => {
  await openComposer();
  for (const behind of ["", " and the others"]) {
    for (let round = 0; round < 3; round += 1) {
      await composer().fill(behind);
      await userEvent.keyboard(`{Home}hi @${ben.slice(0, -2)}`);
      await shown(page.getByRole("option", { name: ben }));
      await choose();
      await userEvent.keyboard(rest);
      await expect.element(composer()).toHaveValue(`hi @${ben} ${rest}${behind.trimStart()}`);
    }
  }
});

test("text that is typed right after an emoji was picked stands behind it", async () => {
  await openComposer();
  for (let round = 0; round < 3; round += 1) {
    await composer().fill("well done");
    await userEvent.keyboard("{Home}");
    await page.getByRole("button", { name: "Emoji", exact: true }).click();
    await page.getByRole("searchbox", { name: "Find an emoji" }).fill("tada");
    const found = page.getByRole("region", { name: "Emoji" }).getByRole("button", { name: "party popper" });
    await shown(found);
    found.element().focus();
    await userEvent.keyboard(`{Enter}${rest}`);
    await expect.element(composer()).toHaveValue(`🎉${rest}well done`);
    await gone(found);
    await userEvent.keyboard("i");
    await expect.element(composer()).toHaveValue(`🎉${rest}iwell done`);
  }
});
