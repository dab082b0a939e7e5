import type { DetailedMessage, Embed } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { messageWith } from "../../../page-stage/conversation.js";
import { noNetwork } from "../../../page-stage/fake-server.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { gone, shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

const embed: Embed = {
  ...{ title: "The Sicilian", description: null, url: null, color: null, timestamp: null },
  ...{ author: null, footer: null, image: null, thumbnail: null, fields: [] },
};
const address = "GET /channels/:id/messages/:message";
const more = () => messageWith("Openings").getByRole("button", { name: "Show them" });

/** A channel whose list leaves out the embed of its only message. */
async function openWithLeftOut() {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  const whole = message(general, ada, "Openings", { embeds: [embed] });
  const { embeds: _embeds, ...rest } = whole;
  const listed: DetailedMessage = { ...rest, parts_left_out: true };
  club.messages[general.id] = [listed];
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  await shown(more());
  return { ...stage, general, whole, listed };
}

test("embeds that a list left out are there once they are asked for", async () => {
  const { server, whole } = await openWithLeftOut();
  server.on(address, noNetwork);
  await more().click();
  await shown(
    messageWith("Openings")
      .getByRole("alert")
      .getByText(/^The server cannot be reached/),
  );
  server.on(address, () => whole);
  await more().click();
  await shown(messageWith("Openings").getByText("The Sicilian"));
  await gone(more());
  await expect.element(messageWith("Openings")).toHaveFocus();
});

test("an edit that comes while left-out embeds are read stays", async () => {
  const { server, socket, general, whole, settled } = await openWithLeftOut();
  const held = server.hold(address, () => whole);
  await more().click();
  await held.asked;
  const { reactions: _reactions, previews: _previews, attachments: _files, author, ...stored } = whole;
  const edited_at = "2026-01-02T03:05:00.000Z";
  const edited = { ...stored, content: "Openings, revised", edited_at };
  socket.event("MESSAGE_UPDATE", { ...edited, server_id: general.server_id, author: author ?? null });
  await shown(messageWith("Openings, revised").getByText("The Sicilian"));
  held.release();
  await settled();
  await shown(messageWith("Openings, revised").getByText("The Sicilian"));
});

test("a pinned message outside the history shows its left-out embeds, too", async () => {
  const { server, general, listed } = await openWithLeftOut();
  const pinned = { pinned: true, pinned_by: listed.author_id, pinned_at: general.created_at };
  const old: DetailedMessage = { ...listed, ...pinned, id: "0190a5b4-7c1d-7e3a-8f00-000000000001", content: "Old" };
  server.on("GET /channels/:id/pinned-messages", () => [old]);
  const { parts_left_out: _leftOut, ...rest } = old;
  server.on(address, () => ({ ...rest, embeds: [embed] }));
  await page.getByRole("button", { name: "Pinned messages" }).click();
  const panel = page.getByRole("complementary", { name: "Pinned messages" });
  await panel.getByRole("button", { name: "Show them" }).click();
  await shown(panel.getByText("The Sicilian"));
});
