import type { User } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { user } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test("the profile is kept", async () => {
  const there = world(user("greta"));
  const { server, socket, reload } = await visit(there, { path: "/account" });
  server.on<Partial<User>>("PATCH /users/@me", ({ body: { pronouns = null, bio = null } }) => {
    there.me = { ...there.me, pronouns, bio };
    socket.event("USER_UPDATE", there.me);
    return there.me;
  });
  await page.getByRole("textbox", { name: "Pronouns" }).fill("she/her");
  await page.getByRole("textbox", { name: "About me" }).fill("Plays the Dutch");
  await page.getByRole("button", { name: "Save" }).click();
  await shown(page.getByText("Saved."));
  await reload();
  await expect.element(page.getByRole("textbox", { name: "About me" })).toHaveValue("Plays the Dutch");
  await expect.element(page.getByRole("textbox", { name: "Pronouns" })).toHaveValue("she/her");
});
