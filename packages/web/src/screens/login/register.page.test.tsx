import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { answer, refuse } from "../../page-stage/fake-server.js";
import { instance, user } from "../../page-stage/fixtures.js";
import { welcome } from "../../page-stage/login.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { tokenOf, visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test("who registers here hears friends and people of their servers", async () => {
  const me = user("newcomer");
  const there = world(me);
  const { server } = await visit(there, { path: "/register", isLoggedOut: true });
  server.on("POST /auth/register", () => ({ access_token: tokenOf(there), refresh_token: "refresh", user: me }));
  server.on<object>("PATCH /users/@me", ({ body }) => ({ ...me, ...body }));
  await page.getByLabelText("Username").fill("newcomer");
  await page.getByLabelText("Password").fill("correct horse");
  await page.getByRole("button", { name: "Create account" }).click();
  await shown(welcome());
  expect(server.requests("POST /auth/register").map(({ body }) => body)).toEqual([
    { username: "newcomer", password: "correct horse" },
  ]);
  expect(server.requests("PATCH /users/@me").map(({ body }) => body)).toEqual([{ dms_from: "servers" }]);
});

test("where the installation asks for work and approves registrations, the page works while one types, and says that one waits", async () => {
  const [salt, number] = ["salt", 7];
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${salt}${number}`));
  const challenge = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const usual = instance();
  const registration = { ...usual.registration, challenge: true, approval: true };
  const { server } = await visit(null, {
    path: "/register",
    prepare: (fake) => {
      fake.on("GET /instance", () => ({ ...usual, registration }));
      fake.on("GET /auth/challenge", () => ({ algorithm: "SHA-256", challenge, salt, signature: "x", maxnumber: 20 }));
      fake.on("POST /auth/register", () => answer(202, { pending: true, username: "newcomer" }));
    },
  });
  await page.getByLabelText("Why would you like to join?").fill("I play chess");
  await page.getByLabelText("Username").fill("newcomer");
  await page.getByLabelText("Password").fill("correct horse");
  await page.getByRole("button", { name: "Create account" }).click();
  await shown(page.getByText("Your registration is waiting for approval."));
  const sent = server.requests("POST /auth/register").map(({ body }) => body as { altcha: string });
  expect(sent).toEqual([
    { username: "newcomer", password: "correct horse", application: "I play chess", altcha: expect.any(String) },
  ]);
  expect(JSON.parse(atob(sent[0]?.altcha ?? ""))).toEqual({
    algorithm: "SHA-256",
    challenge,
    salt,
    signature: "x",
    number,
  });
  expect(server.requests("GET /auth/challenge")).toHaveLength(1);
});

test("somebody who has to confirm an address does so with the code of the mail, also at a later login", async () => {
  const usual = instance();
  const { server } = await visit(null, {
    path: "/register",
    prepare: (fake) => {
      fake.on("GET /instance", () => ({
        ...usual,
        registration: { ...usual.registration, email: "required" as const },
      }));
      fake.on("POST /auth/register", () => answer(202, { pending: true, username: "newcomer" }));
      fake.on("POST /auth/login", () => refuse(403, "Confirm your email address first"));
      fake.on("POST /auth/verify-email", () => ({ message: "Email verified" }));
    },
  });
  const code = page.getByLabelText("Code from the email");
  const confirm = async (token: string) => {
    await code.fill(token);
    await page.getByRole("button", { name: "Confirm address" }).click();
    await gone(code);
  };
  await page.getByLabelText("Username").fill("newcomer");
  await page.getByLabelText("Password").fill("correct horse");
  await page.getByLabelText("Email", { exact: true }).fill("new@example.com");
  await page.getByRole("button", { name: "Create account" }).click();
  await shown(code);
  await confirm("first");
  await page.getByLabelText("Username").fill("newcomer");
  await page.getByLabelText("Password").fill("correct horse");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await shown(code);
  await confirm("second");
  const sent = server.requests("POST /auth/verify-email").map(({ body }) => body);
  expect(sent).toEqual([{ token: "first" }, { token: "second" }]);
});
