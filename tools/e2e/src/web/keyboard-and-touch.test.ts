import { createChannel, type Page, postMessage, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import {
  channelPath,
  composer,
  messageWith,
  openConversation,
  useWebStage,
  waitForCount,
  waitForValue,
  waitUntilGone,
} from "./web-stage.js";

// Shortcuts of the keyboard, and what a finger does on a telephone.

const stage = useWebStage();

const title = (page: Page, name: string) => page.getByRole("heading", { name, level: 1, exact: true });
const channelLink = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name });
const focused = (page: Page, selector: string) => page.locator(`${selector}:focus`).waitFor();

test("shortcuts lead through channels, mark them as read and are listed", async () => {
  const { ada, server, channel, bensPage: page } = await openConversation(stage);
  const names = ["openings", "endgames", "problems"] as const;
  const [openings, , problems] = await Promise.all(names.map((name) => createChannel(ada, server.id, { name })));
  if (openings === undefined || problems === undefined) throw new Error("There are too few channels.");
  await page.reload();
  await channelLink(page, "problems").waitFor();
  const order = await page.getByRole("navigation", { name: "Channels" }).getByRole("link").allTextContents();
  await composer(page).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Alt+ArrowDown");
  await title(page, order[1] ?? "").waitFor();
  await page.keyboard.press("Alt+ArrowUp");
  await title(page, order[0] ?? "").waitFor();
  await page.keyboard.press("Alt+ArrowUp");
  await title(page, order[3] ?? "").waitFor();
  await page.goto(`${stage.stack.edgeUrl}/app${channelPath(channel)}`);
  await composer(page).and(page.locator(":focus")).waitFor();
  await postMessage(ada, problems.id, "White to move");
  await channelLink(page, "problems").filter({ hasText: "unread messages" }).waitFor();
  await page.keyboard.press("Alt+Shift+ArrowDown");
  await title(page, "problems").waitFor();
  await messageWith(page, "White to move").waitFor();
  // Shift and Escape read the whole server.
  await Promise.all([postMessage(ada, openings.id, "e4"), postMessage(ada, channel.id, "d4")]);
  await waitForCount(channelLink(page, "").filter({ hasText: "unread messages" }), 2);
  await page.keyboard.press("Shift+Escape");
  await waitForCount(channelLink(page, "").filter({ hasText: "unread messages" }), 0);
  await page.reload();
  await channelLink(page, "problems").waitFor();
  await page.getByRole("region", { name: "You", exact: true }).waitFor();
  await waitForCount(channelLink(page, "").filter({ hasText: "unread messages" }), 0);
  await page.keyboard.press("Control+/");
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await list.getByText("Next unread channel").waitFor();
  await page.keyboard.press("Control+/");
  await waitUntilGone(list);
  await page.getByRole("region", { name: "You", exact: true }).getByRole("button").first().click();
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await list.waitFor();
  await page.context().close();
});

test("typing without a field goes into the message, and no shortcut takes a key from a text", async () => {
  const { channel, adasPage: page } = await openConversation(stage);
  await title(page, channel.name).click();
  await page.keyboard.type("Hello there");
  await waitForValue(composer(page), "Hello there");
  // AltGr and input methods report keys that look like shortcuts.
  const isTaken = (init: string) =>
    page.evaluate<boolean>(
      `!document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ${init} }))`,
    );
  expect(await isTaken('key: "/", ctrlKey: true, altKey: true, modifierAltGraph: true')).toBe(false);
  expect(await isTaken('key: "ArrowDown", altKey: true, isComposing: true')).toBe(false);
  expect(await isTaken('key: "/", ctrlKey: true')).toBe(true);
  const list = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await list.waitFor();
  // What is typed now belongs to the dialog.
  await page.keyboard.type("abc");
  await page.keyboard.press("Escape");
  await waitUntilGone(list);
  await waitForValue(composer(page), "Hello there");
  await page.context().close();
});

