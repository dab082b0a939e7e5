import { expect, onTestFinished, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer, messageWith, sentMessage, write } from "../../../page-stage/conversation.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { focused, pressAt } from "../../../page-stage/keys.js";
import { entry, expectEntries, menu } from "../../../page-stage/menus.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

// A message offers its actions on itself.

const forAll = ["Add a reaction", "Reply", "Reply in a thread", "Copy link", "Copy text", "Quote"];

/** A conversation of Ada, who owns the server, and Ben. */
async function openTalk(whose: "ada" | "ben") {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  club.messages[general.id] = [message(general, ada, "Who plays white?"), message(general, ben, "I do")];
  const stage = await visit(world({ ada, ben }[whose], [club]), { path: channelPath(general) });
  await shown(messageWith("I do"));
  return { stage };
}

test("a right click on a message offers a member what they may do with it, and no more", async () => {
  const { stage } = await openTalk("ben");
  await stage.settled();
  await expectEntries(messageWith("Who plays white?"), [...forAll, "Report"]);
  await expectEntries(messageWith("I do"), [...forAll.toSpliced(3, 0, "Edit"), "Delete"]);
  stage.server.on("PUT /channels/:id/messages/:message/reactions/:emoji", () => undefined);
  await messageWith("Who plays white?").click({ button: "right" });
  await entry("Add a reaction").click();
  await page.getByRole("searchbox", { name: "Find an emoji" }).fill("heart");
  await page.getByRole("dialog").getByRole("button", { name: "red heart", exact: true }).first().click();
  await shown(messageWith("Who plays white?").getByRole("button", { name: /1 reaction, including yours$/ }));
  const paths = () =>
    stage.server
      .requests("PUT /channels/:id/messages/:message/reactions/:emoji")
      .map(({ path }) => decodeURIComponent(path.split("/").at(-1) ?? ""));
  await expect.poll(paths).toEqual(["❤️"]);
});

test("a right click on a message offers its moderator more", async () => {
  const { stage } = await openTalk("ada");
  await stage.settled();
  await expectEntries(messageWith("I do"), [...forAll, "Pin", "Select", "Report", "Delete"]);
});

test("the browser's own menu stays with Shift, on a link and on a selected text", async () => {
  const { stage } = await openTalk("ada");
  await write("See https://example.org about it");
  const row = await sentMessage("See https://example.org about it");
  await stage.settled();
  // After the page's own listeners, which may prevent it.
  const prevented: boolean[] = [];
  const note = (event: Event) => prevented.push(event.defaultPrevented);
  addEventListener("contextmenu", note);
  onTestFinished(() => removeEventListener("contextmenu", note));
  const text = row.getByText("about it");
  const corner = { button: "right", position: { x: 4, y: 4 } } as const;
  const expectPrevented = (isPrevented: boolean) => expect.poll(() => prevented.splice(0)).toEqual([isPrevented]);
  await text.click(corner);
  await expectPrevented(true);
  await shown(menu());
  await userEvent.keyboard("{Escape}");
  await gone(menu());
  await text.click({ ...corner, modifiers: ["Shift"] });
  await expectPrevented(false);
  await row.getByRole("link").first().click({ button: "right" });
  await expectPrevented(false);
  await composer().click({ button: "right" });
  await expectPrevented(false);
  getSelection()?.selectAllChildren(text.element());
  await text.click(corner);
  await expectPrevented(false);
  await stage.settled();
  await gone(menu());
  getSelection()?.removeAllRanges();
});

test("by keyboard a message is deleted with its menu, and Enter confirms", async () => {
  const { stage } = await openTalk("ada");
  await write("A slip of the hand");
  const row = await sentMessage("A slip of the hand");
  stage.server.on("DELETE /messages/:id", () => undefined);
  await pressAt(row, "{Shift>}{F10}{/Shift}");
  await shown(menu());
  await userEvent.keyboard("{Escape}");
  await gone(menu());
  await focused(row);
  await userEvent.keyboard("{ContextMenu}");
  await shown(menu());
  await userEvent.keyboard("{End}");
  await focused(entry("Delete"));
  await userEvent.keyboard("{Enter}");
  await focused(page.getByRole("dialog", { name: "Delete this message?" }).getByRole("button", { name: "Delete" }));
  expect(stage.server.requests("DELETE /messages/:id")).toEqual([]);
  await userEvent.keyboard("{Enter}");
  await gone(row);
  expect(stage.server.requests("DELETE /messages/:id")).toHaveLength(1);
});
