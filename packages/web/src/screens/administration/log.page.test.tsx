import type { AdminLogEntry } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { madeAt, newId, profile, user } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test("the log of administrators names them and their changes", async () => {
  const [admin, other, tilda] = [user("the_admin", { is_admin: true }), user("another_admin"), user("tilda")];
  const change: AdminLogEntry = {
    id: newId(),
    admin_id: other.id,
    action: "user_update",
    target_type: "user",
    target_id: tilda.id,
    details: { disabled: true },
    created_at: madeAt,
  };
  await visit(world(admin), {
    path: "/admin/log",
    prepare: (server) => {
      server.on("GET /admin/audit-log", () => [change]);
      server.on("GET /users/:id", ({ params: { id } }) => profile(id === other.id ? other : tilda));
    },
  });
  const entry = page.getByRole("main").getByRole("listitem").filter({ hasText: "Account changed: tilda" });
  await shown(entry.filter({ hasText: "another_admin" }).filter({ hasText: "Disabled: yes" }));
  await expect.element(page.getByRole("main")).not.toHaveTextContent(/[0-9a-f]{8}-[0-9a-f]{4}-/);
});
