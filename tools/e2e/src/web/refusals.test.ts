import { createServerWithMembers } from "@parley/testing";
import { test } from "vitest";
import { channelPath, composer, useWebStage, waitForValue } from "./web-stage.js";

const stage = useWebStage();

// The browser itself loads the page again: a page test would end by that.
test("a page whose drawing fails while somebody writes can be loaded again, and has their draft", async () => {
  const { owner, channel } = await createServerWithMembers(stage.client, 1);
  const page = await stage.visit(owner, { path: channelPath(channel) });
  await composer(page).pressSequentially("Thanks @");
  await page.getByRole("listbox", { name: "Suggestions" }).getByRole("option").first().waitFor();
  await page.evaluate("Element.prototype.scrollIntoView = () => { throw new Error('It cannot be drawn.'); }");
  await page.keyboard.press("ArrowDown");
  await page.getByRole("heading", { name: "This page can’t be shown" }).waitFor();
  await page.getByRole("button", { name: "Reload the page" }).click();
  await waitForValue(composer(page), "Thanks @");
});
