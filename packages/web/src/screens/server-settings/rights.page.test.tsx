import type { Role, Server } from "@parley/client";
import { defaultPermissions } from "@parley/permissions";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { composer } from "../../page-stage/conversation.js";
import { findingsInBothSchemes } from "../../page-stage/findings.js";
import { channelPath, community, role, user } from "../../page-stage/fixtures.js";
import { counted, gone, shown } from "../../page-stage/seeing.js";
import { openSection, openSettings, row } from "../../page-stage/settings.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

test("an owner takes a right from everybody, gives a role one, and says that roles protect, each with what it means", async () => {
  const { server, club, settled } = await openSettings("roles", (fake, there) => {
    there.roles.push(role(there.server, { name: "Guard" }));
    fake.on("GET /servers/:id/retention", () => ({ retention_days: null, instance_retention_days: null }));
  });
  const known = () => [club.everyone, ...club.roles];
  server.on<Partial<Role>>("PATCH /servers/:id/roles/:role", ({ params, body }) => {
    const found = known().find(({ id }) => id === params.role) ?? club.everyone;
    return Object.assign(found, body);
  });
  const changed = () =>
    server.requests<Partial<Role>>("PATCH /servers/:id/roles/:role").map(({ path, body }) => ({ path, body }));
  const addressOf = ({ id }: Role | Server) => `/servers/${club.server.id}/roles/${id}`;

  await page.getByRole("list", { name: "Everyone" }).getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await shown(dialog.getByText("Without it the text stays, but nobody is notified."));
  expect(await findingsInBothSchemes()).toEqual([]);
  await settled();
  await counted(dialog.getByRole("checkbox", { name: "Administrator (everything)" }), 0);
  await expect.element(dialog.getByRole("checkbox", { name: "Mention @everyone" })).toBeChecked();
  await dialog.getByRole("checkbox", { name: "Mention @everyone" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await gone(dialog);
  expect(changed().at(-1)).toEqual({
    path: addressOf(club.server),
    body: { permissions: defaultPermissions, rights: ["use_apps"] },
  });

  await row("Roles", "Guard").getByRole("button", { name: "Edit" }).click();
  await dialog.getByRole("checkbox", { name: "Review reports" }).click();
  await dialog.getByRole("checkbox", { name: "Everyone may mention it" }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await gone(dialog);
  expect(changed().at(-1)).toMatchObject({ body: { name: "Guard", rights: ["review_reports"], mentionable: true } });

  server.on<Partial<Server>>("PATCH /servers/:id", ({ body }) => ({ ...club.server, ...body }));
  await openSection("Overview");
  await page.getByRole("checkbox", { name: "Roles protect against those at or below them" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  await expect.poll(() => server.requests("PATCH /servers/:id").at(-1)?.body).toMatchObject({ hierarchy: true });
});

test("a member who may not mention everybody any more is not offered it", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const stage = await visit(world(ben, [club]), { path: channelPath(club.channels[0]) });
  await shown(composer());
  await composer().fill("@every");
  const offer = page.getByRole("option", { name: /@everyone/ });
  await shown(offer);
  stage.socket.event("ROLE_UPDATE", { ...club.everyone, rights: ["use_apps"] });
  await gone(offer);
});

test("roles that everybody may mention are suggested to all, and @here and the others to who may mention everybody", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  club.roles.push(role(club.server, { name: "Hosts of May", mentionable: true }));
  club.roles.push(role(club.server, { name: "Hidden" }));
  const offered = () =>
    page
      .getByRole("listbox", { name: "Suggestions" })
      .getByRole("option")
      .elements()
      .map(({ textContent }) => textContent);
  const stage = await visit(world(ben, [club]), { path: channelPath(club.channels[0]) });
  await composer().fill("@h");
  await expect.poll(offered).toEqual(["@Hosts of MayRole", "@HiddenRole", "@hereEveryone who is connected"]);
  stage.socket.event("ROLE_UPDATE", { ...club.everyone, rights: ["use_apps"] });
  await expect.poll(offered).toEqual(["@Hosts of MayRole"]);
  await page.getByRole("option").click();
  await expect.element(composer()).toHaveTextContent("@Hosts of May");
});
