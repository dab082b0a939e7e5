import { expect, test } from "vitest";
import { useWebStage } from "./web-stage.js";

const stage = useWebStage();

test("a browser finds nothing that keeps it from installing the application", async () => {
  const page = await stage.visit(null, { hasWorker: true });
  const tools = await page.context().newCDPSession(page);
  const { url, errors } = await tools.send("Page.getAppManifest");
  expect([url, errors]).toEqual([`${stage.stack.edgeUrl}/app/manifest.webmanifest`, []]);
  // A window without a profile, as tests have one, installs nothing at all.
  const { installabilityErrors } = await tools.send("Page.getInstallabilityErrors");
  expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
});
