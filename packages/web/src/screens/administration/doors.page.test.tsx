import type { InstanceSettings, NetworkBan } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { confirmWith } from "../../page-stage/conversation.js";
import { refuse } from "../../page-stage/fake-server.js";
import { madeAt, newId, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const settings: InstanceSettings = { id: 1, registration_mode: "open", updated_at: madeAt, updated_by: null };

/** A section of the administration, on an installation whose settings are the given ones. */
async function openSection(path: string, changes: Partial<InstanceSettings> = {}) {
  const stage = await visit(world(user("admin", { is_admin: true })), {
    path: `/admin/${path}`,
    prepare(server) {
      let current: InstanceSettings = { ...settings, ...changes };
      server.on("GET /admin/settings", () => current);
      server.on<Partial<InstanceSettings>>("PATCH /admin/settings", ({ body }) => {
        current = { ...current, ...body };
        return current;
      });
      server.on("GET /admin/network-bans", () => ({ bans: [], total: 0 }));
    },
  });
  const saved = () => stage.server.requests("PATCH /admin/settings").at(-1)?.body;
  return { ...stage, server: stage.server, saved };
}

test("the form of the registration asks for a confirmed address of some domains, an approval and work", async () => {
  const { saved } = await openSection("registration", { registration: { blocked_domains: ["spam.example"] } });
  await page
    .getByRole("combobox", { name: "Email address" })
    .selectOptions("Required, and confirmed before the first login");
  await page.getByRole("textbox", { name: "Only addresses of these domains" }).fill("example.org\n\n chess.example \n");
  await page.getByRole("checkbox", { name: "An administrator approves each account" }).click();
  await page.getByRole("combobox", { name: "Proof of work" }).selectOptions("While unusually many register");
  await page.getByRole("button", { name: "Save" }).click();
  await shown(page.getByText("Saved."));
  expect(saved()).toEqual({
    registration: {
      ...{ email: "required", email_domains: ["example.org", "chess.example"], blocked_domains: ["spam.example"] },
      ...{ approval: true, challenge: "auto" },
    },
  });
});

test("an emptied list of domains lets all domains in again", async () => {
  const { saved } = await openSection("registration", { registration: { email_domains: ["example.org"] } });
  await page.getByRole("textbox", { name: "Only addresses of these domains" }).fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await shown(page.getByText("Saved."));
  expect(saved()).toMatchObject({ registration: { email_domains: null, approval: false, challenge: "off" } });
});

test("quotas are typed in gigabytes, an empty one is none, and files may be of every kind", async () => {
  const { saved } = await openSection("storage", { quota: { server: null } });
  const field = (name: string) => page.getByRole("spinbutton", { name });
  await expect.element(field("Each account (GB)")).toHaveValue(5);
  await expect.element(field("Each server (GB)")).toHaveValue(null);
  await field("Each account (GB)").fill("2.5");
  await field("Everything together (GB)").fill("800");
  await page.getByRole("combobox", { name: "Kinds of files" }).selectOptions("Every kind");
  await page.getByRole("button", { name: "Save" }).click();
  await shown(page.getByText("Saved."));
  expect(saved()).toEqual({
    quota: { account: 2_500_000_000, server: null, installation: 800_000_000_000 },
    files: "any",
  });
});

test("a second factor is demanded after a question, and an administrator without one is led to setting one up", async () => {
  const { server, saved } = await openSection("security");
  const who = page.getByRole("combobox", { name: "Who needs it" });
  server.on("PATCH /admin/settings", () => refuse(400, "Turn on two-factor authentication first"));
  await who.selectOptions("Everyone");
  await page.getByRole("dialog").getByRole("button", { name: "Demand it" }).click();
  const way = page.getByRole("dialog").getByRole("link", { name: "Set it up" });
  await expect.element(way).toHaveAttribute("href", "/app/account/second-factor");
  server.on("PATCH /admin/settings", () => ({ ...settings, require_second_factor: "everyone" as const }));
  await page.getByRole("dialog").getByRole("button", { name: "Demand it" }).click();
  await shown(page.getByText("Saved."));
  await expect.element(who).toHaveValue("everyone");
  expect(saved()).toEqual({ require_second_factor: "everyone" });
});

test("an administration that demands a second factor leads to setting one up", async () => {
  const { server } = await visit(world(user("admin", { is_admin: true })), {
    path: "/admin/security",
    prepare(fake) {
      for (const path of ["settings", "network-bans", "registrations"]) {
        fake.on(`GET /admin/${path}`, () => refuse(403, "Turn on two-factor authentication to moderate"));
      }
      fake.on("GET /auth/second-factor", () => ({ active: false, recovery_codes_left: 0 }));
    },
  });
  await page.getByRole("link", { name: "Set it up" }).first().click();
  await shown(page.getByRole("heading", { name: "Two-factor authentication", level: 2 }));
  expect(server.requests("GET /auth/second-factor").length).toBeGreaterThan(0);
});

test("a network is banned for a day after a question, and let in again", async () => {
  const { server } = await openSection("security");
  const ban: NetworkBan = {
    ...{ id: newId(), cidr: "192.0.2.0/24", reason: "Spam", expires_at: madeAt, created_by: null, created_at: madeAt },
  };
  server.on("POST /admin/network-bans", () => ban);
  server.on("DELETE /admin/network-bans/:id", () => undefined);
  await shown(page.getByText("No network is banned."));
  await page.getByRole("textbox", { name: "Network" }).fill(" 192.0.2.7/24 ");
  await page.getByRole("textbox", { name: "Reason" }).fill("Spam");
  await page.getByRole("combobox", { name: "Duration" }).selectOptions("1 day");
  await page.getByRole("main").getByRole("button", { name: "Ban the network" }).click();
  expect(server.requests("POST /admin/network-bans")).toEqual([]);
  await confirmWith("Ban the network");
  const lift = page.getByRole("button", { name: "Lift ban of 192.0.2.0/24" });
  await shown(lift);
  expect(server.requests("POST /admin/network-bans").map(({ body }) => body)).toEqual([
    { cidr: "192.0.2.7/24", reason: "Spam", expires_in_minutes: 1_440 },
  ]);
  await expect.element(page.getByRole("textbox", { name: "Network" })).toHaveValue("");
  await lift.click();
  await gone(lift);
  expect(server.requests("DELETE /admin/network-bans/:id")).toHaveLength(1);
});

test("the own network is not banned", async () => {
  const { server } = await openSection("security");
  server.on("POST /admin/network-bans", () => refuse(400, "This would block you"));
  await page.getByRole("textbox", { name: "Network" }).fill("10.0.0.0/8");
  await page.getByRole("main").getByRole("button", { name: "Ban the network" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Ban the network" }).click();
  await shown(page.getByRole("dialog").getByRole("alert"));
});
