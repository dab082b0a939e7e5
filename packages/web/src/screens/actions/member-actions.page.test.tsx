import { permissionBits } from "@parley/contracts";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer, messageWith } from "../../page-stage/conversation.js";
import { channelPath, community, heldRole, madeAt, message, role, user } from "../../page-stage/fixtures.js";
import { focused } from "../../page-stage/keys.js";
import { entry, menu } from "../../page-stage/menus.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const { MANAGE_ROLES, KICK_MEMBERS, MUTE_MEMBERS } = permissionBits;
const members = () => page.getByRole("complementary", { name: "Members" });

test("a moderator acts on a name, as far as their rank goes", async () => {
  const [ada, ben, cleo] = [user("ada"), user("ben"), user("cleo")];
  const club = community([ada, ben, cleo]);
  const { server: there } = club;
  const [general] = club.channels;
  const low = role(there, { name: "Player", position: 1 });
  const rank = role(there, { name: "Arbiter", position: 3, permissions: MANAGE_ROLES | KICK_MEMBERS | MUTE_MEMBERS });
  club.roles.push(role(there, { name: "Board", position: 5 }), rank, low);
  club.members = club.members.map((one) => (one.user_id === ben.id ? { ...one, roles: [heldRole(rank)] } : one));
  club.messages[general.id] = [message(general, ada, "Who plays white?"), message(general, cleo, "I am new")];
  const stage = await visit(world(ben, [club]), { path: channelPath(general) });
  const { server } = stage;
  const ofCleo = { server_id: there.id, user_id: cleo.id };
  server.on("PUT /servers/:id/members/:user/roles/:role", () =>
    stage.socket.event("MEMBER_ROLE_ADD", { ...ofCleo, role_id: low.id, role_name: low.name, role_color: low.color }),
  );
  server.on("POST /servers/:id/members/:user/timeout", () => ({
    ...{ ...ofCleo, expires_at: "2099-01-01T00:00:00.000Z", reason: "Too loud", created_by: ben.id },
    created_at: madeAt,
  }));
  server.on("POST /servers/:id/members/:user/kick", () => {
    club.members = club.members.filter((one) => one.user_id !== cleo.id);
    stage.socket.event("MEMBER_LEAVE", { ...ofCleo, reason: "kicked" });
  });
  const author = messageWith("I am new").getByRole("button", { name: "cleo" });
  await shown(author);
  await stage.settled();
  await author.click({ button: "right" });
  await shown(entry("Kick"));
  await stage.settled();
  await gone(entry("Ban"));
  await entry("Roles").click();
  const box = page.getByRole("menuitemcheckbox");
  await shown(box.filter({ hasText: low.name }));
  await expect.poll(() => box.elements().map(({ textContent }) => textContent)).toEqual([low.name]);
  await box.click();
  await shown(page.getByRole("menuitemcheckbox", { name: low.name, checked: true }));
  // It is shown before it is sent.
  await expect
    .poll(() => server.requests("PUT /servers/:id/members/:user/roles/:role").map(({ path }) => path))
    .toEqual([`/servers/${there.id}/members/${cleo.id}/roles/${low.id}`]);
  await userEvent.keyboard("{Escape}");
  await gone(menu());
  // The owner cannot be moderated, and their card says so by leaving it out.
  await messageWith("Who plays white?").getByRole("button", { name: "ada" }).click();
  const card = page.getByRole("dialog", { name: "Profile" });
  await shown(card.getByRole("button", { name: "Message" }));
  await stage.settled();
  await gone(card.getByRole("button", { name: "Kick" }));
  await userEvent.keyboard("{Escape}");
  await gone(card);
  // The card of somebody else has it, with the question for the reason.
  await author.click();
  await shown(card.getByText(low.name));
  await shown(card.getByRole("button", { name: "Kick" }));
  await card.getByRole("button", { name: "Time out" }).click();
  const dialog = page.getByRole("dialog", { name: "Time cleo out?" });
  await dialog.getByRole("textbox", { name: "Reason (optional)" }).fill("Too loud");
  await dialog.getByRole("button", { name: "Time out" }).click();
  await gone(dialog);
  expect(server.requests("POST /servers/:id/members/:user/timeout").at(-1)?.body).toMatchObject({
    reason: "Too loud",
  });
  await author.click({ button: "right" });
  await shown(entry("End the timeout"));
  await shown(members().getByText("cleo"));
  await entry("Kick").click();
  await page.getByRole("dialog").getByRole("button", { name: "Kick" }).click();
  await gone(members().getByText("cleo"));
  expect(server.requests("POST /servers/:id/members/:user/kick")).toHaveLength(1);
});

test("somebody is mentioned from the list of members", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  await visit(world(ben, [club]), { path: channelPath(club.channels[0]) });
  await composer().fill("Ask ");
  await members().getByRole("button", { name: "ada" }).click({ button: "right" });
  await entry("Mention").click();
  await expect.element(composer()).toHaveValue("Ask @ada ");
  await focused(composer());
});
