import { findFreePort, readApplication, startEdge } from "@parley/local-stack";
import { type Page, runContext, type UserClient } from "@parley/testing";
import { afterAll, beforeAll, test } from "vitest";
import { activateCodes } from "../api/stages/passkey-stage.js";
import { registerAs, useOwnWebStage, waitUntilGone } from "./web-stage.js";

// Browsers have passkeys for named hosts only.
const port = await findFreePort();
const origin = `http://localhost:${port}`;
// Its own: passkeys are for the named host of the test.
const stage = useOwnWebStage({ env: { PUBLIC_URL: origin } });
let closeEdge: () => Promise<unknown> = async () => undefined;
beforeAll(async () => {
  const edge = await startEdge({
    hosts: ["127.0.0.1"],
    port,
    apis: () => stage.stack.apis.map(({ url }) => url),
    gateways: () => stage.stack.gateways.map(({ url }) => url),
    application: await readApplication(runContext().root),
  });
  closeEdge = edge.close;
});
afterAll(() => closeEdge());

/** A page before which an authenticator is that verifies its owner at once. */
async function open(user: UserClient | null, path = "/"): Promise<Page> {
  return stage.visit(user, {
    path,
    origin,
    prepare: async (page) => {
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("WebAuthn.enable");
      await devtools.send("WebAuthn.addVirtualAuthenticator", {
        options: {
          protocol: "ctap2",
          transport: "internal",
          hasResidentKey: true,
          hasUserVerification: true,
          isUserVerified: true,
          automaticPresenceSimulation: true,
        },
      });
    },
  });
}

const rowOf = (page: Page, name: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: name });
const password = (page: Page) => page.getByLabel("Your password");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const welcome = (page: Page) => page.getByRole("heading", { name: "Welcome to Parley" });

async function addPasskey(page: Page, user: UserClient, name: string) {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await password(page).fill(user.password);
  await button(page, "Add a passkey").click();
  await rowOf(page, name).waitFor();
}
async function logOut(page: Page) {
  await page.goto(`${origin}/app/account/sessions`);
  await rowOf(page, "This device").getByRole("button", { name: "Log out" }).click();
  await page.getByRole("heading", { name: "Log in to Parley" }).waitFor();
  // Otherwise the next login would open the last place again.
  await page.goto(`${origin}/app/`);
}

test("a passkey is added and renamed, and logs in alone and in place of a code", async () => {
  const user = await registerAs(stage.client, "pia");
  const page = await open(user, "/account/passkeys");
  await addPasskey(page, user, "Laptop");
  await rowOf(page, "Laptop").getByRole("button", { name: "Rename" }).click();
  await page.getByLabel("Name", { exact: true }).fill("Old laptop");
  await button(page, "Save").click();
  await rowOf(page, "Old laptop").waitFor();
  await activateCodes(user);

  await logOut(page);
  await button(page, "Log in with a passkey").click();
  await welcome(page).waitFor();

  await logOut(page);
  await page.getByRole("textbox", { name: "Username" }).fill(user.username);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await button(page, "Log in").click();
  await button(page, "Use a passkey instead of a code").click();
  await welcome(page).waitFor();
  await page.goto(`${origin}/app/account/passkeys`);
  await rowOf(page, "Old laptop").getByText("Last used").waitFor();
});

test("a passkey that was removed is refused with a word, and the password still works", async () => {
  const user = await registerAs(stage.client, "quinn");
  const page = await open(user, "/account/passkeys");
  await addPasskey(page, user, "Phone");
  await rowOf(page, "Phone").getByRole("button", { name: "Remove" }).click();
  await password(page).fill("wrong password");
  await page.getByRole("main").locator("form").getByRole("button", { name: "Remove" }).click();
  await page.getByText("Wrong password.").waitFor();
  await password(page).fill(user.password);
  await page.getByRole("main").locator("form").getByRole("button", { name: "Remove" }).click();
  await waitUntilGone(rowOf(page, "Phone"));

  await logOut(page);
  await button(page, "Log in with a passkey").click();
  await page.getByRole("alert").filter({ hasText: "That passkey isn’t known here" }).waitFor();
  await page.getByRole("textbox", { name: "Username" }).fill(user.username);
  await page.getByLabel("Password", { exact: true }).fill(user.password);
  await button(page, "Log in").click();
  await welcome(page).waitFor();
});
