import type { Page } from "@parley/testing";

type Row = ReturnType<Page["getByRole"]>;

/** The button of the menu at the end of a row. */
export const menuOf = (row: Row) => row.getByRole("button", { name: /^More options for / });

/** Chooses an action in the menu at the end of a row. */
export async function chooseInRow(row: Row, action: string): Promise<void> {
  await menuOf(row).click();
  await row.page().getByRole("menuitem", { name: action, exact: true }).click();
}
