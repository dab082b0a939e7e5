import { test } from "vitest";
import { expectReadable, findOperations, telephone, useDeveloperPages } from "./developer-stage.js";

const pages = useDeveloperPages();

test.each(["/docs/bots", "/docs/client", "/docs/rest", "/docs/gateway", "/docs/interface", "/docs/protocol/messages"])(
  "%s does not scroll sideways on a telephone, and axe finds nothing serious",
  async (path) => {
    const page = await pages.open(path, telephone);
    if (path === "/docs/rest") {
      await page.getByRole("link", { name: "Send a message", exact: true }).click();
      await page.locator(".opblock-body").waitFor();
    }
    await expectReadable(page);
    await page.context().close();
  },
);

test("any of the words of an operation finds it and opens it on a telephone", async () => {
  const page = await pages.open("/docs", telephone);
  await findOperations(page);
  await page.context().close();
});
