import { expect } from "vitest";
import { cdp, type Locator } from "vitest/browser";
import { inWindow, type Point, stillMiddleOf } from "./finger.js";

const send = (type: "mousePressed" | "mouseMoved" | "mouseReleased", at: Point) =>
  cdp().send("Input.dispatchMouseEvent", {
    ...{ type, ...inWindow(at), clickCount: 1 },
    ...{ button: "left" as const, buttons: type === "mouseReleased" ? 0 : 1 },
  });

/** Takes an element with the mouse, moves it over another one, and drops it once that is where it would fall. */
export async function drag(from: Locator, over: Locator, target: Locator): Promise<void> {
  const start = await stillMiddleOf(from);
  const end = await stillMiddleOf(over);
  await send("mousePressed", start);
  // Over other rows on its way.
  for (const part of [0.25, 0.5, 0.75, 1])
    await send("mouseMoved", { ...start, y: start.y + (end.y - start.y) * part });
  await send("mouseMoved", end);
  await expect.poll(() => target.elements().length, { message: `${target.selector} is where it would fall` }).toBe(1);
  await send("mouseReleased", end);
}
