import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer } from "../../page-stage/conversation.js";
import { channel, channelPath, community, user } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test("a long name leaves a dialog within the window of a telephone", async () => {
  const noa = user("noa");
  const club = community([noa], { name: "Long ".repeat(20).trim() });
  const width = 390;
  await visit(world(noa, [club]), { path: channelPath(club.channels[0]), viewport: { width, height: 780 } });
  await shown(composer());
  await userEvent.keyboard("{Control>}k{/Control}");
  const dialog = page.getByRole("dialog", { name: "Go to" });
  await shown(dialog.getByRole("option", { name: club.server.name, exact: true }));
  const { left, right } = dialog.element().getBoundingClientRect();
  expect(left).toBeGreaterThanOrEqual(0);
  expect(right).toBeLessThanOrEqual(width);
  expect(right).toBeGreaterThan(left);
});

test("the marked entry of the switcher is always in sight, and Enter opens it", async () => {
  const noa = user("noa");
  const club = community([noa]);
  const rooms = Array.from({ length: 14 }, (_, index) =>
    channel(club.server, `room-${index}`, { position: index + 1 }),
  );
  club.channels.push(...rooms);
  await visit(world(noa, [club]), { path: channelPath(club.channels[0]), viewport: { width: 1280, height: 420 } });
  await shown(composer());
  await userEvent.keyboard("{Control>}k{/Control}");
  const dialog = page.getByRole("dialog", { name: "Go to" });
  const field = dialog.getByRole("combobox");
  await field.fill("room-");
  await expect.element(field).toHaveAttribute("aria-expanded", "true");
  await expect.poll(() => dialog.getByRole("option").elements().length).toBe(12);
  await userEvent.keyboard("{ArrowUp}");
  const last = dialog.getByRole("option").last();
  await expect.element(last).toHaveAttribute("aria-selected", "true");
  const list = dialog.getByRole("listbox").element();
  expect(list.scrollHeight).toBeGreaterThan(list.clientHeight);
  const bottom = (of: Element) => Math.floor(of.getBoundingClientRect().bottom);
  await expect.poll(() => bottom(last.element())).toBeLessThanOrEqual(bottom(list));
  const chosen = last.element().querySelector("bdi")?.textContent;
  await userEvent.keyboard("{Enter}");
  await shown(page.getByRole("textbox", { name: new RegExp(`^Message .*${chosen}`) }));
});
