import { test } from "vitest";
import { expectReadable, findOperations, telephone, useDeveloperPages, wide } from "./developer-stage.js";

const pages = useDeveloperPages();

test("a page for developers does not scroll sideways on a telephone, and axe finds nothing serious", async () => {
  const page = await pages.open("/docs", telephone);
  await expectReadable(page);
  await page.context().close();
});

test("any of the words of an operation finds it and opens it", async () => {
  const page = await pages.open("/docs", wide);
  await findOperations(page);
  await page.context().close();
});

test("the command that installs the client names the server that the page is from", async () => {
  const page = await pages.open("/api/docs", wide);
  await page.getByText(`npm install ${pages.edgeUrl}/docs/parley-client.tgz`).waitFor();
  await page.context().close();
});