test("F6 goes from part to part, and the first stop of the page skips to the messages", async () => {
  const { owner, channel, adasPage: page } = await openConversation(stage);
  await postMessage(owner, channel.id, "Welcome");
  await messageWith(page, "Welcome").waitFor();
  await page.getByRole("region", { name: "Members" }).getByRole("button").first().waitFor();
  await composer(page).focus();
  for (const part of ["[data-region=members] *", "[data-region=servers] *", "[data-region=channels] *", "[data-row]"]) {
    await page.keyboard.press("F6");
    await focused(page, part);
  }
  await page.keyboard.press("F6");
  await focused(page, "textarea[data-composer]");
  await page.keyboard.press("Shift+F6");
  await focused(page, "[data-row]");
  await page.getByRole("button", { name: "Skip to the messages" }).focus();
  await page.keyboard.press("Enter");
  await focused(page, "[data-row]");
  await page.context().close();
});

const phone = { viewport: { width: 390, height: 800 }, isTouch: true };

interface Finger {
  down: (x: number, y: number) => Promise<void>;
  move: (x: number, y: number) => Promise<void>;
  up: () => Promise<void>;
}

/** One finger on the screen. */
async function fingerOn(page: Page): Promise<Finger> {
  const session = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  return {
    down: async (x, y) => void (await send("touchStart", [{ x, y }])),
    move: async (x, y) => void (await send("touchMove", [{ x, y }])),
    up: async () => void (await send("touchEnd", [])),
  };
}

test("a menu that is open when a conversation appears stays open, and the composer does not take its focus", async () => {
  const { ada, server, bensPage: page } = await openConversation(stage);
  await createChannel(ada, server.id, { name: "openings" });
  await page.reload();
  const first = "general";
  await channelLink(page, "openings").click();
  await title(page, "openings").waitFor();
  await composer(page).and(page.locator(":focus")).waitFor();
  await page.getByRole("button", { name: `${server.name}: menu` }).click();
  const menu = page.getByRole("menu");
  await menu.waitFor();
  await page.evaluate("history.back()");
  await title(page, first ?? "").waitFor();
  await composer(page).waitFor();
  await page.keyboard.press("ArrowDown");
  await menu.and(page.locator(":focus-within")).waitFor();
});

test("a finger that rests on a message opens its actions, one message at a time", async () => {
  const { ada, channel, bensPage: page } = await openConversation(stage, phone);
  for (const text of ["Touch, move", "Or not"]) await postMessage(ada, channel.id, text);
  await messageWith(page, "Or not").waitFor();
  for (const text of ["Touch, move", "Or not"]) await messageWith(page, text).tap();
  await waitForCount(page.getByRole("toolbar"), 0);
  const finger = await fingerOn(page);
  const sheet = page.getByRole("dialog", { name: "Message actions" });
  // What changes around the messages meanwhile moves them away from under the finger.
  await waitUntil(
    async () => {
      const box = await messageWith(page, "Touch, move").getByText("Touch, move").boundingBox();
      if (box === null) return false;
      // At the end of its line: near a button, such as the author's name, the browser takes a touch for the button's.
      await finger.down(box.x + box.width - 20, box.y + box.height - 4);
      await page.getByRole("dialog").waitFor();
      await finger.up();
      if (await sheet.isVisible()) return true;
      await page.keyboard.press("Escape");
      await waitForCount(page.getByRole("dialog"), 0);
      return false;
    },
    { timeoutMs: 30_000, what: "the sheet of the message" },
  );
  expect(await sheet.getByRole("button").allTextContents()).toEqual([
    ...["👍", "❤️", "😂", "🎉", "😮", "🙏"],
    "Add a reaction",
    "Reply",
    "Reply in a thread",
    "Copy link",
    "Copy text",
    "Quote",
    "Report",
  ]);
  await sheet.getByRole("button", { name: "Reply", exact: true }).tap();
  await waitUntilGone(sheet);
  await page.getByText(`Replying to ${ada.username}`).waitFor();
  await waitForCount(page.getByRole("toolbar"), 0);
  await page.context().close();
});

test("who is mentioned from the drawer of members is mentioned in the message, which is in sight then", async () => {
  const { ada, bensPage: page } = await openConversation(stage, phone);
  await page.getByRole("button", { name: "Members" }).tap();
  const drawer = page.getByRole("dialog", { name: "Members" });
  const member = drawer.getByRole("button", { name: ada.username });
  await member.waitFor();
  const finger = await fingerOn(page);
  await page.locator("[data-loading]").first().waitFor({ state: "detached" });
  const mention = page.getByRole("button", { name: "Mention", exact: true });
  await waitUntil(
    async () => {
      const box = await member.boundingBox();
      if (box === null) return false;
      await finger.down(box.x + box.width / 2, box.y + box.height / 2);
      await mention.waitFor();
      await finger.up();
      return true;
    },
    { timeoutMs: 30_000, what: "the sheet of the member" },
  );
  await mention.tap();
  await waitUntilGone(drawer);
  await waitForValue(composer(page), `@${ada.username} `);
  await composer(page).and(page.locator(":focus")).waitFor();
  await page.context().close();
});

