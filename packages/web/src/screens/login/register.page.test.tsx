import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { user } from "../../page-stage/fixtures.js";
import { welcome } from "../../page-stage/login.js";
import { shown } from "../../page-stage/seeing.js";
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
