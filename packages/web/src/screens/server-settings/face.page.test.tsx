import type { Invite, RawServer } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { confirmWith } from "../../page-stage/conversation.js";
import { refuse } from "../../page-stage/fake-server.js";
import { madeAt, newId, role } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { button, openSettings, row } from "../../page-stage/settings.js";

const field = (name: string) => page.getByRole("textbox", { name, exact: true });

/** The overview, where each change comes back as an event. */
async function openOverview() {
  const stage = await openSettings("overview", (server) =>
    server.on("GET /servers/:id/retention", () => ({ retention_days: null, instance_retention_days: null })),
  );
  const { server, socket, club } = stage;
  let { member_count: _count, ...current }: RawServer & { member_count?: number } = club.server;
  server.on<Partial<RawServer>>("PATCH /servers/:id", ({ body }) => {
    current = { ...current, ...body };
    socket.event("SERVER_UPDATE", current);
    return { ...current, member_count: 2 };
  });
  return stage;
}

test("the owner describes the server with tags and a language", async () => {
  const { server } = await openOverview();
  const face = page.getByRole("region", { name: "Face" });
  await field("Description").fill("We play on Sundays.");
  await field("Tags").fill("Chess, board-games,, ");
  await field("Language").fill("de-AT");
  await face.getByRole("button", { name: "Save" }).click();
  await shown(face.getByText("Saved."));
  expect(server.requests("PATCH /servers/:id").at(-1)?.body).toEqual({
    ...{ description: "We play on Sundays.", language: "de-AT", tags: ["chess", "board-games"] },
  });
  await expect.element(field("Tags")).toHaveValue("chess, board-games");
});

test("an owner without a second factor who demands one of moderators is led to setting one up", async () => {
  const { server } = await openOverview();
  const general = page.getByRole("region", { name: "Name and access" });
  const box = general.getByRole("checkbox", { name: "Moderators need two-factor authentication" });
  server.on("PATCH /servers/:id", () => refuse(400, "Turn on two-factor authentication first"));
  await box.click();
  await general.getByRole("button", { name: "Save" }).click();
  await expect
    .element(general.getByRole("link", { name: "Set it up" }))
    .toHaveAttribute("href", "/app/account/second-factor");
  expect(server.requests("PATCH /servers/:id").at(-1)?.body).toMatchObject({ require_second_factor: true });
});

/** The invites of a server with two roles. */
async function openInvites(vanity: Invite | null) {
  const stage = await openSettings("invites", (server, club) => {
    club.roles.push(role(club.server, { name: "Players" }), role(club.server, { name: "Guests", position: 2 }));
    server.on("GET /servers/:id/invites", () => (vanity === null ? [] : [vanity]));
  });
  const { ada, club } = stage;
  const invite = (code: string, changes: Partial<Invite> = {}): Invite => ({
    ...{ id: newId(), server_id: club.server.id, code, created_by: ada.id, max_uses: null, uses: 0, expires_at: null },
    ...{ created_at: madeAt, ...changes },
  });
  return { ...stage, server: stage.server, socket: stage.socket, club, invite };
}

test("an invite gives roles to those who join by it", async () => {
  const { server, socket, club, invite } = await openInvites(null);
  const [players] = club.roles;
  const ids = players === undefined ? [] : [players.id];
  server.on("POST /servers/:id/invites", () => {
    const made = invite("Qu33nSid", { role_ids: ids });
    socket.event("INVITE_CREATE", made);
    return made;
  });
  await page.getByRole("checkbox", { name: "Players" }).click();
  await button("Create an invite").click();
  await shown(row("Invites", "Qu33nSid").getByText(/gives Players/));
  expect(server.requests("POST /servers/:id/invites").map(({ body }) => body)).toEqual([{ role_ids: ids }]);
});

test("the owner chooses an address, learns that one is taken, and gives the own one up", async () => {
  const { server, invite } = await openInvites(null);
  const panel = page.getByRole("region", { name: "Own address" });
  server.on("PUT /servers/:id/vanity", () => refuse(409, "This address is taken"));
  await panel.getByRole("textbox", { name: "Address" }).fill("Chess");
  await panel.getByRole("button", { name: "Save" }).click();
  await shown(panel.getByRole("alert"));
  server.on("PUT /servers/:id/vanity", () => invite("chess", { vanity: true }));
  await panel.getByRole("button", { name: "Save" }).click();
  await shown(row("Invites", "/app/invite/chess").getByText("Own address"));
  expect(server.requests("PUT /servers/:id/vanity").at(-1)?.body).toEqual({ code: "chess" });
  server.on("DELETE /servers/:id/vanity", () => undefined);
  await panel.getByRole("button", { name: "Give up the address" }).click();
  await confirmWith("Give up the address");
  await gone(row("Invites", "/app/invite/chess"));
  await expect.element(panel.getByRole("textbox", { name: "Address" })).toHaveValue("");
});
