import { createServerWithMembers, type Page, waitUntil } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { channelPath, composer, useWebStage, waitForValue } from "./web-stage.js";

// Changes under an open page: of its own files, which only a built application on a server has.

const stage = useWebStage();

/** Marks the page as not loaded again. */
const mark = (page: Page) => page.evaluate("globalThis.isSamePage = true");
const isMarked = (page: Page) => page.evaluate<boolean>("globalThis.isSamePage === true");

describe("a deployment under an open page", () => {
  interface Visitor {
    page: Page;
    /** How often the page was loaded. */
    loads: () => number;
  }

  /**
   * The page of a user who has begun to write. The script of the pinned messages is gone for so many loads of the page.
   */
  async function openWithout(loadsWithout: number): Promise<Visitor> {
    const { owner, channel } = await createServerWithMembers(stage.client, 0);
    const page = await stage.visit(owner, { path: channelPath(channel) });
    let loads = 1;
    // Before its scripts ask for others.
    page.on("domcontentloaded", () => {
      loads += 1;
    });
    await composer(page).waitFor();
    await page.route(/\/assets\/pins-panel-[^/]*\.js$/, (route) =>
      loads > loadsWithout
        ? route.continue()
        : route.fulfill({ status: 404, contentType: "text/plain", body: "Not found" }),
    );
    await composer(page).fill("Half a sen");
    await mark(page);
    return { page, loads: () => loads };
  }
  const pins = (page: Page) => page.getByRole("button", { name: "Pinned messages" });

  test("the page loads itself again, with the draft and where it was, and goes on", async () => {
    const { page, loads } = await openWithout(1);
    const before = page.url();
    await pins(page).click();
    await waitUntil(async () => !(await isMarked(page)), { what: "another page" });
    await waitForValue(composer(page), "Half a sen");
    expect(page.url()).toBe(before);
    await pins(page).click();
    await page.getByText("Nothing is pinned yet").waitFor();
    expect(loads()).toBe(2);
    await page.context().close();
  });

  test("it does so once: what is missing for good is said in its place", async () => {
    const { page, loads } = await openWithout(Number.POSITIVE_INFINITY);
    await pins(page).click();
    await waitUntil(async () => !(await isMarked(page)), { what: "another page" });
    await composer(page).waitFor();
    await mark(page);
    await pins(page).click();
    await page
      .getByRole("alert")
      .getByText(/This part could not be loaded/)
      .waitFor();
    expect([await isMarked(page), loads()]).toEqual([true, 2]);
    await waitForValue(composer(page), "Half a sen");
    await page.context().close();
  });

  test("it waits for somebody who has chosen files, and asks", async () => {
    const { page } = await openWithout(1);
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page
        .getByRole("button", { name: "Poll, event, files" })
        .click()
        .then(() => page.getByRole("menuitem", { name: "Attach files" }).click()),
    ]);
    await chooser.setFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("notes") });
    await page.getByRole("button", { name: "Remove notes.txt" }).waitFor();
    await pins(page).click();
    const note = page.getByRole("alert");
    await note.getByText(/This part could not be loaded/).waitFor();
    expect(await isMarked(page)).toBe(true);
    await page.getByRole("button", { name: "Remove notes.txt" }).waitFor();
    await note.getByRole("button", { name: "Reload the page" }).click();
    await waitUntil(async () => !(await isMarked(page)), { what: "another page" });
    await waitForValue(composer(page), "Half a sen");
    await page.context().close();
  });
});
