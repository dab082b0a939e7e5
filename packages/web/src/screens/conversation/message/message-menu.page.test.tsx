import { expect, onTestFinished, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer, messageWith, sentMessage, write } from "../../../page-stage/conversation.js";
import { channelPath, community, madeAt, message, newId, user } from "../../../page-stage/fixtures.js";
import { focused, pressAt } from "../../../page-stage/keys.js";
import { entry, expectEntries, menu } from "../../../page-stage/menus.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

// A message offers its actions on itself.

const forAll = [
  ...["Add a reaction", "Reply", "Reply in a thread", "Copy link", "Copy text", "Quote"],
  ...["Forward", "Mark as unread", "Save for later", "Remind me"],
];

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

test("a message is saved and taken back by its menu", async () => {
  const { stage } = await openTalk("ben");
  await stage.settled();
  const row = messageWith("Who plays white?");
  const requests: string[] = [];
  for (const [address, isSaved] of [
    ["PUT /users/@me/saved/:message", true],
    ["DELETE /users/@me/saved/:message", false],
  ] as const)
    stage.server.on(address, ({ method, params: { message: id = "" } }) => {
      requests.push(method);
      stage.socket.event("SAVED_UPDATE", {
        message_id: id,
        saved: isSaved ? { saved_at: madeAt, note: null } : null,
      });
    });
  await row.click({ button: "right" });
  await entry("Save for later").click();
  await shown(page.getByText("Saved. You’ll find it in your inbox, under Saved."));
  await row.click({ button: "right" });
  await entry("Remove from saved").click();
  await shown(page.getByText("No longer saved."));
  expect(requests).toEqual(["PUT", "DELETE"]);
});

test("a reminder of a message is set for a suggested time, and for a chosen one", async () => {
  const { stage } = await openTalk("ben");
  await stage.settled();
  stage.server.on<{ message_id: string; text: string; at: string }>("POST /users/@me/reminders", ({ body }) => ({
    ...{ id: newId(), created_at: madeAt },
    ...body,
  }));
  const asked = () =>
    stage.server.requests<{ text: string; at: string }>("POST /users/@me/reminders").map(({ body }) => body);
  const row = messageWith("Who plays white?");
  await pressAt(row, "{Shift>}{F10}{/Shift}");
  await shown(menu());
  entry("Remind me").element().focus();
  await userEvent.keyboard("{ArrowRight}");
  await focused(page.getByRole("menuitem", { name: "In 20 minutes" }));
  const before = Date.now();
  await userEvent.keyboard("{Enter}");
  await shown(page.getByText(/^You’ll be reminded: /));
  const inMinutes = (Date.parse(asked()[0]?.at ?? "") - before) / 60_000;
  expect(Math.round(inMinutes)).toBe(20);
  await row.click({ button: "right" });
  await entry("Remind me").click();
  await page.getByRole("menuitem", { name: "At another time …" }).click();
  const dialog = page.getByRole("dialog", { name: "Remind me" });
  await expect.element(dialog.getByRole("textbox", { name: "About what" })).toHaveValue("Who plays white?");
  await dialog.getByLabelText("When").fill("2020-01-02T09:00");
  await dialog.getByRole("button", { name: "Save" }).click();
  expect(asked()).toHaveLength(1);
  await dialog.getByLabelText("When").fill("2099-01-02T09:00");
  await dialog.getByRole("button", { name: "Save" }).click();
  await gone(dialog);
  expect(asked()[1]).toMatchObject({ text: "Who plays white?", at: new Date("2099-01-02T09:00").toISOString() });
});

test("a message that is marked as unread stays so while it is seen, until the channel is opened again", async () => {
  const { stage } = await openTalk("ada");
  await stage.settled();
  stage.server.on<{ unread?: boolean }>("POST /channels/:id/ack", ({ params: { id = "" }, body }) => {
    const counts = { unread_count: body.unread === true ? 1 : 0, mention_count: 0 };
    const last_read_at = body.unread === true ? "2026-01-01T00:00:00.000Z" : madeAt;
    stage.socket.event("READ_STATE_UPDATE", { channel_id: id, last_read_at, ...counts });
  });
  await messageWith("I do").click({ button: "right" });
  await entry("Mark as unread").click();
  const link = page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: /^general/ });
  await shown(link.filter({ hasText: "unread messages" }));
  await stage.settled();
  expect(stage.server.requests("POST /channels/:id/ack")).toHaveLength(1);
  await page.getByRole("link", { name: "Direct messages" }).click();
  await page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name: "Chess club" }).click();
  await shown(messageWith("I do"));
  await expect.poll(() => stage.server.requests("POST /channels/:id/ack")).toHaveLength(2);
});
