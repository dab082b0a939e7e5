import { createChannel, type Page, postMessage } from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { registerAdmin } from "../api/admin-stage.js";
import { barriers } from "./barriers.js";
import {
  act,
  actInMenu,
  type Conversation,
  channelPath,
  composer,
  messageWith,
  openConversation,
  sentMessage,
  useWebStage,
  waitForCount,
  waitUntilGone,
} from "./web-stage.js";

const stage = useWebStage();
let talk: Conversation;

beforeAll(async () => {
  talk = await openConversation(stage);
  await postMessage(
    talk.ben,
    talk.channel.id,
    `@${talk.ada.username} a **mention** with \`code\` and https://example.org`,
  );
  await postMessage(talk.ada, talk.channel.id, "```\nlet board;\n```\n> quoted\n\n1. one\n2. two");
  const { id } = await postMessage(talk.ada, talk.channel.id, "A message with everything");
  await talk.ben.put(`/channels/${talk.channel.id}/messages/${id}/reactions/${encodeURIComponent("👍")}`);
  await talk.ada.post(`/channels/${talk.channel.id}/polls`, { question: "Which?", options: ["Monday", "Friday"] });
  await createChannel(talk.ada, talk.server.id, { name: "lounge", type: "voice", category: "Voices", topic: "Talk" });
});

/** Asks axe about the screen that stands there once the element is visible. */
async function expectOpen(page: Page, screen: string, element: ReturnType<typeof messageWith>): Promise<void> {
  await element.first().waitFor();
  expect.soft(await barriers(page), screen).toEqual([]);
}
const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { name });

describe.each(["dark", "light"] as const)("in %s colours axe finds nothing serious", (colorScheme) => {
  test("on the screens without a session", async () => {
    const page = await stage.visit(null, { colorScheme });
    await expectOpen(page, "login", heading(page, "Log in to Parley"));
    await page.getByRole("button", { name: "Create an account" }).click();
    await expectOpen(page, "register", heading(page, "Create an account"));
    await page.goto(`${stage.stack.edgeUrl}/app/reset-password`);
    await expectOpen(page, "reset", heading(page, "Reset your password"));
    await page.context().close();
  });

  test("in a channel with its panels and dialogs", async () => {
    const page = await stage.visit(talk.ada, { path: talk.path, colorScheme });
    await messageWith(page, "A message with everything")
      .getByRole("button", { name: /1 reaction/ })
      .waitFor();
    await expectOpen(page, "channel", composer(page));
    await act(page, "A message with everything", "Reply in a thread");
    await expectOpen(page, "thread", page.getByRole("combobox", { name: "Reply in the thread" }));
    await page.getByRole("button", { name: "Pinned messages" }).click();
    await expectOpen(page, "pins", page.getByText("Nothing is pinned yet"));
    await actInMenu(page, "A message with everything", "Delete");
    await expectOpen(page, "deleting", page.getByRole("dialog"));
    await page.keyboard.press("Escape");
    await waitUntilGone(page.getByRole("dialog"));
    await page.getByRole("button", { name: "Emoji", exact: true }).click();
    const picker = page.getByRole("searchbox", { name: "Find an emoji" });
    await expectOpen(page, "emoji", picker);
    await page.keyboard.press("Escape");
    await waitUntilGone(picker);
    await page.getByRole("button", { name: "Poll, event, files" }).click();
    await expectOpen(page, "menu", page.getByRole("menu"));
    await page.getByRole("menuitem", { name: "Create a poll" }).click();
    await expectOpen(page, "poll", page.getByRole("dialog"));
    await page.keyboard.press("Escape");
    await waitUntilGone(page.getByRole("dialog"));
    await page.getByRole("button", { name: "Members" }).click();
    await page.getByRole("region", { name: "Members" }).getByRole("button", { name: talk.ben.username }).click();
    const card = page.getByRole("dialog").getByRole("button", { name: "Message", exact: true });
    await expectOpen(page, "card", card);
    await page.keyboard.press("Escape");
    await waitUntilGone(card);
    await page.keyboard.press("Control+k");
    await expectOpen(page, "quick switcher", page.getByRole("dialog", { name: "Go to" }));
    await page.keyboard.press("Escape");
    await waitUntilGone(page.getByRole("dialog", { name: "Go to" }));
    await page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: "lounge" }).click();
    await expectOpen(page, "voice", page.getByText("Nobody is here yet."));
    await page.context().close();
  });

  test("around the channels", async () => {
    const page = await stage.visit(talk.ada, { path: "/dm", colorScheme });
    await expectOpen(page, "direct messages", heading(page, "Welcome to Parley"));
    await page.getByRole("main").getByRole("button", { name: "Add a server" }).click();
    await expectOpen(page, "add a server", page.getByRole("dialog"));
    await page.keyboard.press("Escape");
    await waitUntilGone(page.getByRole("dialog"));
    await page.getByRole("link", { name: "Discover servers" }).click();
    await expectOpen(page, "browse", page.getByRole("searchbox", { name: "Filter by name" }));
    await page.context().close();
  });

  test("in the settings", async () => {
    const admin = await registerAdmin(stage.client, stage.stack.databaseUrl);
    const page = await stage.visit(talk.ada, { path: `/servers/${talk.server.id}/settings`, colorScheme });
    await expectSections(page, /^Settings of/);
    await page.goto(`${stage.stack.edgeUrl}/app/account`);
    await expectSections(page, "My account");
    await page.context().close();
    const adminPage = await stage.visit(admin, { path: "/admin", colorScheme });
    await expectSections(adminPage, "Administration");
    await adminPage.context().close();
  });

  test("on a telephone", async () => {
    const page = await stage.visit(talk.ada, { path: talk.path, colorScheme, viewport: { width: 390, height: 800 } });
    await expectOpen(page, "channel", composer(page));
    await page.getByRole("button", { name: "Servers and channels" }).click();
    await expectOpen(page, "navigation", page.getByRole("navigation", { name: "Channels" }));
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Members" }).click();
    await expectOpen(page, "members", page.getByRole("region", { name: "Members" }));
    await page.context().close();
  });
});

