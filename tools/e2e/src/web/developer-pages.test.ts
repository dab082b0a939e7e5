import { type Browser, type Page, type SharedStack, sharedStack, startChromium } from "@parley/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { barriers } from "./barriers.js";

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

/** Opens a page that reports what it throws, and what its Content-Security-Policy forbids. */
async function open(path: string, viewport: { width: number; height: number }): Promise<Page> {
  const context = await browser.newContext({ viewport });
  context.on("weberror", (error) => failures.push(String(error.error().stack)));
  context.on("console", (message) => {
    if (message.type() === "error" && /Content Security Policy|Refused to/.test(message.text())) {
      failures.push(message.text());
    }
  });
  const page = await context.newPage();
  await page.goto(`${stack.edgeUrl}${path}`);
  return page;
}

const wide = { width: 1280, height: 800 };
const telephone = { width: 390, height: 844 };

test.each(["/docs", "/docs/bots", "/docs/client", "/docs/rest", "/docs/gateway", "/docs/interface"])(
  "%s does not scroll sideways on a telephone, and axe finds nothing serious",
  async (path) => {
    const page = await open(path, telephone);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    if (path === "/docs/rest") {
      await page.getByRole("link", { name: "Send a message", exact: true }).click();
      await page.locator(".opblock-body").waitFor();
    }
    const [needed, shown] = await page.evaluate<number[]>(
      "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
    );
    expect(needed).toBeLessThanOrEqual(shown ?? 0);
    // Swagger UI's own colours are not ours.
    expect(await barriers(page, "#description")).toEqual([]);
    await page.context().close();
  },
);

test.each([wide, telephone])(
  "any of the words of an operation finds it and opens it, on a screen of $width",
  async (size) => {
    const page = await open("/docs", size);
    const entry = page.getByRole("link", { name: "Send a message", exact: true });
    await page.getByRole("searchbox").fill("send message");
    await entry.waitFor();
    const links = page.locator(".find li:visible");
    await expect.poll(() => links.count()).toBeLessThan(30);
    await page.getByRole("searchbox").fill("no such thing");
    await expect.poll(() => links.count()).toBe(0);
    await page.getByRole("searchbox").fill("webhooks");
    await page.getByRole("link", { name: "13. Webhooks" }).waitFor();
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
    await page.context().close();
  },
);

test("the command that installs the client names the server that the page is from", async () => {
  const page = await open("/api/docs", wide);
  await page.getByText(`npm install ${stack.edgeUrl}/docs/parley-client.tgz`).waitFor();
  await page.context().close();
});
