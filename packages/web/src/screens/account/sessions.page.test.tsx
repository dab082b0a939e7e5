import type { AccountSession } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { refuse } from "../../page-stage/fake-server.js";
import { madeAt, newId, user } from "../../page-stage/fixtures.js";
import { endReason, loginForm, welcome } from "../../page-stage/login.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { openSection } from "../../page-stage/settings.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const session = (changes: Partial<AccountSession>): AccountSession => ({
  id: newId(),
  user_agent: null,
  created_at: madeAt,
  last_used_at: madeAt,
  expires_at: madeAt,
  current: false,
  ...changes,
});
const rowOf = (text: string) => page.getByRole("main").getByRole("listitem").filter({ hasText: text });

test("a session in the list is ended, and then the page’s own, which asks for a login without a reason", async () => {
  const other = session({ user_agent: "Mozilla/5.0 elsewhere" });
  const { server, settled } = await visit(world(user("ines")), { path: "/account" });
  server.on("GET /auth/sessions", () => [session({ user_agent: "node", current: true }), other]);
  server.on("DELETE /auth/sessions/:id", () => undefined);
  server.on("POST /auth/logout", () => undefined);
  await openSection("Sessions");
  await rowOf("Mozilla").getByRole("button", { name: "End" }).click();
  await gone(rowOf("Mozilla"));
  expect(server.requests("DELETE /auth/sessions/:id").map(({ path }) => path)).toEqual([`/auth/sessions/${other.id}`]);
  await rowOf("This device").getByRole("button", { name: "Log out" }).click();
  await shown(loginForm());
  expect(server.requests("POST /auth/logout")).toHaveLength(1);
  await settled();
  await gone(endReason());
});

test.each([
  [
    "ended on another device",
    refuse(401, "Invalid or expired refresh token"),
    "Your session was ended on another device",
  ],
  ["ended with its account", refuse(403, "Account is disabled"), "this account was disabled"],
])(
  "a page whose session is %s asks for a login, and says why until the next one, through a reload",
  async (_, refusal, reason) => {
    const stage = await visit(world(user("ines")));
    await shown(welcome());
    await stage.settled();
    stage.endSession(refusal);
    await shown(loginForm());
    await shown(endReason().getByText(reason));
    await stage.reload();
    await shown(endReason().getByText(reason));
  },
);
