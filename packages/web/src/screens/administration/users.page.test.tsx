import type { AdminUpdateUserBody, AdminUser, User } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { chooseInRow, confirmWith, menuOf } from "../../page-stage/conversation.js";
import { madeAt, user } from "../../page-stage/fixtures.js";
import { counted, gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const listed = ({ id, username, is_admin }: User): AdminUser => ({
  ...{ id, username, email: null, avatar_url: null, status: "online", is_admin },
  ...{ disabled: false, disabled_at: null, created_at: madeAt, server_count: 0, message_count: 0 },
});

/** The accounts of an installation, in the browser of its administrator. */
async function openUsers() {
  const [admin, uma] = [user("admin", { is_admin: true }), user("uma")];
  const visited = await visit(world(admin), {
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
  return { stage: Object.assign(visited, { admin }), uma };
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

test("an administrator changes the own quota, and is offered no other action that the server refuses on that account", async () => {
  const { stage } = await openUsers();
  await shown(row("admin").getByText("You", { exact: true }));
  stage.server.on<AdminUpdateUserBody>("PATCH /admin/users/:id", ({ body: { quota } }) => ({
    ...listed(stage.admin),
    ...(quota == null ? {} : { quota }),
  }));
  await menuOf(row("admin")).click();
  await shown(page.getByRole("menuitem", { name: "Storage quota" }));
  // It has no address for a reset token either.
  await counted(page.getByRole("menuitem"), 1);
  await page.getByRole("menuitem", { name: "Storage quota" }).click();
  const quota = page.getByRole("dialog").getByRole("spinbutton", { name: "Quota (GB)" });
  const saved = async (typed: string) => {
    await quota.fill(typed);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await gone(quota);
  };
  await saved("1.5");
  await chooseInRow(row("admin"), "Storage quota");
  await expect.element(quota).toHaveValue(1.5);
  await saved("");
  const bodies = stage.server.requests("PATCH /admin/users/:id").map(({ body }) => body);
  expect(bodies).toEqual([{ quota: 1_500_000_000 }, { quota: null }]);
});

test("accounts and servers are sorted by the size of their files", async () => {
  const { stage, uma } = await openUsers();
  stage.server.on("GET /admin/users", ({ query }) => ({
    ...{ total: 1, page: 1, per_page: 20 },
    users: [{ ...listed(uma), ...(query.get("sort_by") === "storage_bytes" ? { storage_bytes: 2_500_000_000 } : {}) }],
  }));
  await page.getByRole("combobox", { name: "Sort by" }).selectOptions("Most storage");
  await shown(row("2.5 GB stored"));
});
