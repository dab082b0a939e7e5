import { permissionBits } from "@parley/contracts";
import {
  assignRole,
  createChannel,
  createRole,
  createServerWithMembers,
  type Page,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { useWebStage, waitForCount } from "./web-stage.js";

// The order of channels and roles is changed by dragging, with whatever somebody points with. These stay on the stack: page
// tests hold no button of a mouse and no finger down. The keyboard is in channel-order.page.test.tsx.

const stage = useWebStage();

const list = (page: Page, name: string) => page.getByRole("main").getByRole("list", { name, exact: true });
const handle = (page: Page, name: string) => page.getByRole("button", { name: `Move ${name}`, exact: true });

/** Waits until the handles of the rows stand in this order. */
const waitForOrder = (page: Page, title: string, names: readonly string[]) =>
  waitUntil(
    async () => {
      const labels = await list(page, title)
        .getByRole("button", { name: /^Move / })
        .evaluateAll((buttons) => buttons.map((button) => String(button.getAttribute("aria-label"))));
      return labels.map((label) => label.slice("Move ".length)).join() === names.join();
    },
    { what: `the order ${names.join()}` },
  );

const Named = z.array(z.object({ name: z.string() }));

/** Waits until the server lists things in this order. */
const waitForStored = (user: UserClient, path: string, names: readonly string[]) =>
  waitUntil(
    async () => {
      const listed = (await user.get(path)).expect(200, Named);
      return listed.map(({ name }) => name).join() === names.join();
    },
    { what: `the order ${names.join()} at the server` },
  );

/** The middle of an element, in pixels of the window. */
async function middle(element: ReturnType<typeof handle>): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox();
  if (box === null) throw new Error(`${element} is not shown.`);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** A server with the channels of a club, and its owner. */
async function openClub() {
  const club = await createServerWithMembers(stage.client, 1);
  for (const [name, category] of [
    ["openings", "Play"],
    ["endgames", "Play"],
    ["bar", "Rooms"],
  ] as const) {
    await createChannel(club.owner, club.server.id, { name, category });
  }
  return club;
}

test("channels and categories are dragged with the mouse, and the list of channels follows", async () => {
  const { owner, server } = await openClub();
  const page = await stage.visit(owner, { path: `/servers/${server.id}/settings/channels` });
  await waitForOrder(page, "Channels", ["general", "Play", "openings", "endgames", "Rooms", "bar"]);
  const drag = async (name: string, over: string) => {
    const from = await middle(handle(page, name));
    const to = await middle(handle(page, over));
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(from.x, (from.y + to.y) / 2, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    // The mouse has passed other rows on its way.
    await page
      .locator("[data-drop]")
      .filter({ has: handle(page, over) })
      .waitFor();
    await page.mouse.up();
  };
  const requests: string[] = [];
  page.on("request", (request) => request.method() === "PATCH" && requests.push(request.url()));
  await drag("bar", "openings");
  await waitForOrder(page, "Channels", ["general", "Play", "bar", "openings", "endgames"]);
  // One change is sent after the other, at once.
  expect(requests).not.toEqual([]);
  await drag("bar", "Play");
  await waitForOrder(page, "Channels", ["general", "bar", "Play", "openings", "endgames"]);
  await page.keyboard.press("Escape");
  const links = page.getByRole("navigation", { name: "Channels" }).getByRole("link");
  await waitUntil(async () => (await links.allTextContents()).join() === "general,bar,openings,endgames", {
    what: "the order of the channels beside the messages",
  });
  await page.context().close();
});

test("roles are dragged with a finger, below one's own highest role", async () => {
  const { owner, members, server } = await createServerWithMembers(stage.client, 1);
  const [deputy] = members;
  const { MANAGE_ROLES } = permissionBits;
  for (const [name, position, permissions] of [
    ["Board", 9, 0],
    ["Deputy", 8, MANAGE_ROLES],
    ["Arbiter", 3, 0],
    ["Trainer", 2, 0],
    ["Player", 1, 0],
  ] as const) {
    const role = await createRole(owner, server.id, { name, position, permissions });
    if (name === "Deputy") await assignRole(owner, role, deputy);
  }
  const page = await stage.visit(deputy, {
    path: `/servers/${server.id}/settings/roles`,
    viewport: { width: 390, height: 800 },
    isTouch: true,
  });
  await waitForOrder(page, "Roles", ["Arbiter", "Trainer", "Player"]);
  await waitForCount(list(page, "Roles").getByRole("listitem"), 5);
  await handle(page, "Player").scrollIntoViewIfNeeded();
  const from = await middle(handle(page, "Player"));
  const to = await middle(handle(page, "Arbiter"));
  const touch = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", y: number | null) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints: y === null ? [] : [{ x: from.x, y }] });
  await send("touchStart", from.y);
  for (const part of [0.3, 0.7, 1]) await send("touchMove", from.y + (to.y - from.y) * part);
  await page.locator("[data-drop=before]").filter({ hasText: "Arbiter" }).waitFor();
  await send("touchEnd", null);
  await waitForOrder(page, "Roles", ["Player", "Arbiter", "Trainer"]);
  await waitForStored(owner, `/servers/${server.id}/roles`, ["Board", "Deputy", "Player", "Arbiter", "Trainer"]);
  await page.context().close();
});
