import { expect } from "vitest";
import { type Locator, page, userEvent } from "vitest/browser";
import { gone, shown } from "./seeing.js";

/** Where a message is written. */
export const composer = () => page.getByRole("textbox", { name: /^Message / });

/** Writes a message and sends it. */
export async function write(text: string): Promise<void> {
  await composer().fill(text);
  await composer().click();
  await userEvent.keyboard("{Enter}");
}

/** The message with a text. */
export const messageWith = (text: string | RegExp) =>
  page.getByRole("region", { name: "Messages" }).getByRole("article").filter({ hasText: text });

/**
 * The message with a text once the server has it: a message that is still being sent has no actions, and ends with its
 * page.
 */
export async function sentMessage(text: string | RegExp): Promise<Locator> {
  await shown(messageWith(text).filter({ hasNotText: "Sending" }));
  return messageWith(text);
}

/** Presses one of the actions that appear while the pointer is over a message. */
export async function act(text: string, action: string): Promise<void> {
  const message = await sentMessage(text);
  const button = message.getByRole("toolbar").getByRole("button", { name: action, exact: true });
  // A message that arrives meanwhile moves the other away from under the pointer, or draws it anew there: a pointer
  // that stays in its place enters nothing.
  await expect
    .poll(async () => {
      await userEvent.unhover(message);
      await message.hover();
      return button.elements().length;
    })
    .toBe(1);
  await button.click();
}

/** Picks an entry of a message's menu. */
export async function actInMenu(text: string, entry: string): Promise<void> {
  await act(text, "More");
  await page.getByRole("menuitem", { name: entry, exact: true }).click();
}

/** The button of the menu at the end of a row. */
export const menuOf = (row: Locator) => row.getByRole("button", { name: /^More options for / });

/** Chooses an action in the menu at the end of a row. */
export async function chooseInRow(row: Locator, action: string): Promise<void> {
  await menuOf(row).click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
}

/** Presses the button of the only dialog, which closes by it. */
export async function confirmWith(name: string): Promise<void> {
  await shown(page.getByRole("dialog"));
  await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  await gone(page.getByRole("dialog"));
}

/** Presses a button that copies something, and resolves with the copied text. */
export async function copyWith(button: Locator): Promise<string> {
  await navigator.clipboard.writeText("");
  await button.click();
  await expect.poll(() => navigator.clipboard.readText()).not.toBe("");
  return navigator.clipboard.readText();
}
