import type { InstanceSettings } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { refuse } from "../../page-stage/fake-server.js";
import { instance, madeAt, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const settings = { id: 1 as const, registration_mode: "open" as const, updated_at: madeAt, updated_by: null };

test("an administrator names the installation, writes its pages, and asks everybody to accept the terms again", async () => {
  const { server } = await visit(world(user("admin", { is_admin: true })), { path: "/admin/installation" });
  server.on("GET /admin/settings", () => settings);
  server.on("PATCH /admin/settings", () => ({ ...settings, name: "Chess house", terms: "# Be kind" }));
  const field = (name: string) => page.getByRole("textbox", { name });
  await shown(field("Name"));
  await expect.element(field("Name")).toHaveValue("Parley");
  await field("Name").fill("Chess house");
  await field("Terms of use").fill("# Be kind");
  await page.getByRole("checkbox", { name: "Ask everybody to accept the terms again" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await shown(page.getByText("Saved."));
  expect(server.requests("PATCH /admin/settings").at(-1)?.body).toEqual({
    ...{ name: "Chess house", description: "", contact: "", accent: null, reaccept: true },
    ...{ terms: "# Be kind", privacy: "", imprint: "" },
  });
});

test("the first steps lead to their forms, and go on where the installation is", async () => {
  const { server } = await visit(world(user("admin", { is_admin: true })), { path: "/admin/set-up" });
  let current: InstanceSettings = settings;
  server.on("GET /admin/settings", () => current);
  server.on("PATCH /admin/settings", () => {
    current = { ...settings, name: "Chess house", terms: "# Be kind" };
    return current;
  });
  server.on("GET /auth/email", () => ({ email: "admin@example.com", verified: true }));
  const step = (name: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: name });
  await shown(step("Check that mails arrive").getByText("Done"));
  await shown(step("Give the installation a name").getByText("It’s called Parley until then."));
  await shown(step("Decide who can register").getByText("Anybody can, until you choose otherwise."));
  await page.getByRole("link", { name: "Give the installation a name" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("Chess house");
  await page.getByRole("textbox", { name: "Terms of use" }).fill("# Be kind");
  await page.getByRole("button", { name: "Save" }).click();
  await shown(page.getByText("Saved."));
  await page.getByRole("navigation").getByRole("link", { name: "First steps" }).click();
  await shown(step("Give the installation a name").getByText("Done"));
  await shown(step("Write the terms of use").getByText("Done"));
  await shown(step("Choose a logo").getByText("It stands at the login and in mails."));
  for (const [name, place] of [
    ["Check that mails arrive", "/account/email"],
    ["Decide who can register", "/admin/registration"],
    ["Take files of every kind", "/admin/storage"],
  ] as const)
    await expect.element(page.getByRole("link", { name })).toHaveAttribute("href", `/app${place}`);
});

test("the login has the name of the installation, and registering asks for its terms", async () => {
  const { server } = await visit(null, {
    path: "/register",
    prepare: (fake) => fake.on("GET /instance", () => instance({ name: "Chess house", terms_url: "/terms" })),
  });
  await shown(page.getByText("Chess house", { exact: true }));
  await expect.poll(() => document.title).toBe("Create an account – Chess house");
  await expect.element(page.getByRole("link", { name: "Read the terms of use" })).toHaveAttribute("href", "/terms");
  await page.getByRole("textbox", { name: "Username" }).fill("ada");
  await page.getByLabelText("Password", { exact: true }).fill("12345678");
  await page.getByRole("button", { name: "Create account" }).click();
  expect(server.requests("POST /auth/register")).toEqual([]);
  server.on("POST /auth/register", () => refuse(409, "Username already taken"));
  await page.getByRole("checkbox", { name: "I accept the terms of use" }).click();
  await page.getByRole("button", { name: "Create account" }).click();
  await expect
    .poll(() => server.requests("POST /auth/register").at(-1)?.body)
    .toEqual({
      ...{ username: "ada", password: "12345678", accepted_terms: true },
    });
});

test("somebody who has to accept the terms again is asked once, until they accept", async () => {
  const ada = user("ada");
  const { server } = await visit(world(ada), {
    prepare: (fake) => {
      fake.on("GET /instance", () => instance({ terms_url: "/terms" }));
      fake.on("GET /users/@me", () => ({ ...ada, terms_outdated: true as const }));
      fake.on("POST /users/@me/terms", () => undefined);
    },
  });
  const question = page.getByRole("dialog", { name: "The terms of use have changed" });
  await shown(question);
  await question.getByRole("button", { name: "Accept" }).click();
  await gone(question);
  expect(server.requests("POST /users/@me/terms")).toHaveLength(1);
});

test("the question about the terms that was put off does not come back with another screen", async () => {
  const ada = user("ada");
  const { server } = await visit(world(ada), {
    prepare: (fake) => {
      fake.on("GET /instance", () => instance({ terms_url: "/terms" }));
      fake.on("GET /users/@me", () => ({ ...ada, terms_outdated: true as const }));
      fake.on("GET /servers/browse", () => []);
    },
  });
  const question = page.getByRole("dialog", { name: "The terms of use have changed" });
  await shown(question);
  await question.getByRole("button", { name: "Later" }).click();
  await gone(question);
  for (const link of ["Discover servers", "Direct messages"]) {
    await page.getByRole("link", { name: link }).click();
    await expect.element(page.getByRole("link", { name: link })).toHaveAttribute("aria-current", "page");
  }
  await expect.element(question).not.toBeInTheDocument();
  expect(server.requests("GET /users/@me")).toHaveLength(1);
});
