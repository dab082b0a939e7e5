import type { Page, UserClient } from "@parley/testing";
import jsQr from "jsqr";
import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { copyWith, registerAs, useWebStage } from "./web-stage.js";

const pixelsPerModule = 4;
// Both need another browser that logs in; the sections by themselves are in packages/web/src/screens/account.
const stage = useWebStage();

async function openAccount(name: string): Promise<{ user: UserClient; page: Page }> {
  const user = await registerAs(stage.client, name);
  return { user, page: await stage.visit(user, { path: "/account" }) };
}
const section = async (page: Page, title: string) => {
  await page.getByRole("navigation").getByRole("link", { name: title, exact: true }).click();
  await page.getByRole("heading", { name: title, level: 2 }).waitFor();
};
const copy = (page: Page) => copyWith(page.getByRole("main").getByRole("button", { name: "Copy" }));

async function logIn(page: Page, { username }: UserClient, password: string): Promise<void> {
  await page.getByRole("textbox", { name: "Username" }).fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
}
const loginForm = (page: Page) => page.getByRole("heading", { name: "Log in to Parley" });
const welcome = (page: Page) => page.getByRole("heading", { name: "Welcome to Parley" });

test("a new password ends the session of another browser, and works there", async () => {
  const { user, page } = await openAccount("hana");
  const other = await stage.visit(null);
  await logIn(other, user, user.password);
  await welcome(other).waitFor();
  await section(page, "Password");
  await page.getByLabel("Current password").fill("wrong password");
  await page.getByLabel("New password").fill("a longer password");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByLabel("Current password").fill(user.password);
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Your password has been changed.").waitFor();
  await loginForm(other).waitFor();
  await logIn(other, user, user.password);
  await other.getByRole("alert").waitFor();
  await logIn(other, user, "a longer password");
  await welcome(other).waitFor();
  await other.context().close();
  await page.context().close();
});

test("a second factor is set up with an authenticator, asked for at the login and turned off", async () => {
  const { user, page } = await openAccount("jan");
  await section(page, "Two-factor authentication");
  const password = page.getByLabel("Your password");
  await password.fill(user.password);
  const eye = page.getByRole("button", { name: "Show what I’m typing" });
  await eye.click();
  await page.locator("input[type=text]").and(password).waitFor();
  await eye.and(page.locator("[aria-pressed=true]")).click();
  await page.locator("input[type=password]").and(password).waitFor();
  await page.getByRole("button", { name: "Set up" }).click();
  const drawn = page.getByRole("img", { name: "QR code for your authenticator app" });
  const address = await page.getByRole("link", { name: "Open in an authenticator app" }).getAttribute("href");
  expect(await readQrCode(drawn)).toBe(address);
  const totp = new TOTP({ secret: Secret.fromBase32(await copy(page)) });
  await page.getByRole("textbox", { name: "Code" }).fill(totp.generate());
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByRole("button", { name: "I’ve saved them" }).waitFor();
  const recoveryCodes = (await copy(page)).split("\n");
  expect(recoveryCodes).toHaveLength(10);
  await page.getByRole("button", { name: "I’ve saved them" }).click();
  await page.getByText("On. 10 recovery codes left.").waitFor();

  const other = await stage.visit(null);
  await logIn(other, user, user.password);
  const code = other.getByRole("textbox", { name: "Code from your authenticator app, or a recovery code" });
  await code.fill("000000");
  await other.getByRole("button", { name: "Log in", exact: true }).click();
  await other.getByRole("alert").waitFor();
  await code.fill(recoveryCodes[0] ?? "");
  await other.getByRole("button", { name: "Log in", exact: true }).click();
  await welcome(other).waitFor();
  await other.context().close();

  await page.getByLabel("Your password").fill(user.password);
  await page.getByRole("textbox", { name: "Code or recovery code" }).fill(recoveryCodes[1] ?? "");
  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByText("Off.").waitFor();
  await page.context().close();
});

/** The text that a camera reads from a code that is drawn as a path of unit squares. */
async function readQrCode(drawn: ReturnType<Page["locator"]>): Promise<string | undefined> {
  const size = Number((await drawn.getAttribute("viewBox"))?.split(" ")[2]);
  const path = (await drawn.locator("path").getAttribute("d")) ?? "";
  const side = size * pixelsPerModule;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < pixelsPerModule; row += 1) {
      const start = ((Number(y) * pixelsPerModule + row) * side + Number(x) * pixelsPerModule) * 4;
      for (let pixel = start; pixel < start + pixelsPerModule * 4; pixel += 4) pixels.fill(0, pixel, pixel + 3);
    }
  }
  return jsQr.default(pixels, side, side)?.data;
}
