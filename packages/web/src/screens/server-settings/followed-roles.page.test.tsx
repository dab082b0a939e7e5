import { permissionBits } from "@parley/contracts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { community, heldRole, role, user } from "../../page-stage/fixtures.js";
import { welcome } from "../../page-stage/login.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { row } from "../../page-stage/settings.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

/** The list of members in the settings of Ada's server, which Ben has open. */
async function openMembers() {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const there = world(ben, [club]);
  const stage = await visit(there, { path: `/servers/${club.server.id}/settings/members` });
  await shown(row("Members", ben.username));
  await stage.settled();
  return { stage, club, there, ben, ofBen: { server_id: club.server.id, user_id: ben.id } };
}

test("open settings follow the roles that somebody else makes, gives, renames and takes away", async () => {
  const { stage, club, ben, ofBen } = await openMembers();
  const { socket } = stage;
  const mine = row("Members", ben.username);
  const sections = page.getByRole("navigation", { name: /^Settings of/ });
  const offer = mine.getByRole("button", { name: "Roles" });
  await gone(offer);

  let held = role(club.server, { name: "Arbiter", permissions: permissionBits.MANAGE_ROLES });
  const rename = (name: string) => {
    held = { ...held, name };
    give();
    socket.event("ROLE_UPDATE", held);
  };
  // Later reads have it, too.
  const give = () => {
    club.roles = [held];
    club.members = club.members.map((one) => (one.user_id === ben.id ? { ...one, roles: [heldRole(held)] } : one));
  };
  const named = () => ({ ...ofBen, role_id: held.id, role_name: held.name, role_color: held.color });
  give();
  socket.event("ROLE_CREATE", held);
  socket.event("MEMBER_ROLE_ADD", named());
  await shown(mine.getByText("Arbiter", { exact: true }));
  await shown(offer);
  await sections.getByRole("link", { name: "Roles" }).click();
  const roles = page.getByRole("list", { name: "Roles" });
  await shown(roles.getByText("Arbiter", { exact: true }));
  await stage.settled();
  rename("Referee");
  await shown(roles.getByText("Referee", { exact: true }));

  await sections.getByRole("link", { name: "Members" }).click();
  await shown(mine.getByText("Referee", { exact: true }));
  await stage.settled();
  rename("Umpire");
  await shown(mine.getByText("Umpire", { exact: true }));
  socket.event("MEMBER_ROLE_REMOVE", named());
  await gone(mine.getByText("Umpire", { exact: true }));
  await gone(offer);
  await gone(sections.getByRole("link", { name: "Roles" }));
});

test("open settings of a server are left when their user is kicked", async () => {
  const { stage, club, there, ofBen } = await openMembers();
  there.communities = [];
  stage.socket.event("MEMBER_KICK", { ...ofBen, reason: "Too loud" });
  stage.socket.event("SERVER_LEAVE", { server_id: club.server.id, reason: "kicked" });
  await shown(welcome());
  await shown(page.getByRole("status").getByText(`You were removed from ${club.server.name}: Too loud`));
  expect(stage.connections).toBe(1);
});
