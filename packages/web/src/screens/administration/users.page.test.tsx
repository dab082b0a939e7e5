import type { AdminUpdateUserBody, AdminUser, User } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { chooseInRow, confirmWith, menuOf } from "../../page-stage/conversation.js";
import { madeAt, user } from "../../page-stage/fixtures.js";
import { counted, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const listed = ({ id, username, is_admin }: User): AdminUser => ({
  ...{ id, username, email: null, avatar_url: null, status: "online", is_admin },
  ...{ disabled: false, disabled_at: null, created_at: madeAt, server_count: 0, message_count: 0 },
});

/** The accounts of an installation, in the browser of its administrator. */
async function openUsers() {
  const [admin, uma] = [user("admin", { is_admin: true }), user("uma")];
  const stage = await visit(world(admin), {
    path: "/admin/users",
    prepare(server) {
      const users = [listed(admin), listed(uma)];
      server.on("GET /admin/users", () => ({ users, total: users.length, page: 1, per_page: 20 }));
      server.on<AdminUpdateUserBody>("PATCH /admin/users/:id", ({ body }) => ({
        ...listed(uma),
        is_admin: body.is_admin === true,
      }));
    },
  });
  return { stage, uma };
}

const row = (text: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: text });

test("the rights of administrators are given and taken after a question that says what they are", async () => {
  const { stage, uma } = await openUsers();
  const asked = () => stage.server.requests("PATCH /admin/users/:id").map(({ path, body }) => ({ path, body }));
  await chooseInRow(row("uma"), "Make administrator");
  await shown(page.getByRole("dialog").getByText(/Administrators can see, disable and delete all accounts/));
  expect(asked()).toEqual([]);
  await confirmWith("Make administrator");
  await shown(row("uma").getByText("Administrator", { exact: true }));
  await chooseInRow(row("uma"), "Remove as administrator");
  await confirmWith("Remove as administrator");
  await menuOf(row("uma")).click();
  await shown(page.getByRole("menuitem", { name: "Make administrator" }));
  const path = `/admin/users/${uma.id}`;
  expect(asked()).toEqual([
    { path, body: { is_admin: true } },
    { path, body: { is_admin: false } },
  ]);
});

test("an administrator is not offered the actions that the server refuses on their own account", async () => {
  const { stage } = await openUsers();
  await shown(row("admin").getByText("You", { exact: true }));
  await stage.settled();
  await counted(menuOf(row("uma")), 1);
  // It has no address for a reset token either, so that its menu would be empty.
  await counted(menuOf(row("admin")), 0);
});
