import type { VoiceModerateBody, VoiceState } from "@parley/client";
import { permissionBits } from "@parley/contracts";
import { defaultPermissions } from "@parley/permissions";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { refuse } from "../../page-stage/fake-server.js";
import { channel, channelPath, community, heldRole, madeAt, role, user } from "../../page-stage/fixtures.js";
import { entry, menu } from "../../page-stage/menus.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

/** Ben is in the lounge; the page is that of Ada, who holds the rights beside those of everybody. */
async function openLounge(rights: number) {
  const [owner, ada, ben] = [user("owner"), user("ada"), user("ben")];
  const club = community([owner, ada, ben]);
  const moderators = role(club.server, { name: "Moderators", permissions: defaultPermissions | rights });
  club.roles.push(moderators);
  const [, adaIn] = club.members;
  if (adaIn !== undefined) adaIn.roles = [heldRole(moderators)];
  const lounge = channel(club.server, "lounge", { type: "voice", position: 1 });
  const stageChannel = channel(club.server, "stage", { type: "voice", position: 2 });
  club.channels.push(lounge, stageChannel);
  let state: VoiceState = {
    ...{ user_id: ben.id, username: "ben", channel_id: lounge.id, joined_at: madeAt, server_mute: false },
    ...{ self_mute: false, self_deaf: false, self_video: false, self_screen: false, server_deaf: false },
  };
  const stage = await visit(world(ada, [club]), {
    path: channelPath(club.channels[0]),
    prepare(server) {
      server.on("GET /channels/:id/voice", ({ params: { id } }) => (id === state.channel_id ? [state] : []));
    },
  });
  const { server, socket } = stage;
  server.on<VoiceModerateBody>("PATCH /servers/:id/members/:user/voice", ({ body }) => {
    const { server_mute, server_deaf, channel_id = state.channel_id } = body;
    state = {
      ...{ ...state, channel_id, server_mute: server_mute ?? state.server_mute },
      ...{ server_deaf: server_deaf ?? state.server_deaf, joined_at: channel_id === null ? null : madeAt },
    };
    socket.event("VOICE_STATE_UPDATE", state);
    return state;
  });
  const bodies = () =>
    server.requests("PATCH /servers/:id/members/:user/voice").map((request): unknown => request.body);
  return { server, bodies, lounge, stageChannel };
}

const open = () => page.getByRole("list", { name: "In lounge" }).getByRole("button", { name: /^ben/ });

test("a moderator mutes a member for everybody, turns their sound off, moves and disconnects them", async () => {
  const { bodies, stageChannel } = await openLounge(permissionBits.MUTE_MEMBERS | permissionBits.KICK_MEMBERS);
  const toggle = (name: string) => menu().getByRole("menuitemcheckbox", { name });
  await open().click({ button: "right" });
  await toggle("Mute for everyone").click();
  await shown(page.getByRole("img", { name: "Muted by a moderator" }));
  await toggle("Turn their sound off").click();
  await shown(page.getByRole("img", { name: "Sound turned off by a moderator" }));
  await expect.element(toggle("Mute for everyone")).toHaveAttribute("aria-checked", "true");
  await entry("Move to").click();
  await page.getByRole("menuitem", { name: "stage" }).click();
  const moved = page.getByRole("list", { name: "In stage" }).getByRole("button", { name: /^ben/ });
  await shown(moved);
  await gone(menu());
  await moved.click({ button: "right" });
  await entry("Disconnect from the call").click();
  await gone(moved);
  expect(bodies()).toEqual([
    { server_mute: true },
    { server_deaf: true },
    { channel_id: stageChannel.id },
    { channel_id: null },
  ]);
});

test("a member without these rights is not offered them", async () => {
  await openLounge(0);
  await open().click({ button: "right" });
  await shown(entry("Profile"));
  for (const name of [/Mute for everyone/, /Move to/, /Disconnect/]) {
    await expect.element(menu().getByText(name)).not.toBeInTheDocument();
  }
  await userEvent.keyboard("{Escape}");
});

test("a refusal is said", async () => {
  const { server } = await openLounge(permissionBits.KICK_MEMBERS);
  server.on("PATCH /servers/:id/members/:user/voice", () =>
    refuse(403, "Turn on two-factor authentication to moderate"),
  );
  await open().click({ button: "right" });
  await entry("Disconnect from the call").click();
  await shown(page.getByRole("status").filter({ hasText: "Turn on two-factor authentication to moderate" }));
  await shown(open());
});
