import { Bot, errorBody as error } from "@parley/contracts";
import { createClient, type RestClient, startStack, type TestStack } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { levelOf } from "../log-levels.js";
import { registerAdmin } from "../stages/admin-stage.js";
import { badEndpoint, makeDevice, subscribe, subscriptionsPath } from "../stages/push-subscription-stage.js";

// The shared stack has everything that settings turn on. The behaviour without these settings needs an installation of
// its own.

let stack: TestStack;
let client: RestClient;

beforeAll(async () => {
  // Its own: everything that the shared one has turned on is off.
  stack = await startStack({ apis: 1, gateways: 0, env: { WEBHOOK_ALLOW_PRIVATE: "false" } });
  client = createClient(stack.edgeUrl);
});
afterAll(() => stack?.stop());

test("without a key the search for GIFs is not configured, whatever is searched, and only for those who are logged in", async () => {
  const ann = await client.register();
  for (const query of ["?q=chess", "", "?q=&limit=x", "?q=a&q=b"]) {
    const answer = await ann.get(`/giphy/search${query}`);
    expect([answer.status, answer.body]).toEqual([503, error("GIF search is not configured")]);
  }
  const nobody = await client.get("/giphy/search?q=chess");
  expect([nobody.status, nobody.body]).toEqual([401, error("Invalid or expired token")]);
});

test("without a mail server whatever needs a mail answers 503", async () => {
  const ann = await client.register({ email: "ann@example.com" });
  for (const answer of [
    await client.post("/auth/request-password-reset", { email: "bob@example.com" }),
    await ann.post("/auth/request-email-verification"),
  ]) {
    expect([answer.status, answer.body]).toEqual([503, error("E-mail is not configured")]);
  }
});

test("without a mail server nobody has to confirm an address before the first login", async () => {
  const admin = await registerAdmin(client, stack.databaseUrl);
  const answer = await admin.patch("/admin/settings", { registration: { email: "required", approval: true } });
  expect([answer.status, answer.body]).toEqual([400, error("registration.email needs SMTP_URL")]);
  expect((await admin.get("/admin/settings")).body).not.toHaveProperty("registration");
});

test("the api logs no failure, for a search or a mail that is not configured", async () => {
  const ann = await client.register();
  const { headers } = await ann.get("/giphy/search?q=chess");
  expect(await levelOf(stack, headers)).toBe("info");
  const mail = await ann.post("/auth/request-password-reset", { email: "ann@example.com" });
  expect(mail.status).toBe(503);
  expect(await levelOf(stack, mail.headers)).toBe("info");
});

test("without a public address passkeys are off", async () => {
  const user = await client.register();
  const { username, password } = user;
  for (const answer of [
    await client.post("/auth/passkeys/authentication/options"),
    await client.post("/auth/passkeys/second-factor/options", { username, password }),
    await user.post("/auth/passkeys/registration/options", { password }),
  ]) {
    expect([answer.status, answer.body]).toEqual([503, error("Passkeys are not configured")]);
  }
  expect((await user.get("/auth/passkeys")).body).toEqual([]);
});

test("bots are asked by HTTPS alone, however the scheme is written", async () => {
  const ann = await client.register();
  const { bot } = (await ann.post("/bots", { name: "Chess" })).expect(201, z.object({ bot: Bot }));
  const set = (interactions_url: string) => ann.patch(`/bots/${bot.id}`, { interactions_url });
  const refusal = error("interactions_url must be an https:// URL of at most 2000 characters");
  for (const url of ["http://bot.example.com/", "HTTP://bot.example.com/", "HtTp://bot.example.com/"]) {
    expect((await set(url)).body).toEqual(refusal);
  }
  const encrypted = "HTTPS://bot.example.com/";
  const WithSecret = Bot.extend({ interactions_secret: z.string().regex(/^[0-9a-f]{64}$/) });
  expect((await set(encrypted)).expect(200, WithSecret.strict())).toMatchObject({ interactions_url: encrypted });
});

test("a device is reached by HTTPS alone", async () => {
  const user = await client.register();
  const body = { ...makeDevice(), endpoint: "http://127.0.0.1:9/1" };
  expect((await user.post(subscriptionsPath, body)).body).toEqual(error(badEndpoint));
  await subscribe(user);
});
