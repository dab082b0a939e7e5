import { expect } from "vitest";
import { type Locator, userEvent } from "vitest/browser";
import { shown } from "./seeing.js";

/** Presses keys at an element, which gets the focus first; such as `{Enter}`. */
export async function pressAt(locator: Locator, keys: string): Promise<void> {
  await shown(locator);
  locator.element().focus();
  await userEvent.keyboard(keys);
}

/** Waits until the one element of a locator has the focus. */
export async function focused(locator: Locator): Promise<void> {
  await expect.element(locator).toHaveFocus();
}
