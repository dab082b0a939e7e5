import type { User } from "@parley/client";
import { errorTexts } from "@parley/contracts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { refuse } from "../../page-stage/fake-server.js";
import { user } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test("the profile is kept", async () => {
  const there = world(user("greta"));
  const { server, socket, reload } = await visit(there, { path: "/account" });
  server.on<Partial<User>>("PATCH /users/@me", ({ body: { pronouns = null, bio = null, display_name } }) => {
    there.me = { ...there.me, pronouns, bio, ...(display_name == null ? {} : { display_name }) };
    socket.event("USER_UPDATE", there.me);
    return there.me;
  });
  await page.getByRole("textbox", { name: "Display name" }).fill("Greta the Great");
  await page.getByRole("textbox", { name: "Pronouns" }).fill("she/her");
  await page.getByRole("textbox", { name: "About me" }).fill("Plays the Dutch");
  await page.getByRole("button", { name: "Save" }).click();
  await shown(page.getByText("Saved."));
  await reload();
  await expect.element(page.getByRole("textbox", { name: "About me" })).toHaveValue("Plays the Dutch");
  await expect.element(page.getByRole("textbox", { name: "Display name" })).toHaveValue("Greta the Great");
  await expect.element(page.getByRole("textbox", { name: "Pronouns" })).toHaveValue("she/her");
});

test("the username is changed with the password", async () => {
  const there = world(user("greta"));
  const { server, socket } = await visit(there, { path: "/account" });
  server.on<{ username: string; password: string }>("PATCH /users/@me", ({ body: { username, password } }) => {
    if (password !== "correct horse") return refuse(400, errorTexts.wrong_password);
    there.me = { ...there.me, username };
    socket.event("USER_UPDATE", there.me);
    return there.me;
  });
  await page.getByRole("button", { name: "Change username" }).click();
  const dialog = page.getByRole("dialog", { name: "Change username" });
  await dialog.getByRole("textbox", { name: "Username" }).fill("greta_two");
  await dialog.getByLabelText("Password", { exact: true }).fill("wrong");
  await dialog.getByRole("button", { name: "Save" }).click();
  await shown(dialog.getByRole("alert"));
  await dialog.getByLabelText("Password", { exact: true }).fill("correct horse");
  await dialog.getByRole("button", { name: "Save" }).click();
  await shown(page.getByText("greta_two", { exact: true }));
});

test("another address counts once its mail was opened, and the page says so", async () => {
  const there = world(user("greta", { email: "greta@example.org" }));
  const { server } = await visit(there, { path: "/account/email" });
  server.on("PUT /users/@me/email", () => there.me);
  server.on("GET /auth/email", () => ({ email: there.me.email, verified: true }));
  await page.getByRole("button", { name: "Change the address" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the address" });
  await dialog.getByRole("textbox", { name: "Email" }).fill("other@example.org");
  await dialog.getByLabelText("Password", { exact: true }).fill("correct horse");
  await dialog.getByRole("button", { name: "Save" }).click();
  await shown(page.getByText("Open the link in the email to other@example.org"));
  const request = server.requests("PUT /users/@me/email")[0];
  expect(request?.body).toEqual({ email: "other@example.org", password: "correct horse" });
});

test("a status ends when it was chosen to", async () => {
  const there = world(user("greta", { display_name: "Greta the Great" }));
  const { server, socket } = await visit(there, { path: "/" });
  server.on<Partial<User>>("PATCH /users/@me", ({ body }) => {
    there.me = { ...there.me, ...body };
    socket.event("USER_UPDATE", there.me);
    return there.me;
  });
  await page.getByRole("button", { name: /^Greta the Great\b.*Online$/ }).click();
  await page.getByRole("menuitem", { name: "Set a status" }).click();
  const dialog = page.getByRole("dialog", { name: "Set a status" });
  await dialog.getByRole("textbox", { name: "Status" }).fill("At lunch");
  await dialog.getByRole("combobox", { name: "Clear it after" }).selectOptions("1 hour");
  await dialog.getByRole("button", { name: "Save" }).click();
  await shown(page.getByRole("button", { name: /^Greta the Great\b.*At lunch/ }));
  const request = server.requests("PATCH /users/@me")[0];
  const body = request?.body as { custom_status: string; status_expires_at: string };
  expect(body.custom_status).toBe("At lunch");
  expect(Date.parse(body.status_expires_at)).toBeGreaterThan(Date.now());
});
