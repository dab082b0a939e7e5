import type { AuditLogEntry } from "@parley/client";
import { permissionBits } from "@parley/contracts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { refuse } from "../../page-stage/fake-server.js";
import { madeAt, newId, profile, user } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { openSettings } from "../../page-stage/settings.js";

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-/;
const { SEND_MESSAGES } = permissionBits;

const entry = (text: string | RegExp) => page.getByRole("main").getByRole("listitem").filter({ hasText: text });

test("the audit log says who did what to whom by their names, also of what is gone", async () => {
  const [rosa, sven] = [user("rosa"), user("sven")];
  const [scribe, annex] = [newId(), newId()];
  // Only the entries name deleted things.
  const { server, ben } = await openSettings("audit-log", (fresh, club) => {
    const [, { user_id: ben = "" } = {}] = club.members;
    const did = (
      action: string,
      target_type: "user" | "role" | "channel",
      target_id: string,
      details: AuditLogEntry["details"] = {},
    ): AuditLogEntry => ({
      ...{ id: newId(), server_id: club.server.id, actor_id: club.server.owner_id, action, target_type, target_id },
      ...{ details, ip_address: null, created_at: madeAt },
    });
    const overridden = { override_id: newId(), role_id: null, user_id: null, allow: 0, deny: 0 };
    const timeouts = Array.from({ length: 5 }, () => [
      did("member_timeout_remove", "user", rosa.id),
      did("member_timeout", "user", rosa.id, { duration_minutes: 5, reason: null }),
    ]);
    const entries = [
      did("member_ban", "user", sven.id, { reason: null }),
      did("member_kick", "user", rosa.id, { reason: "Too loud" }),
      ...timeouts.flat(),
      did("channel_delete", "channel", annex, { name: "annex" }),
      did("role_delete", "role", scribe, { name: "Scribe" }),
      did("channel_override_update", "channel", annex, { ...overridden, role_id: scribe, deny: SEND_MESSAGES }),
      did("channel_override_update", "channel", annex, { ...overridden, user_id: ben, allow: SEND_MESSAGES }),
      did("channel_create", "channel", annex, { name: "annex", type: "text" }),
      did("member_role_add", "user", ben, { role_id: scribe, role_name: "Scribe" }),
    ];
    fresh.on("GET /servers/:id/audit-logs", ({ query }) =>
      entries.filter(({ action }) => [null, "", action].includes(query.get("action"))),
    );
    // Sven has deleted his account.
    fresh.on("GET /users/:id", ({ params: { id } }) =>
      id === rosa.id ? profile(rosa) : refuse(404, "User not found"),
    );
  });
  await shown(entry("Member kicked: rosa").getByText("Reason: Too loud"));
  await shown(entry("Member banned: Deleted account"));
  await shown(entry(`Role given: ${ben.username}`).getByText("Role: Scribe"));
  await shown(entry("Role deleted: Scribe"));
  const changed = entry("Channel permissions changed: #annex");
  await shown(changed.filter({ hasText: `For: ${ben.username} · Allowed: Send messages` }));
  await shown(changed.filter({ hasText: "For: Scribe · Denied: Send messages" }));
  await shown(entry("Member timed out: rosa").first().getByText("Duration: 5 minutes"));
  await expect.element(page.getByRole("main")).not.toHaveTextContent(uuid);
  // The page requests former members, each once, however many rows name them.
  const asked = server.requests("GET /users/:id").map(({ path }) => path.slice("/users/".length));
  expect(asked.filter((id) => uuid.test(id)).toSorted()).toEqual([rosa.id, sven.id].toSorted());

  await page.getByRole("combobox", { name: "Action" }).selectOptions("Retention changed");
  await shown(page.getByText("Nothing of this kind yet."));
});
