import type { ServerRules } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { composer, messageWith, sentMessage, write } from "../../page-stage/conversation.js";
import { refuse } from "../../page-stage/fake-server.js";
import { findingsInBothSchemes } from "../../page-stage/findings.js";
import { channelPath, community, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

// The rules of a server, and its raids, on a member's page.

const until = "2099-01-01T00:00:00.000Z";
const panel = () => page.getByRole("region", { name: "Rules of this server", exact: true });
const banner = () => page.getByText(/^This server is under raid until .*2099/);

/** The channel of a server, open on the page of its owner or of a member. */
async function openChannel(whose: "ada" | "ben", rules: ServerRules = { rules: null, accepted: true }) {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const there = world({ ada, ben }[whose], [club]);
  const stage = await visit(there, {
    path: channelPath(club.channels[0]),
    prepare: (server) => server.on("GET /servers/:id/rules", () => rules),
  });
  await shown(page.getByRole("region", { name: "Messages" }));
  await stage.settled();
  return { stage, rules, club, there, about: { server_id: club.server.id, until } };
}

test("a newcomer reads the rules in place of the composer, and writes once they have accepted them", async () => {
  const { stage, rules, about } = await openChannel("ben", { rules: "Be **kind**.", accepted: false });
  stage.server.on("POST /servers/:id/rules/accept", () => undefined);
  await shown(panel().getByText("kind", { exact: true }));
  await gone(composer());
  expect(await findingsInBothSchemes()).toEqual([]);
  await panel().getByRole("button", { name: "Accept the rules" }).click();
  await gone(panel());
  expect(stage.server.requests("POST /servers/:id/rules/accept")).toHaveLength(1);
  await write("I accept");
  await sentMessage("I accept");
  // An open page follows a change that asks everybody again.
  Object.assign(rules, { rules: "Be kinder.", accepted: false });
  stage.socket.event("SERVER_SETTINGS_UPDATE", { server_id: about.server_id, part: "moderation" });
  await shown(panel().getByText("Be kinder."));
  await gone(composer());
});

test("members of before the rules are not asked, until a change asks everybody", async () => {
  const { stage, rules, about } = await openChannel("ben");
  const answers = () => stage.server.requests("GET /servers/:id/rules").length;
  await shown(composer());
  const before = answers();
  rules.rules = "Be **kind**.";
  stage.socket.event("SERVER_SETTINGS_UPDATE", { server_id: about.server_id, part: "moderation" });
  await expect.poll(answers).toBe(before + 1);
  await stage.settled();
  await shown(composer());
  await gone(panel());
  Object.assign(rules, { rules: "Be kinder.", accepted: false });
  stage.socket.event("SERVER_SETTINGS_UPDATE", { server_id: about.server_id, part: "moderation" });
  await shown(panel().getByText("Be kinder."));
});

test("those who manage raids see that there is one, until it ends", async () => {
  const { stage, about } = await openChannel("ada");
  stage.socket.event("SERVER_RAID_START", about);
  await shown(banner());
  stage.socket.event("SERVER_RAID_END", about);
  await gone(banner());
});

test("a newcomer reads during a raid why they cannot write, and leaves the server when they are banned", async () => {
  const { stage, club, there, about } = await openChannel("ben");
  const { server, socket } = stage;
  socket.event("SERVER_RAID_START", about);
  server.on("POST /channels/:id/messages", () => refuse(403, "New members of this server cannot write yet"));
  await write("Hello");
  await shown(messageWith("Hello").getByText(/New members of this server can’t write yet/));
  await stage.settled();
  await gone(banner());
  there.communities = [];
  socket.event("MEMBER_BAN", { server_id: club.server.id, user_id: there.me.id, reason: "Joined during a raid" });
  socket.event("SERVER_LEAVE", { server_id: club.server.id, reason: "banned" });
  await shown(page.getByText(/^You were banned from Chess club/).first());
});
