import { expect } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { gone, shown } from "./seeing.js";

/** The open menu. */
export const menu = () => page.getByRole("menu");

/** An entry of the open menu. */
export const entry = (name: string) => menu().getByRole("menuitem", { name, exact: true });

/** Opens the context menu of an element, and waits until its entries are these; then it is closed again. */
export async function expectEntries(element: Locator, entries: readonly string[]): Promise<void> {
  await element.click({ button: "right" });
  await shown(menu());
  const texts = () =>
    menu()
      .getByRole("menuitem")
      .elements()
      .map(({ textContent }) => textContent);
  await expect.poll(texts).toEqual(entries);
  await userEvent.keyboard("{Escape}");
  await gone(menu());
}
