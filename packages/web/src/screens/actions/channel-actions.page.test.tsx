import type { Channel } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { composer, confirmWith, copyWith } from "../../page-stage/conversation.js";
import { channel, channelPath, community, message, user } from "../../page-stage/fixtures.js";
import { entry, expectEntries } from "../../page-stage/menus.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const link = (name = "hall") => page.getByRole("navigation", { name: "Channels" }).getByRole("link", { name });

/** A server of Ada with the channel #hall in the category Rooms; Ben is a member. */
async function openClub(whose: "ada" | "ben") {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const hall = channel(club.server, "hall", { category: "Rooms", position: 1 });
  club.channels.push(hall);
  const stage = await visit(world({ ada, ben }[whose], [club]), { path: channelPath(club.channels[0]) });
  await shown(composer());
  await shown(link());
  await stage.settled();
  return { stage, ada, club, hall };
}

test("channels, categories and servers have their menus", async () => {
  const { stage, ada, hall } = await openClub("ben");
  await expectEntries(link(), ["Notifications", "Copy link"]);
  stage.arrives(message(hall, ada, "Unread"));
  const unread = link().filter({ hasText: "unread messages" });
  await shown(unread);
  await expectEntries(page.getByRole("button", { name: "Collapse Rooms" }), ["Mark as read", "Collapse"]);
  await link().click({ button: "right" });
  await entry("Mark as read").click();
  await gone(unread);
  await expect
    .poll(() => stage.server.requests("POST /channels/:id/ack").map(({ path }) => path))
    .toContain(`/channels/${hall.id}/ack`);
  await link().click({ button: "right" });
  expect(await copyWith(entry("Copy link"))).toBe(`${location.origin}/app${channelPath(hall)}`);

  const rail = page.getByRole("navigation", { name: "Servers" });
  stage.arrives(message(hall, ada, "Unread again", { created_at: "2026-01-02T03:05:00.000Z" }));
  const unreadServer = rail.getByRole("link", { name: /Chess club.*unread/ });
  await shown(unreadServer);
  await unreadServer.click({ button: "right" });
  await entry("Mark as read").click();
  await gone(unreadServer);
  await expectEntries(rail.getByRole("link", { name: "Chess club" }), [
    ...["Coming events", "Notifications", "Change nickname", "Answer its questions"],
    ...["Server settings", "Report", "Leave the server"],
  ]);
});

test("the owner changes and deletes a channel from its menu", async () => {
  const { stage, hall } = await openClub("ada");
  stage.server.on<Partial<Channel>>("PATCH /channels/:id", ({ body: { name = "" } }) => {
    const changed = { ...hall, name };
    stage.socket.event("CHANNEL_UPDATE", changed);
    return changed;
  });
  stage.server.on("DELETE /channels/:id", ({ params: { id = "" } }) =>
    stage.socket.event("CHANNEL_DELETE", { id, server_id: hall.server_id }),
  );
  await link().click({ button: "right" });
  await entry("Edit channel").click();
  const form = page.getByRole("dialog", { name: "Edit hall" });
  await form.getByRole("textbox", { name: "Name" }).fill("great-hall");
  await form.getByRole("button", { name: "Save" }).click();
  await shown(link("great-hall"));
  expect(stage.server.requests("PATCH /channels/:id").at(-1)?.body).toMatchObject({ name: "great-hall" });
  await link("great-hall").click({ button: "right" });
  await entry("Delete channel").click();
  await confirmWith("Delete");
  await gone(link("great-hall"));
  expect(stage.server.requests("DELETE /channels/:id").map(({ path }) => path)).toEqual([`/channels/${hall.id}`]);
});
