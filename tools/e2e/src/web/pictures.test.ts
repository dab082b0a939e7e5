import { type Page, waitUntil } from "@parley/testing";
import sharp from "sharp";
import { test } from "vitest";
import { registerAs, useWebStage, waitForCount, waitUntilGone } from "./web-stage.js";

const stage = useWebStage();

const photo = (background: string) =>
  sharp({ create: { width: 300, height: 200, channels: 3, background } })
    .png()
    .toBuffer();
const main = (page: Page) => page.getByRole("main");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const uploaded = (page: Page, size: number) => main(page).locator(`img[src^="/api/media/"][src$="?size=${size}"]`);

test("a picture is chosen, looked at, used, kept when something else is saved, and removed again", async () => {
  const user = await registerAs(stage.client, "pia");
  const page = await stage.visit(user, { path: "/account" });
  const file = main(page).getByLabel("Picture file");
  await file.setInputFiles({ name: "notes.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
  await button(page, "Use this picture").click();
  await main(page).getByRole("alert").filter({ hasText: "Pictures must be PNG" }).waitFor();

  await file.setInputFiles({ name: "pia.png", mimeType: "image/png", buffer: await photo("teal") });
  await main(page).locator('img[src^="blob:"]').waitFor();
  await button(page, "Use this picture").click();
  await main(page).getByText("The picture has been changed.").waitFor();
  // The one of the three sizes that the shown place needs: loaded, hence not the letters in its place.
  await uploaded(page, 128).waitFor();
  const width = "document.querySelector('main img[src^=\"/api/media/\"]').naturalWidth";
  await waitUntil(async () => (await page.evaluate<number>(width)) === 128);

  await page.getByRole("textbox", { name: "About me" }).fill("Plays the Dutch");
  await button(page, "Save").click();
  await main(page).getByText("Saved.").waitFor();
  await page.reload();
  await uploaded(page, 128).waitFor();

  const pictures = page.locator('img[src^="/api/media/"]');
  await pictures.first().waitFor();
  await button(page, "Remove the picture").click();
  await waitForCount(pictures, 0);
  await waitUntilGone(button(page, "Remove the picture"));
  await page.context().close();
});
