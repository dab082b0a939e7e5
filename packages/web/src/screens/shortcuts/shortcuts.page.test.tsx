import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer, messageWith } from "../../page-stage/conversation.js";
import { channel, channelPath, community, message, user } from "../../page-stage/fixtures.js";
import { focused } from "../../page-stage/keys.js";
import { counted, gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const title = (name: string) => page.getByRole("heading", { name, level: 1, exact: true });
const channelLink = (name: string) => page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name });
const unread = () => channelLink("").filter({ hasText: "unread messages" });
const shortcutList = () => page.getByRole("dialog", { name: "Keyboard shortcuts" });
const press = (keys: string) => userEvent.keyboard(keys);

/** The page of Ben, or of Ada, in #general of Ada's server, which has these channels, too. */
async function openGeneral(whose: "ada" | "ben", names: readonly string[] = []) {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  club.channels = [general, ...names.map((name) => channel(club.server, name))];
  const there = world({ ada, ben }[whose], [club]);
  const stage = await visit(there, { path: channelPath(general) });
  await focused(composer());
  await stage.settled();
  return { stage, there, ada, ben, club, general, added: club.channels.slice(1) };
}

test("shortcuts lead through channels, mark them as read and are listed", async () => {
  const { stage, ada, general, added, club } = await openGeneral("ben", ["openings", "endgames", "problems"]);
  const [openings, , problems] = added;
  if (openings === undefined || problems === undefined) throw new Error("There are too few channels.");
  await press("{Alt>}{ArrowDown}{/Alt}");
  await shown(title("openings"));
  await press("{Alt>}{ArrowUp}{/Alt}");
  await shown(title("general"));
  await press("{Alt>}{ArrowUp}{/Alt}");
  await shown(title("problems"));
  stage.goTo(channelPath(general));
  await shown(title("general"));
  await focused(composer());
  await stage.settled();
  stage.arrives(message(problems, ada, "White to move"));
  await shown(channelLink("problems").filter({ hasText: "unread messages" }));
  await press("{Alt>}{Shift>}{ArrowDown}{/Shift}{/Alt}");
  await shown(title("problems"));
  await shown(messageWith("White to move"));
  await stage.settled();
  // Shift and Escape read the whole server.
  for (const [place, text] of [
    [openings, "e4"],
    [general, "d4"],
  ] as const) {
    stage.arrives(message(place, ada, text));
  }
  await counted(unread(), 2);
  const marked = () => stage.server.requests("POST /channels/:id/ack").map(({ path }) => path);
  await press("{Shift>}{Escape}{/Shift}");
  await counted(unread(), 0);
  await expect.poll(marked).toEqual(expect.arrayContaining([openings, general].map(({ id }) => `/channels/${id}/ack`)));
  await stage.reload();
  await shown(channelLink("problems"));
  await stage.settled();
  await counted(unread(), 0);
  expect(club.channels).toHaveLength(4);
  await press("{Control>}/{/Control}");
  await shown(shortcutList().getByText("Next unread channel"));
  await press("{Control>}/{/Control}");
  await gone(shortcutList());
  await page.getByRole("region", { name: "You", exact: true }).getByRole("button").first().click();
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await shown(shortcutList());
});

test("typing without a field goes into the message, and no shortcut takes a key from a text", async () => {
  const { general } = await openGeneral("ada");
  await title(general.name).click();
  await press("Hello there");
  await expect.element(composer()).toHaveValue("Hello there");
  // AltGr and input methods report keys that look like shortcuts.
  const isTaken = (init: KeyboardEventInit) =>
    document.activeElement?.dispatchEvent(
      new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init }),
    ) === false;
  expect(isTaken({ key: "/", ctrlKey: true, altKey: true, modifierAltGraph: true })).toBe(false);
  expect(isTaken({ key: "ArrowDown", altKey: true, isComposing: true })).toBe(false);
  expect(isTaken({ key: "/", ctrlKey: true })).toBe(true);
  await shown(shortcutList());
  // Typed text belongs to the dialog now.
  await press("abc");
  await press("{Escape}");
  await gone(shortcutList());
  await expect.element(composer()).toHaveValue("Hello there");
});

test("F6 goes from part to part, and the first stop of the page skips to the messages", async () => {
  const { stage, general, ada } = await openGeneral("ada");
  stage.arrives(message(general, ada, "Welcome"));
  await shown(messageWith("Welcome"));
  await shown(page.getByRole("region", { name: "Members" }).getByRole("button").first());
  await composer().click();
  await focused(composer());
  const inPart = (selector: string) => expect.poll(() => document.activeElement?.matches(selector)).toBe(true);
  for (const part of ["[data-region=members] *", "[data-region=servers] *", "[data-region=channels] *", "[data-row]"]) {
    await press("{F6}");
    await inPart(part);
  }
  await press("{F6}");
  await inPart("textarea[data-composer]");
  await press("{Shift>}{F6}{/Shift}");
  await inPart("[data-row]");
  page.getByRole("button", { name: "Skip to the messages" }).element().focus();
  await press("{Enter}");
  await inPart("[data-row]");
});

test("Shift+F6 goes to the messages also while one is being sent", async () => {
  const { stage } = await openGeneral("ada");
  await shown(composer());
  await stage.settled();
  const held = stage.server.hold("POST /channels/:id/messages", () => undefined);
  await composer().fill("On its way");
  await composer().click();
  await press("{Enter}");
  await held.asked;
  await shown(messageWith("On its way"));
  await press("{Shift>}{F6}{/Shift}");
  await expect.poll(() => document.activeElement?.matches("[data-row]")).toBe(true);
});

test("a menu that is open when a conversation appears stays open, and the composer does not take its focus", async () => {
  const { club } = await openGeneral("ben", ["openings"]);
  await channelLink("openings").click();
  await shown(title("openings"));
  await focused(composer());
  await page.getByRole("button", { name: `${club.server.name}: menu` }).click();
  const menu = page.getByRole("menu");
  await shown(menu);
  history.back();
  await expect.poll(() => document.querySelector("h1")?.textContent).toContain("general");
  await press("{ArrowDown}");
  await expect.poll(() => menu.element().matches(":focus-within")).toBe(true);
  await shown(menu);
});
