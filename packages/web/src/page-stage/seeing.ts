import { expect } from "vitest";
import type { Locator } from "vitest/browser";
import { expectPresenceBefore } from "./presence.js";

/** Waits until the one element of a locator can be seen. */
export async function shown(locator: Locator): Promise<void> {
  await expect.element(locator).toBeVisible();
}

/**
 * Waits until no element of a locator can be seen.
 *
 * @throws at once unless it was found on the page before, as by {@link shown} or an action, or the page has `settled()`:
 *   else it is true before the page has come so far
 */
export async function gone(locator: Locator): Promise<void> {
  expectPresenceBefore(locator);
  await expect.poll(() => locator.elements().filter(isSeen).length, { message: `${locator.selector} is gone` }).toBe(0);
}

/** Waits until a locator has so many elements; 0 as {@link gone}. */
export async function counted(locator: Locator, count: number): Promise<void> {
  if (count === 0) expectPresenceBefore(locator);
  await expect.poll(() => locator.elements().length, { message: `${count} × ${locator.selector}` }).toBe(count);
}

const isSeen = (element: Element): boolean => element.checkVisibility({ visibilityProperty: true });
