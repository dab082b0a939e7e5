import { type Page, postMessage, waitUntil } from "@parley/testing";
import { test } from "vitest";
import { openConversation, useWebStage, waitForCount, waitUntilGone } from "./web-stage.js";

// A swipe across the page ends the frame in which page tests run: this one has a page of its own.

const stage = useWebStage();

interface Finger {
  down: (x: number, y: number) => Promise<void>;
  move: (x: number, y: number) => Promise<void>;
  up: () => Promise<void>;
}

/** One finger on the screen. */
async function fingerOn(page: Page): Promise<Finger> {
  const session = await page.context().newCDPSession(page);
  const send = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: { x: number; y: number }[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  return {
    down: async (x, y) => void (await send("touchStart", [{ x, y }])),
    move: async (x, y) => void (await send("touchMove", [{ x, y }])),
    up: async () => void (await send("touchEnd", [])),
  };
}

test("the drawer follows the finger, opens and closes by it, and leaves what scrolls sideways alone", async () => {
  const {
    ada,
    channel,
    adasPage: page,
  } = await openConversation(stage, {
    viewport: { width: 390, height: 800 },
    isTouch: true,
  });
  await postMessage(ada, channel.id, `\`\`\`\n${"wide ".repeat(60)}\n\`\`\``);
  const code = page.locator("pre").first();
  await code.waitFor();
  const drawer = page.getByRole("dialog", { name: "Servers and channels" });
  /** How far the drawer is in the window, in pixels from the side it comes from. */
  const place = async () => (await drawer.boundingBox())?.x;
  const finger = await fingerOn(page);
  await finger.down(60, 300);
  for (const x of [80, 120, 180]) await finger.move(x, 300);
  await drawer.waitFor();
  await waitUntil(async () => (await place()) === 120 - 320, { what: "the drawer under the finger" });
  for (const x of [240, 330]) await finger.move(x, 300);
  await finger.up();
  await waitUntil(async () => (await place()) === 0, { what: "the drawer at rest" });
  await page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: channel.name }).waitFor();
  await finger.down(280, 300);
  for (const x of [260, 180, 60]) await finger.move(x, 300);
  await finger.up();
  await waitUntilGone(drawer);
  const box = await code.boundingBox();
  if (box === null) throw new Error("The code is not shown.");
  await finger.down(box.x + 20, box.y + 10);
  for (const x of [60, 120, 240]) await finger.move(box.x + x, box.y + 10);
  await finger.up();
  await waitForCount(drawer, 0);
  await page.context().close();
});
