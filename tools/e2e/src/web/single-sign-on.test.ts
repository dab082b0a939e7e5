import { type AddressInfo, connect, createServer } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientId, clientSecret, startProvider, type TestProvider } from "../api/stages/oidc-provider-stage.js";
import { useOwnWebStage } from "./web-stage.js";

const env: Record<string, string> = {};
let provider: TestProvider;
let publicUrl: string;

// The address of the application is to be known before it starts.
const front = createServer((client) => {
  const edge = connect(Number(new URL(stage.stack.edgeUrl).port), "127.0.0.1");
  client.pipe(edge).pipe(client);
  for (const socket of [client, edge]) socket.on("error", () => socket.destroy());
});
beforeAll(async () => {
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  const { port } = front.address() as AddressInfo;
  publicUrl = `http://127.0.0.1:${port}`;
  provider = await startProvider({ publicUrl, logoutTo: () => stage.stack.edgeUrl });
  Object.assign(env, {
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret,
    OIDC_NAME: "Chess Federation",
    OIDC_ENFORCED: "true",
  });
});
// Its own: its provider is that of the test, and there are no passwords.
const stage = useOwnWebStage({ env });
afterAll(async () => {
  front.close();
  await provider?.close();
});

test("somebody signs in at the provider's page and comes to where they wanted to go", async () => {
  provider.people.set("judit", { preferred_username: "judit" });
  const page = await stage.visit(null, { origin: publicUrl, path: "/login?to=%2Ffriends" });
  const button = page.getByRole("button", { name: "Continue with Chess Federation" });
  await button.click();
  await page.getByLabel("Subject").fill("judit");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(`${publicUrl}/app/friends`);
  await page.getByRole("heading", { name: "Friends" }).first().waitFor();
  const stored = () => page.evaluate<string | null>("localStorage.getItem('parley.tokens')");
  await expect.poll(stored).toContain("accessToken");
});

/** The hash of “correct horse”, as the api stores it. */
const hashOfPassword =
  "$argon2id$v=19$m=19456,t=2,p=1$yVcMzTWCfSnMVMB3gWdCOA$YbfIdUYo2U1xZqeCHJDjNdPkNvNwxsQd+dwMqh7RSzo";

test("somebody connects their account in the settings", async () => {
  provider.people.set("susan", { preferred_username: "susan" });
  const page = await stage.visit(null, { origin: publicUrl, path: "/login?to=%2Faccount%2Fpassword" });
  await page.getByRole("button", { name: "Continue with Chess Federation" }).click();
  await page.getByLabel("Subject").fill("susan");
  await page.getByRole("button", { name: "Continue" }).click();
  const connected = page.getByText("Your account is connected with Chess Federation");
  await connected.waitFor();
  // Passwords are not used here: so that there is an account that is not connected.
  const database = new pg.Client({ connectionString: stage.stack.databaseUrl });
  await database.connect();
  await database.query("UPDATE users SET password_hash = $1 WHERE username = 'susan'", [hashOfPassword]);
  await database.query("DELETE FROM oidc_identities WHERE subject = 'susan'");
  await database.end();
  await page.reload();
  await page.getByLabel("Your password").fill("correct horse");
  await page.getByRole("button", { name: "Connect with Chess Federation" }).click();
  await connected.waitFor();
  await expect.poll(() => page.url()).toBe(`${publicUrl}/app/account/password`);
});

test("where passwords are not used there is no field for one, and a refused person learns that", async () => {
  const page = await stage.visit(null, { origin: publicUrl, path: "/register" });
  const button = page.getByRole("button", { name: "Continue with Chess Federation" });
  await button.waitFor();
  await expect.poll(() => page.getByLabel("Password").count()).toBe(0);
  await expect.poll(() => page.url()).toBe(`${publicUrl}/app/login`);
  await button.click();
  await page.getByLabel("Subject").waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("alert").filter({ hasText: "refused or cancelled" }).waitFor();
  await expect.poll(() => page.url()).toBe(`${publicUrl}/app/login`);
});