/** Asks axe about each section of settings. */
async function expectSections(page: Page, title: string | RegExp): Promise<void> {
  const links = page.getByRole("navigation", { name: title }).getByRole("link");
  await links.first().waitFor();
  for (const link of await links.all()) {
    const name = (await link.textContent()) ?? "";
    await link.click();
    await page.getByRole("heading", { name, level: 2 }).waitFor();
    await waitForCount(page.getByText("Loading …"), 0);
    await expectOpen(page, name, page.getByRole("heading", { name, level: 2 }));
  }
}

test("everything goes by keyboard: log in, go to a channel, write, change what was written", async () => {
  const { ada, bensPage } = talk;
  const openings = await createChannel(ada, talk.server.id, { name: "openings" });
  await bensPage.goto(`${stage.stack.edgeUrl}/app${channelPath(openings)}`);
  await composer(bensPage).waitFor();
  const page = await stage.visit(null);
  await page.getByRole("textbox", { name: "Username" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.type(ada.username);
  await page.keyboard.press("Tab");
  await page.keyboard.type(ada.password);
  await page.keyboard.press("Enter");
  await page.getByRole("navigation", { name: "Servers" }).waitFor();
  await composer(page).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog", { name: "Go to" }).locator(":focus").waitFor();
  await page.keyboard.type("openi");
  await page.getByRole("option", { name: /openings/, selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Message openings" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.type("Writen by keyboard");
  await page.keyboard.press("Enter");
  await messageWith(bensPage, "Writen by keyboard").waitFor();
  await sentMessage(page, "Writen by keyboard");
  await page.keyboard.press("ArrowUp");
  await page.getByRole("textbox", { name: "Edit message" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Control+a");
  await page.keyboard.type("Written by keyboard");
  await page.keyboard.press("Enter");
  await messageWith(bensPage, "Written by keyboard").getByText("(edited)").waitFor();
  await composer(page).and(page.locator(":focus")).waitFor();
  await page.context().close();
});
