import type { AdminLogEntry, AdminUser, InstanceSettings } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { chooseInRow, confirmWith } from "../../page-stage/conversation.js";
import { refuse } from "../../page-stage/fake-server.js";
import { instance, madeAt, newId, user } from "../../page-stage/fixtures.js";
import { logIn } from "../../page-stage/login.js";
import { shown } from "../../page-stage/seeing.js";
import { reindexing } from "../../page-stage/settings-lists.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const settings: InstanceSettings = { id: 1, registration_mode: "open", updated_at: madeAt, updated_by: null };

const rowOf = (text: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: text });

async function section(title: string): Promise<void> {
  await page.getByRole("navigation").getByRole("link", { name: title, exact: true }).click();
  await shown(page.getByRole("heading", { name: title, level: 2 }));
}

test("an administrator sees figures, finds and disables an account, and closes the registration", async () => {
  const admin = user("the_admin", { is_admin: true });
  const { server } = await visit(world(admin));
  const lena: AdminUser = {
    id: newId(),
    username: "lena",
    email: null,
    avatar_url: null,
    status: "online",
    is_admin: false,
    disabled: false,
    disabled_at: null,
    created_at: madeAt,
    server_count: 0,
    message_count: 0,
  };
  server.on("GET /admin/stats", () => ({
    total_users: 2,
    total_servers: 0,
    total_messages: 0,
    total_channels: 0,
    active_ws_connections: 7,
    uptime_secs: 60,
    db_latency_ms: 1,
    storage_bytes: 0,
  }));
  const progress = reindexing();
  server.on("GET /admin/search-reindexing", () => progress);
  for (const [name, state] of [
    ["pause", "paused"],
    ["resume", "running"],
  ] as const) {
    server.on(`POST /admin/search-reindexing/${name}`, () => Object.assign(progress, { state }));
  }
  server.on("GET /admin/users", ({ query }) => {
    const users = query.get("search") === "lena" ? [lena] : [lena, { ...lena, id: newId(), username: "mona" }];
    return { users, total: users.length, page: 1, per_page: 50 };
  });
  server.on<{ disabled: boolean }>("PATCH /admin/users/:id", ({ body: { disabled } }) => ({
    ...lena,
    disabled,
    disabled_at: madeAt,
  }));
  server.on("GET /admin/settings", () => settings);
  server.on<Partial<InstanceSettings>>("PATCH /admin/settings", ({ body }) => ({ ...settings, ...body }));
  const entry: AdminLogEntry = {
    id: newId(),
    admin_id: admin.id,
    action: "settings_update",
    target_type: "settings",
    target_id: null,
    details: {},
    created_at: madeAt,
  };
  server.on("GET /admin/audit-log", () => [entry]);

  await page.getByRole("button", { name: /^the_admin\b.*Online$/ }).click();
  await page.getByRole("menuitem", { name: "Administration" }).click();
  await section("Statistics");
  await shown(page.getByText("Open connections"));
  await shown(rowOf("40,000 of about 100,000 messages"));
  await page.getByRole("button", { name: "Pause" }).click();
  await shown(rowOf("Paused"));
  await page.getByRole("button", { name: "Continue" }).click();
  await shown(page.getByRole("button", { name: "Pause" }));
  expect(server.requests("POST /admin/search-reindexing/resume")).toHaveLength(1);
  await section("Users");
  await shown(rowOf("mona"));
  await page.getByRole("searchbox", { name: "Search by name" }).fill("lena");
  await shown(page.getByText("1 user", { exact: true }));
  await chooseInRow(rowOf("lena"), "Disable");
  await confirmWith("Disable");
  await shown(rowOf("lena").getByText("Disabled"));
  const [disabling] = server.requests("PATCH /admin/users/:id");
  expect([disabling?.path, disabling?.body]).toEqual([`/admin/users/${lena.id}`, { disabled: true }]);
  await section("Registration");
  await page.getByRole("combobox", { name: "Who can register" }).selectOptions("Nobody");
  await shown(page.getByText("Saved."));
  expect(server.requests("PATCH /admin/settings").at(-1)?.body).toEqual({ registration_mode: "closed" });
  await section("Log");
  await shown(rowOf("settings").first());
});

test("a user with a disabled account learns that at the login, and finds the registration closed", async () => {
  await visit(null, {
    prepare: (server) => {
      server.on("POST /auth/login", () => refuse(403, "Account is disabled"));
      server.on("GET /instance", () => instance({ mode: "closed" }));
    },
  });
  await logIn("lena", "the password");
  await shown(page.getByRole("alert"));
  await page.getByRole("button", { name: "Create an account" }).click();
  await shown(page.getByText("New accounts are closed here at the moment."));
});
