import { type Browser, type Page, type SharedStack, sharedStack, startChromium } from "@parley/testing";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { barriers } from "./barriers.js";
import { pageTimeoutMs } from "./web-stage.js";

export const wide = { width: 1280, height: 800 };
export const telephone = { width: 390, height: 844 };

/** A browser of the file's own on the pages for developers. */
export function useDeveloperPages() {
  let stack: SharedStack;
  let browser: Browser;
  const failures: string[] = [];
  beforeAll(async () => {
    [stack, browser] = await Promise.all([sharedStack(), startChromium()]);
  });
  afterAll(() => browser?.close());
  afterEach(() => {
    expect(failures.splice(0)).toEqual([]);
  });
  return {
    get edgeUrl() {
      return stack.edgeUrl;
    },
    /** Opens a page that reports its uncaught errors, and the violations of its Content-Security-Policy. */
    async open(path: string, viewport: { width: number; height: number }): Promise<Page> {
      const context = await browser.newContext({ viewport });
      context.setDefaultTimeout(pageTimeoutMs);
      context.on("weberror", (error) => failures.push(String(error.error().stack)));
      context.on("console", (message) => {
        if (message.type() === "error" && /Content Security Policy|Refused to/.test(message.text())) {
          failures.push(message.text());
        }
      });
      const page = await context.newPage();
      await page.goto(`${stack.edgeUrl}${path}`);
      return page;
    },
  };
}

/** A page does not scroll sideways, and axe finds nothing serious on it. */
export async function expectReadable(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  const [needed, shown] = await page.evaluate<number[]>(
    "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
  );
  expect(needed).toBeLessThanOrEqual(shown ?? 0);
  // Swagger UI's own colours are not ours.
  expect(await barriers(page, "#description")).toEqual([]);
}

/** Finds an operation by words, opens it, and another one beside it. */
export async function findOperations(page: Page): Promise<void> {
  const entry = page.getByRole("link", { name: "Send a message", exact: true });
  await page.getByRole("searchbox").fill("send message");
  await entry.waitFor();
  const links = page.locator(".find li:visible");
  await expect.poll(() => links.count()).toBeLessThan(30);
  await page.getByRole("searchbox").fill("no such thing");
  await expect.poll(() => links.count()).toBe(0);
  await page.getByRole("searchbox").fill("webhooks");
  await page.getByRole("link", { name: "Webhooks of a server" }).waitFor();
  await page.getByRole("searchbox").fill("/messages send");
  await entry.click();
  await page.locator(".opblock", { hasText: "Send a message" }).locator(".opblock-body").waitFor();

  // Beside the operation that is open there is the whole list, which picks another one.
  await expect
    .poll(() => page.getByRole("navigation", { name: "Operations" }).locator("li").count())
    .toBeGreaterThan(140);
  await page.getByRole("searchbox").fill("create webhook");
  await page.getByRole("link", { name: "Create a webhook" }).click();
  await page.locator(".opblock", { hasText: "Create a webhook" }).locator(".opblock-body").waitFor();
}
