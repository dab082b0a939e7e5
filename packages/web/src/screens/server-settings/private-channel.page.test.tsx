import type { ChannelOverride } from "@parley/client";
import { permissionBits } from "@parley/contracts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { messageWith } from "../../page-stage/conversation.js";
import { channel, channelPath, community, heldRole, message, newId, role, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const view = permissionBits.VIEW_CHANNEL;
const link = (name: string) => page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name });
const onlyChosen = () => page.getByRole("checkbox", { name: "Only those who are chosen see this channel" });

/** A server of Ada with the channel #hall, in which Cyd has the role Crew. */
function makeClub() {
  const [ada, ben, cyd] = [user("ada"), user("ben"), user("cyd")];
  const club = community([ada, ben, cyd]);
  const crew = role(club.server, { name: "Crew" });
  const hall = channel(club.server, "hall", { position: 1 });
  club.roles.push(crew);
  club.channels.push(hall);
  club.members = club.members.map((one) => (one.user_id === cyd.id ? { ...one, roles: [heldRole(crew)] } : one));
  const override = (target: { role_id: string }, bits: Partial<ChannelOverride>): ChannelOverride => ({
    ...{ id: newId(), channel_id: hall.id, user_id: null, allow: 0, deny: 0 },
    ...target,
    ...bits,
  });
  const hidden = override({ role_id: club.server.id }, { deny: view });
  const ofCrew = override({ role_id: crew.id }, { allow: view });
  return { ada, ben, cyd, club, crew, hall, hidden, ofCrew };
}

test("a channel is made private to a role with two clicks, and for all again with one", async () => {
  const { ada, club, crew, hall } = makeClub();
  const stage = await visit(world(ada, [club]), { path: channelPath(club.channels[0]) });
  const { server } = stage;
  const overrides: ChannelOverride[] = [];
  server.on("GET /channels/:id/overrides", () => overrides);
  server.on<Partial<ChannelOverride>>("PUT /channels/:id/overrides", ({ body }) => {
    const base = { id: newId(), channel_id: hall.id, role_id: null, user_id: null, allow: 0, deny: 0 };
    const put = { ...base, ...body };
    overrides.push(put);
    stage.socket.event("CHANNEL_OVERRIDE_UPDATE", put);
    return put;
  });
  server.on("DELETE /channels/:id/overrides/:override", ({ params: { override = "" } }) => {
    stage.socket.event("CHANNEL_OVERRIDE_DELETE", { channel_id: hall.id, override_id: override });
  });
  await link("hall").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Permissions" }).click();
  await shown(page.getByRole("dialog", { name: "Permissions in hall" }));
  await onlyChosen().click();
  await page.getByRole("checkbox", { name: "Crew" }).click();
  await expect.element(page.getByRole("checkbox", { name: "Crew" })).toBeChecked();
  expect(server.requests("PUT /channels/:id/overrides").map(({ body }) => body)).toEqual([
    { role_id: club.server.id, allow: 0, deny: view },
    { role_id: crew.id, allow: view, deny: 0 },
  ]);
  await onlyChosen().click();
  await expect.element(onlyChosen()).not.toBeChecked();
  expect(server.requests("DELETE /channels/:id/overrides/:override").map(({ path }) => path)).toEqual([
    `/channels/${hall.id}/overrides/${overrides[0]?.id}`,
  ]);
});

test("a member loses a channel that is made private at once, and gets it back", async () => {
  const { ben, club, hall, hidden } = makeClub();
  const stage = await visit(world(ben, [club]), { path: channelPath(club.channels[0]) });
  await shown(link("hall"));
  await stage.settled();
  const [general] = club.channels;
  club.channels = [general];
  stage.socket.event("CHANNEL_OVERRIDE_UPDATE", hidden);
  await gone(link("hall"));
  club.channels = [general, hall];
  stage.socket.event("CHANNEL_OVERRIDE_DELETE", { channel_id: hall.id, override_id: hidden.id });
  await shown(link("hall"));
});

test("a member with the role keeps the private channel, which is marked, and its messages", async () => {
  const { ada, cyd, club, hall, hidden, ofCrew } = makeClub();
  const stage = await visit(world(cyd, [club]), { path: channelPath(hall) });
  await shown(link("hall"));
  await stage.settled();
  stage.socket.event("CHANNEL_OVERRIDE_UPDATE", ofCrew);
  stage.socket.event("CHANNEL_OVERRIDE_UPDATE", hidden);
  await expect.element(link("hall").getByText("private channel")).toBeInTheDocument();
  stage.arrives(message(hall, ada, "among us"));
  await shown(messageWith("among us"));
});
