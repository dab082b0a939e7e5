import type { Registration } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { refuse } from "../../page-stage/fake-server.js";
import { madeAt, newId, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const registration = (username: string, changes: Partial<Registration> = {}): Registration => ({
  ...{ user_id: newId(), username, email: null, application: null, created_at: madeAt, network: "192.0.2.0/24" },
  ...changes,
});

const row = (text: string) =>
  page.getByRole("list", { name: "Waiting registrations" }).getByText(text, { exact: true });
const link = () => page.getByRole("navigation").getByRole("link", { name: /^Waiting registrations/ });

/** Lena and Omar wait; Nils was declined. */
async function openWaiting() {
  const waiting = [
    registration("lena", { email: "lena@example.org", application: "I play on Sundays." }),
    registration("omar"),
  ];
  const declined = [registration("nils")];
  const stage = await visit(world(user("admin", { is_admin: true })), {
    path: "/admin/waiting",
    prepare(server) {
      const decide = (id: string | undefined) => {
        const at = waiting.findIndex(({ user_id }) => user_id === id);
        if (at < 0) return refuse(404, "Registration not found");
        declined.push(...waiting.splice(at, 1));
        return undefined;
      };
      server.on("GET /admin/registrations", ({ query }) => {
        const found = query.get("state") === "declined" ? declined : waiting;
        return { registrations: found.slice(0, Number(query.get("limit"))), total: found.length };
      });
      server.on("POST /admin/registrations/:id/approve", ({ params: { id } }) => decide(id));
      server.on("POST /admin/registrations/:id/decline", ({ params: { id } }) => decide(id));
    },
  });
  return { ...stage, server: stage.server, waiting };
}

test("an administrator reads why people would like to join, approves one and declines another with a reason", async () => {
  const { server, waiting } = await openWaiting();
  const [lena, omar] = waiting;
  await shown(row("I play on Sundays."));
  await expect.element(link()).toHaveAccessibleName("Waiting registrations 2 waiting registrations");
  await page.getByRole("button", { name: "Approve lena" }).click();
  await shown(page.getByText("lena can log in now."));
  await gone(page.getByRole("button", { name: "Approve lena" }));
  await expect.element(link()).toHaveAccessibleName("Waiting registrations 1 waiting registration");
  await page.getByRole("button", { name: "Decline omar" }).click();
  const question = page.getByRole("dialog", { name: "Decline omar?" });
  await question.getByRole("textbox", { name: "Reason" }).fill("Nobody knows him");
  await question.getByRole("button", { name: "Decline", exact: true }).click();
  await shown(page.getByText("Nobody is waiting."));
  await expect.element(link()).toHaveAccessibleName("Waiting registrations");
  expect(server.requests("POST /admin/registrations/:id/approve").map(({ path }) => path)).toEqual([
    `/admin/registrations/${lena?.user_id}/approve`,
  ]);
  const [declining] = server.requests("POST /admin/registrations/:id/decline");
  expect([declining?.path, declining?.body]).toEqual([
    `/admin/registrations/${omar?.user_id}/decline`,
    { reason: "Nobody knows him" },
  ]);
});

test("declined registrations are listed apart, without buttons", async () => {
  const { settled } = await openWaiting();
  await shown(row("omar"));
  await page.getByRole("button", { name: "Declined" }).click();
  await shown(row("nils"));
  await settled();
  await expect.element(page.getByRole("button", { name: /^Approve/ })).not.toBeInTheDocument();
});

test("a registration that somebody else has decided says so", async () => {
  const { server } = await openWaiting();
  await shown(row("lena"));
  server.on("POST /admin/registrations/:id/approve", () => refuse(404, "Registration not found"));
  await page.getByRole("button", { name: "Approve lena" }).click();
  await shown(page.getByRole("alert"));
});

test("an administrator sees how many wait beside the own name", async () => {
  const admin = user("admin", { is_admin: true });
  await visit(world(admin), {
    prepare: (server) =>
      server.on("GET /admin/registrations", () => ({ registrations: [registration("lena")], total: 3 })),
  });
  await shown(page.getByRole("button", { name: /^admin.*3 waiting registrations$/ }));
});
