import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer } from "../../page-stage/conversation.js";
import { findingsInBothSchemes } from "../../page-stage/findings.js";
import { channelPath, community, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const dialog = () => page.getByRole("dialog", { name: "Create a poll" });
const question = () => page.getByRole("dialog", { name: "Discard what you entered?" });
const field = () => dialog().getByRole("textbox", { name: "Question" });

async function openDialog(): Promise<void> {
  await page.getByRole("button", { name: "Poll, event, files" }).click();
  await page.getByRole("menuitem", { name: "Create a poll" }).click();
  await shown(field());
}

async function openPoll(): Promise<void> {
  const ada = user("ada");
  const club = community([ada]);
  await visit(world(ada, [club]), { path: channelPath(club.channels[0]) });
  await shown(composer());
  await openDialog();
}

const corner = { x: 5, y: 5 };
const ways: [string, () => Promise<void>][] = [
  ["Escape", () => userEvent.keyboard("{Escape}")],
  ["the cross", () => dialog().getByRole("button", { name: "Close" }).click()],
  [
    "a press beside it",
    () => userEvent.click(document.elementFromPoint(corner.x, corner.y) ?? document.body, { position: corner }),
  ],
];

test.each(ways)("%s closes a dialog at once, and asks before what was typed is lost", async (_, close) => {
  await openPoll();
  await close();
  await gone(dialog());
  await openDialog();
  await field().fill("Which evening?");
  await close();
  await shown(question());
  expect(await findingsInBothSchemes()).toEqual([]);
  await userEvent.keyboard("{Escape}");
  await gone(question());
  await expect.element(field()).toHaveValue("Which evening?");
  await expect.poll(() => dialog().element().contains(document.activeElement)).toBe(true);
  await close();
  await question().getByRole("button", { name: "Discard" }).click();
  await gone(dialog());
  await openDialog();
  await expect.element(field()).toHaveValue("");
});

test("a question with a field asks, too, before the reason is lost", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  await visit(world(ada, [club]), { path: channelPath(club.channels[0]) });
  await page.getByRole("region", { name: "Members" }).getByRole("button", { name: "ben" }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Ban" }).click();
  const reason = page.getByRole("dialog", { name: /ben/ }).getByRole("textbox", { name: "Reason" });
  await reason.fill("Too loud");
  await userEvent.keyboard("{Escape}");
  await question().getByRole("button", { name: "Cancel" }).click();
  await gone(question());
  await expect.element(reason).toHaveValue("Too loud");
});
