import { createClient, type Page, type UserClient } from "@parley/testing";
import jsQr from "jsqr";
import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { registerAdmin } from "../api/admin-stage.js";
import { chooseInRow } from "./row-menu.js";
import { copyWith, registerAs, useOwnWebStage, waitForValue, waitUntilGone } from "./web-stage.js";

const pixelsPerModule = 4;
const stage = useOwnWebStage();

async function openAccount(name: string): Promise<{ user: UserClient; page: Page }> {
  const user = await registerAs(stage.client, name);
  return { user, page: await stage.visit(user, { path: "/account" }) };
}
const section = async (page: Page, title: string) => {
  await page.getByRole("navigation").getByRole("link", { name: title, exact: true }).click();
  await page.getByRole("heading", { name: title, level: 2 }).waitFor();
};
const rowOf = (page: Page, text: string | RegExp) =>
  page.getByRole("main").getByRole("listitem").filter({ hasText: text });
const copy = (page: Page) => copyWith(page.getByRole("main").getByRole("button", { name: "Copy" }));

async function logIn(page: Page, { username }: UserClient, password: string): Promise<void> {
  await page.getByRole("textbox", { name: "Username" }).fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
}
const loginForm = (page: Page) => page.getByRole("heading", { name: "Log in to Parley" });
const reason = (page: Page) => page.getByRole("status").filter({ hasText: "You’ve been logged out" });
const welcome = (page: Page) => page.getByRole("heading", { name: "Welcome to Parley" });

test("the profile is kept", async () => {
  const { page } = await openAccount("greta");
  await page.getByRole("textbox", { name: "Pronouns" }).fill("she/her");
  await page.getByRole("textbox", { name: "About me" }).fill("Plays the Dutch");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  await page.reload();
  await waitForValue(page.getByRole("textbox", { name: "About me" }), "Plays the Dutch");
  await waitForValue(page.getByRole("textbox", { name: "Pronouns" }), "she/her");
  await page.context().close();
});

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

test("a session in the list is ended, and its browser asks for a login", async () => {
  const { user, page } = await openAccount("ines");
  const other = await stage.visit(null);
  await logIn(other, user, user.password);
  await welcome(other).waitFor();
  await section(page, "Sessions");
  await rowOf(page, "Mozilla").getByRole("button", { name: "End" }).click();
  await waitUntilGone(rowOf(page, "Mozilla"));
  await loginForm(other).waitFor();
  await reason(other).getByText("Your session was ended on another device").waitFor();
  // Until the next login, through a reload.
  await other.reload();
  await reason(other).getByText("Your session was ended on another device").waitFor();
  await rowOf(page, "This device").getByRole("button", { name: "Log out" }).click();
  await loginForm(page).waitFor();
  expect(await reason(page).count()).toBe(0);
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
  await other.getByRole("button", { name: "Log in" }).click();
  await other.getByRole("alert").waitFor();
  await code.fill(recoveryCodes[0] ?? "");
  await other.getByRole("button", { name: "Log in" }).click();
  await welcome(other).waitFor();
  await other.context().close();

  await page.getByLabel("Your password").fill(user.password);
  await page.getByRole("textbox", { name: "Code or recovery code" }).fill(recoveryCodes[1] ?? "");
  await page.getByRole("button", { name: "Turn off" }).click();
  await page.getByText("Off.").waitFor();
  await page.context().close();
});

/** What a camera reads from a code that is drawn as a path of unit squares. */
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

test("a bot is made with a token that works until the bot is revoked", async () => {
  const { user, page } = await openAccount("karl");
  await section(page, "Bots");
  await page.getByRole("textbox", { name: "Name" }).fill("Referee");
  await page.getByRole("button", { name: "Create a bot" }).click();
  await page.getByText("Copy it now: you won’t see it again. Anyone who has it can act as the bot.").waitFor();
  const bot = createClient(user.baseUrl, { prefix: "/api", authorization: `Bot ${await copy(page)}` });
  expect((await bot.get("/users/@me")).status).toBe(200);
  await chooseInRow(rowOf(page, "Referee"), "Revoke");
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
  await rowOf(page, "Referee").getByText("Revoked").waitFor();
  expect((await bot.get("/users/@me")).status).toBe(401);
  await page.context().close();
});

test("an administrator sees figures, finds and disables an account, and closes the registration", async () => {
  const admin = await registerAdmin(stage.client, stage.stack.databaseUrl);
  const lena = await registerAs(stage.client, "lena");
  const lenasPage = await stage.visit(lena);
  await welcome(lenasPage).waitFor();
  const page = await stage.visit(admin);
  await page.getByRole("button", { name: new RegExp(`^${admin.username}\\b.*Online$`) }).click();
  await page.getByRole("menuitem", { name: "Administration" }).click();
  await section(page, "Statistics");
  await page.getByText("Open connections").waitFor();
  await section(page, "Users");
  await page.getByRole("searchbox", { name: "Search by name" }).fill(lena.username);
  await page.getByText("1 user", { exact: true }).waitFor();
  await chooseInRow(rowOf(page, lena.username), "Disable");
  await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
  await rowOf(page, lena.username).getByText("Disabled").waitFor();
  await loginForm(lenasPage).waitFor();
  await reason(lenasPage).getByText("this account was disabled").waitFor();
  await logIn(lenasPage, lena, lena.password);
  await lenasPage.getByRole("alert").waitFor();
  await section(page, "Registration");
  await page.getByRole("combobox", { name: "Who can register" }).selectOption("Nobody");
  await page.getByText("Saved.").waitFor();
  await lenasPage.getByRole("button", { name: "Create an account" }).click();
  await lenasPage.getByText("New accounts are closed here at the moment.").waitFor();
  await section(page, "Log");
  await rowOf(page, "settings").first().waitFor();
  await lenasPage.context().close();
  await page.context().close();
});
