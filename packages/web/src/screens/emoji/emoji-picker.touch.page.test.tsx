import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { channelPath, community, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { telephone, visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

/** Smallest size of a target for a finger, in CSS pixels. */
const fingerMin = 40;

test("on a telephone the emoji are a sheet from edge to edge, with room for a finger", async () => {
  const ada = user("ada");
  const club = community([ada]);
  await visit(world(ada, [club]), { path: channelPath(club.channels[0]) });
  const field = page.getByCss("textarea[data-composer]");
  await shown(field);
  await page.getByRole("button", { name: "Emoji", exact: true }).click();
  const sheet = page.getByRole("dialog", { name: "Emoji" });
  await shown(sheet);
  const edges = () => {
    const { left, width, bottom } = sheet.element().getBoundingClientRect();
    return { left, width, bottom: Math.round(bottom) };
  };
  await expect.poll(edges).toEqual({ left: 0, width: telephone.width, bottom: telephone.height });
  await sheet.getByRole("button", { name: "Food and drink" }).click();
  const melon = sheet.getByRole("button", { name: "watermelon" });
  await shown(melon);
  for (const target of [melon, sheet.getByRole("button", { name: "Flags" })]) {
    const { width, height } = target.element().getBoundingClientRect();
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(fingerMin);
  }
  await melon.click();
  await gone(sheet);
  await expect.element(field).toHaveValue("🍉");
});
