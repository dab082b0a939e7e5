import { createGate, createServerWithMembers, type Page, waitUntil } from "@parley/testing";
import { expect, test } from "vitest";
import { channelPath, composer, useWebStage, waitForCount, waitForValue } from "./web-stage.js";

// Scripts that a part of the page needs come late, or not at all.

const stage = useWebStage();
const accountScript = /\/assets\/account-[^/]*\.js$/;

const focused = (page: Page) => page.evaluate<string | null>("document.activeElement.textContent");

test("settings that are opened directly say that they are loaded, in the place where they then stand", async () => {
  const { owner } = await createServerWithMembers(stage.client, 0);
  const [asked, released] = [createGate(), createGate()];
  const page = await stage.visit(owner, {
    path: "/account/profile",
    prepare: async (created) => {
      await created.route(accountScript, async (route) => {
        asked.open();
        await released.opened;
        await route.continue();
      });
    },
  });
  // Before that the whole page says that it is loaded.
  await asked.opened;
  const main = page.getByRole("main");
  await main.getByText("Loading …").waitFor();
  // It was there before it had the text, so that its text is announced.
  await expect.poll(() => main.getByText("Loading …").getAttribute("aria-live")).toBe("polite");
  const before = await main.boundingBox();
  released.open();
  await page.getByRole("heading", { name: "Profile", level: 2 }).waitFor();
  await expect.poll(() => main.boundingBox()).toEqual(before);
  await page.context().close();
});

test("without a connection a part says so, and is there once it can be reached: the page is not given up", async () => {
  const { owner, channel } = await createServerWithMembers(stage.client, 0);
  let isLost = false;
  const page = await stage.visit(owner, {
    path: channelPath(channel),
    prepare: async (created) => {
      for (const address of [accountScript, /\/app\/$/]) {
        await created.route(address, (route) => (isLost ? route.abort("internetdisconnected") : route.continue()));
      }
    },
  });
  await composer(page).fill("Half a sen");
  isLost = true;
  await page.getByRole("button", { name: "Account settings" }).click();
  const note = page.getByRole("main").getByRole("alert");
  await note.getByText("The server cannot be reached. Check your connection and try again.").waitFor();
  const again = page.getByRole("button", { name: "Try again" });
  await again.focus();
  const refused = page.waitForEvent("requestfailed", (request) => request.url().endsWith("/app/"));
  await page.keyboard.press("Enter");
  await refused;
  await note.getByText("The server cannot be reached").waitFor();
  expect(await focused(page)).toBe("Try again");
  isLost = false;
  await again.click();
  await page.getByRole("heading", { name: "Profile", level: 2 }).waitFor();
  await page.keyboard.press("Escape");
  await waitForValue(composer(page), "Half a sen");
  await page.context().close();
});

test("a dialog whose script is missing for good is a dialog that says so", async () => {
  const { owner, channel } = await createServerWithMembers(stage.client, 0);
  const page = await stage.visit(owner, {
    path: channelPath(channel),
    prepare: async (created) => {
      const script = /\/assets\/search-dialog-[^/]*\.js$/;
      await created.route(script, (route) => route.fulfill({ status: 404, body: "Not found" }));
    },
  });
  const search = page.getByRole("button", { name: "Search" });
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  await search.click();
  await waitUntil(async () => loads === 1, { what: "another page" });
  await composer(page).waitFor();
  await search.click();
  const dialog = page.getByRole("dialog", { name: "Search" });
  await dialog.getByText(/This part could not be loaded/).waitFor();
  await page.keyboard.press("Escape");
  await waitForCount(dialog, 0);
  await waitUntil(
    async () => page.evaluate<boolean>("document.activeElement.getAttribute('aria-label') === 'Search'"),
    {
      what: "the focus where it was",
    },
  );
  await page.context().close();
});
