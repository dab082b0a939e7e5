import type { ChannelOverride } from "@parley/client";
import { permissionBits } from "@parley/contracts";
import { test } from "vitest";
import { page } from "vitest/browser";
import { composer, messageWith, sentMessage, write } from "../../page-stage/conversation.js";
import { channel, channelPath, community, heldRole, message, newId, role, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const { ADMINISTRATOR, VIEW_CHANNEL } = permissionBits;

test("channels appear and vanish with overrides and roles, and an open one that vanishes leads away", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const everybody = role(club.server, { name: "Everybody" });
  const secret = channel(club.server, "secret", { position: 1 });
  const hiding: ChannelOverride = {
    ...{ id: newId(), channel_id: secret.id, role_id: everybody.id, user_id: null, allow: 0, deny: VIEW_CHANNEL },
  };
  club.roles.push(everybody);
  club.members = club.members.map((one) => (one.user_id === ben.id ? { ...one, roles: [heldRole(everybody)] } : one));
  const there = world(ben, [club], { ready: { channel_overrides: { [secret.id]: [hiding] } } });
  const stage = await visit(there, { path: channelPath(general) });
  const link = (name: string) =>
    page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name: new RegExp(name) });
  /** Sets the server's list of channels; the event that follows gives the reason. */
  const list = (isVisible: boolean) => {
    club.channels = isVisible ? [general, secret] : [general];
  };
  await shown(composer());
  await shown(link(general.name));
  await stage.settled();
  await gone(link("secret"));

  // An override of the role is changed, a permission is added to the role, and the override is taken away.
  list(true);
  stage.socket.event("CHANNEL_OVERRIDE_UPDATE", { ...hiding, deny: 0 });
  await shown(link("secret"));
  list(false);
  stage.socket.event("CHANNEL_OVERRIDE_UPDATE", hiding);
  await gone(link("secret"));
  list(true);
  stage.socket.event("ROLE_UPDATE", { ...everybody, permissions: ADMINISTRATOR });
  await shown(link("secret"));
  await link("secret").click();
  await shown(page.getByRole("heading", { name: "secret", level: 1 }));
  await write("I am in");
  await sentMessage("I am in");
  // The role loses it while the channel is open.
  list(false);
  stage.socket.event("ROLE_UPDATE", everybody);
  const notice = page.getByRole("status").filter({ hasText: "You no longer have access to #secret." });
  await shown(notice);
  // At once: it goes by itself, too.
  await notice.getByRole("button", { name: "Close" }).click();
  await gone(notice);
  await shown(page.getByRole("heading", { name: general.name, level: 1 }));
  await gone(link("secret"));
  await shown(composer());
  club.messages[secret.id] = [...(club.messages[secret.id] ?? []), message(secret, ada, "While nobody looked")];
  // Once open again it has the messages from meanwhile.
  list(true);
  stage.socket.event("ROLE_DELETE", { server_id: club.server.id, role_id: everybody.id });
  await link("secret").click();
  await shown(messageWith("While nobody looked"));
  await shown(messageWith("I am in"));
});