test("the drawer follows the finger, opens and closes by it, and leaves what scrolls sideways alone", async () => {
  const { ada, channel, adasPage: page } = await openConversation(stage, phone);
  await postMessage(ada, channel.id, `\`\`\`\n${"wide ".repeat(60)}\n\`\`\``);
  const code = page.locator("pre").first();
  await code.waitFor();
  const drawer = page.getByRole("dialog", { name: "Servers and channels" });
  /** How far the drawer is in the window, in pixels from the side it comes from. */
  const place = async () => (await drawer.boundingBox())?.x;
  const finger = await fingerOn(page);
  await finger.down(60, 300);
  for (const x of [80, 120, 180]) await finger.move(x, 300);
  await drawer.waitFor();
  await waitUntil(async () => (await place()) === 120 - 320, { what: "the drawer under the finger" });
  for (const x of [240, 330]) await finger.move(x, 300);
  await finger.up();
  await waitUntil(async () => (await place()) === 0, { what: "the drawer at rest" });
  await channelLink(page, channel.name).waitFor();
  await finger.down(280, 300);
  for (const x of [260, 180, 60]) await finger.move(x, 300);
  await finger.up();
  await waitUntilGone(drawer);
  const box = await code.boundingBox();
  if (box === null) throw new Error("The code is not shown.");
  await finger.down(box.x + 20, box.y + 10);
  for (const x of [60, 120, 240]) await finger.move(box.x + x, box.y + 10);
  await finger.up();
  await waitForCount(drawer, 0);
  await page.context().close();
});

test("a finger that rests on a reaction lists who reacted, and does not react", async () => {
  const { ada, ben, channel, bensPage: page } = await openConversation(stage, phone);
  const { id } = await postMessage(ada, channel.id, "I won!");
  await ada.put(`/channels/${channel.id}/messages/${id}/reactions/${encodeURIComponent("👍")}`);
  const reaction = messageWith(page, "I won!").getByRole("button", { name: /: 1 reaction$/ });
  const finger = await fingerOn(page);
  const box = await reaction.boundingBox();
  if (box === null) throw new Error("The reaction is not shown.");
  await finger.down(box.x + box.width / 2, box.y + box.height / 2);
  const people = page.getByRole("dialog", { name: "Reactions" }).getByRole("listitem");
  await people.filter({ hasText: ada.username }).waitFor();
  await finger.up();
  expect(await people.allTextContents()).toEqual([ada.username]);
  expect((await ben.get(`/channels/${channel.id}/messages/${id}/reactions`)).body).toMatchObject([{ count: 1 }]);
  await page.context().close();
});

test("what is touched is at least 40 pixels wide and high", async () => {
  const { ada, channel, adasPage: page } = await openConversation(stage, phone);
  const { id } = await postMessage(ada, channel.id, "I won!");
  await ada.put(`/channels/${channel.id}/messages/${id}/reactions/${encodeURIComponent("👍")}`);
  await messageWith(page, "I won!")
    .getByRole("button", { name: /1 reaction/ })
    .waitFor();
  const small = () =>
    page.evaluate<string[]>(`[...document.querySelectorAll("header button, article button, main button, nav a")]
      .filter((element) => element.checkVisibility() && !element.matches("header bdi, header button:has(bdi)"))
      .map((element) => [element.ariaLabel ?? element.textContent, element.getBoundingClientRect()])
      .filter(([, { width, height }]) => width < 40 || height < 40)
      .map(([name, { width, height }]) => name + " " + width + " × " + height)`);
  expect(await small()).toEqual([]);
  await page.getByRole("button", { name: "Servers and channels" }).tap();
  await channelLink(page, channel.name).waitFor();
  expect(await small()).toEqual([]);
  await page.context().close();
});
