import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { actInMenu, messageWith } from "../../../page-stage/conversation.js";
import { noNetwork } from "../../../page-stage/fake-server.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

test("pinned messages that cannot be read say so, and are there at the next attempt", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  const kept = message(general, ada, "Keep this", { pinned: true, pinned_by: ada.id, pinned_at: general.created_at });
  club.messages[general.id] = [kept];
  const { server } = await visit(world(ada, [club]), {
    path: channelPath(general),
    prepare: (fresh) => fresh.on("GET /channels/:id/pinned-messages", noNetwork),
  });
  await shown(messageWith("Keep this"));
  await page.getByRole("button", { name: "Pinned messages" }).click();
  const panel = page.getByRole("complementary", { name: "Pinned messages" });
  await shown(panel.getByRole("alert").getByText(/^The server cannot be reached/));
  server.on("GET /channels/:id/pinned-messages", () => [kept]);
  await panel.getByRole("button", { name: "Try again" }).click();
  await shown(panel.getByText("Keep this"));
});

test("a pinned message is found again, until it is unpinned", async () => {
  const ada = user("ada");
  const club = community([ada]);
  const [general] = club.channels;
  const rules = message(general, ada, "Rules: touch, move");
  club.messages[general.id] = [rules];
  const { server, socket } = await visit(world(ada, [club]), { path: channelPath(general) });
  const address = "/channels/:id/messages/:message/pin";
  const about = { message_id: rules.id, channel_id: general.id };
  server.on(`POST ${address}`, () => {
    const pinned_at = "2026-01-02T03:05:00.000Z";
    Object.assign(rules, { pinned: true, pinned_by: ada.id, pinned_at });
    server.on("GET /channels/:id/pinned-messages", () => [rules]);
    socket.event("MESSAGE_PIN", { ...about, pinned_by: ada.id, pinned_at });
  });
  server.on(`DELETE ${address}`, () => socket.event("MESSAGE_UNPIN", { ...about, unpinned_by: ada.id }));
  await actInMenu("Rules: touch, move", "Pin");
  await expect.poll(() => server.requests(`POST ${address}`).length).toBe(1);
  await page.getByRole("button", { name: "Pinned messages" }).click();
  const panel = page.getByRole("complementary", { name: "Pinned messages" });
  await shown(panel.getByText("Rules: touch, move"));
  await actInMenu("Rules: touch, move", "Unpin");
  await shown(panel.getByText("Nothing is pinned yet"));
  expect(server.requests(`DELETE ${address}`)).toHaveLength(1);
});
