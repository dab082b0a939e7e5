import { expect } from "vitest";
import { cdp, commands, type Locator } from "vitest/browser";
import { shown } from "./seeing.js";

/** In CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where a place of the page of a test is in the window: the page is a frame there, made smaller where it would not fit. */
export function inWindow({ x, y }: Point): Point {
  const { left = 0, top = 0, width = innerWidth } = frameElement?.getBoundingClientRect() ?? {};
  const scale = width / innerWidth;
  return { x: left + x * scale, y: top + y * scale };
}

const touch = (type: "touchStart" | "touchMove" | "touchEnd", points: readonly Point[]) =>
  cdp().send("Input.dispatchTouchEvent", { type, touchPoints: points.map(inWindow) });

/** One finger on the screen, at places of the page in CSS pixels. */
export const finger = {
  down: async (x: number, y: number): Promise<void> => void (await touch("touchStart", [{ x, y }])),
  move: async (x: number, y: number): Promise<void> => void (await touch("touchMove", [{ x, y }])),
  up: async (): Promise<void> => void (await touch("touchEnd", [])),
};

/** The middle of an element. */
function middleOf(locator: Locator): Point {
  const { left, top, width, height } = locator.element().getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

/** Waits until an element stands still, and resolves with its middle. */
export async function stillMiddleOf(locator: Locator): Promise<Point> {
  await shown(locator);
  const at = () => JSON.stringify(middleOf(locator));
  let before = "";
  await expect
    .poll(async () => {
      before = at();
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
      return at() === before;
    })
    .toBe(true);
  return middleOf(locator);
}

/** Touches an element for a moment. */
export async function tap(locator: Locator): Promise<void> {
  const { x, y } = inWindow(await stillMiddleOf(locator));
  // One command: on a busy machine the time between two may be that of a finger that rests.
  await commands.tap(x, y);
}
