import {
  createGate,
  createServerWithMembers,
  joinServer,
  type Page,
  postMessage,
  type UserClient,
} from "@parley/testing";
import { expect, test } from "vitest";
import { createBotClient } from "../api/admin-stage.js";
import { channelPath, composer, messageWith, useWebStage, waitForCount } from "./web-stage.js";

// What stands in the place of what is not there yet, or not at all.

const stage = useWebStage();

/** The shapes of what is being loaded. */
const shapes = (page: Page) => page.getByRole("main").locator("[data-loading] [aria-busy=true]");
const motions = (page: Page) => page.evaluate<number>("document.getAnimations().length");

/** Opens a page, with less motion, whose requests to an address wait until they are released. */
async function visitWithout(address: RegExp, user: UserClient, path: string) {
  const released = createGate();
  const page = await stage.visit(user, {
    path,
    prepare: async (empty) => {
      await empty.emulateMedia({ reducedMotion: "reduce" });
      await empty.route(address, async (route) => {
        await released.opened;
        await route.continue();
      });
    },
  });
  return { page, release: released.open };
}

test("messages that take long are shown as shapes, said to be loading, and move nothing when they come", async () => {
  const { owner, channel } = await createServerWithMembers(stage.client, 0);
  await postMessage(owner, channel.id, "Worth waiting for");
  const { page, release } = await visitWithout(/\/messages(?:\?|$)/, owner, channelPath(channel));
  await composer(page).waitFor();
  await shapes(page).first().waitFor();
  const spoken = page.getByRole("main").getByText("Loading …").first();
  expect(await spoken.getAttribute("aria-live")).toBe("polite");
  const before = await composer(page).boundingBox();
  expect(await motions(page)).toBe(0);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  expect(await motions(page)).toBeGreaterThan(0);
  release();
  await messageWith(page, "Worth waiting for").waitFor();
  await waitForCount(shapes(page), 0);
  expect(await composer(page).boundingBox()).toEqual(before);
  await page.context().close();
});

test("what stands below a list of settings comes with the list, and is not moved by it", async () => {
  const { owner, server } = await createServerWithMembers(stage.client, 0);
  const { page, release } = await visitWithout(
    /\/api\/.*\/webhooks$/,
    owner,
    `/servers/${server.id}/settings/webhooks`,
  );
  await page.getByRole("heading", { name: "Webhooks", level: 2 }).waitFor();
  await shapes(page).waitFor();
  const form = page.getByRole("textbox", { name: "Name" });
  await form.waitFor({ state: "hidden" });
  release();
  await form.waitFor();
  await waitForCount(shapes(page), 0);
  await page.context().close();
});

test("a picture that cannot be loaded gives way to the letter of its user", async () => {
  const { owner, channel } = await createServerWithMembers(stage.client, 0);
  const picture = "https://pictures.invalid/gone.png";
  expect((await owner.patch("/users/@me", { avatar_url: picture })).status).toBe(200);
  await postMessage(owner, channel.id, "Look at me");
  const page = await stage.visit(owner, {
    path: channelPath(channel),
    prepare: (empty) => empty.route("https://pictures.invalid/**", (route) => route.abort()),
  });
  const letter = owner.username.slice(0, 1).toUpperCase();
  await messageWith(page, "Look at me").locator(`[data-initials="${letter}"]`).waitFor();
  await messageWith(page, "Look at me").locator("img").waitFor({ state: "detached" });
  await page.context().close();
});

test("a server keeps its colour when it gets another name", async () => {
  const { owner, server, channel } = await createServerWithMembers(stage.client, 0);
  const page = await stage.visit(owner, { path: channelPath(channel) });
  const tile = (name: string) =>
    page.getByRole("navigation", { name: "Servers" }).getByRole("link", { name }).locator("span[aria-hidden]");
  const colorOf = (name: string) => tile(name).evaluate("(element) => getComputedStyle(element).backgroundColor");
  const before = await colorOf(server.name);
  expect((await owner.patch(`/servers/${server.id}`, { name: "Harbour Chess" })).status).toBe(200);
  await page.reload();
  await tile("Harbour Chess").and(page.locator('[data-initials="HC"]')).waitFor();
  expect(await colorOf("Harbour Chess")).toBe(before);
  await page.context().close();
});

test("a bot is shown by the name it was given, marked as a bot, in messages, the member list and its card", async () => {
  const { owner, server, channel } = await createServerWithMembers(stage.client, 0);
  const { client: bot } = await createBotClient(owner);
  await joinServer(bot, server.id);
  await postMessage(bot, channel.id, "At your service.");
  const page = await stage.visit(owner, { path: channelPath(channel) });
  const message = messageWith(page, "At your service.");
  await message.getByText("Bot", { exact: true }).waitFor();
  await page
    .getByRole("region", { name: "Members" })
    .getByRole("button", { name: /^helper\s*Bot/ })
    .waitFor();
  await message.getByRole("button", { name: "helper", exact: true }).click();
  await page.getByRole("dialog").getByText("Bot", { exact: true }).waitFor();
  await page.context().close();
});

test("a long paragraph is folded until all of it is asked for", async () => {
  const { owner, channel } = await createServerWithMembers(stage.client, 0);
  await postMessage(owner, channel.id, "A long story, told in one go. ".repeat(100).trim());
  const page = await stage.visit(owner, { path: channelPath(channel) });
  const message = messageWith(page, "A long story");
  const height = async () => (await message.boundingBox())?.height ?? 0;
  await message.getByRole("button", { name: "Show the whole message" }).waitFor();
  const folded = await height();
  await message.getByRole("button", { name: "Show the whole message" }).click();
  await message.getByRole("button", { name: "Show less" }).waitFor();
  expect(await height()).toBeGreaterThan(folded);
  await page.context().close();
});

test("a browser that loses its network is said to have no connection before the gateway is missed", async () => {
  const { owner, channel } = await createServerWithMembers(stage.client, 0);
  const page = await stage.visit(owner, { path: channelPath(channel) });
  await composer(page).waitFor();
  await page.context().setOffline(true);
  await page.getByText("You’re offline.").waitFor();
  await page.context().setOffline(false);
  await waitForCount(page.getByText(/^You’re offline|^Connection lost/), 0);
  await page.context().close();
});
