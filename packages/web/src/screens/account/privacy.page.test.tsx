import type { User } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { findingsInBothSchemes } from "../../page-stage/findings.js";
import { user } from "../../page-stage/fixtures.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test("the accounts that may send direct messages are chosen in the settings", async () => {
  const me = user("new_one", { dms_from: "servers" });
  const { server } = await visit(world(me), { path: "/account/privacy" });
  server.on<Pick<User, "dms_from">>("PATCH /users/@me", ({ body }) => ({ ...me, ...body }));
  const choice = page.getByLabelText("Who may write to you");
  await expect.element(choice).toHaveValue("servers");
  await choice.selectOptions("Friends only");
  await expect.element(choice).toHaveValue("friends");
  expect(await findingsInBothSchemes()).toEqual([]);
  await choice.selectOptions("Friends and people in your servers");
  await expect.element(choice).toHaveValue("servers");
  expect(server.requests("PATCH /users/@me").map(({ body }) => body)).toEqual([
    { dms_from: "friends" },
    { dms_from: "servers" },
  ]);
});
