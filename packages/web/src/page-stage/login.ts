import { page } from "vitest/browser";

/** The form of the login. */
export const loginForm = () => page.getByRole("heading", { name: "Log in to Parley" });

/** Why the last session has ended. */
export const endReason = () => page.getByRole("status").filter({ hasText: "You’ve been logged out" });

/** The first screen of an account without servers. */
export const welcome = () => page.getByRole("heading", { name: "Welcome to Parley" });

/** Fills the form of the login, and sends it. */
export async function logIn(username: string, password: string): Promise<void> {
  await page.getByRole("textbox", { name: "Username" }).fill(username);
  await page.getByLabelText("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}
