import type { Ban } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { messageWith } from "../../page-stage/conversation.js";
import { channelPath, community, madeAt, message, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

interface BanBody {
  readonly reason: string;
  readonly expires_in_minutes: number;
  readonly delete_message_seconds: number;
}

test("a ban may last for a while and take messages with it, and the list of bans says until when", async () => {
  const [ada, cleo] = [user("ada"), user("cleo")];
  const club = community([ada, cleo]);
  const [general] = club.channels;
  const advertisement = message(general, cleo, "An advertisement");
  club.messages[general.id] = [message(general, ada, "Welcome"), advertisement];
  const stage = await visit(world(ada, [club]), { path: channelPath(general) });
  const about = { server_id: club.server.id, user_id: cleo.id };
  const bans: Ban[] = [];
  stage.server.on<BanBody>("POST /servers/:id/members/:user/ban", ({ body }) => {
    const expires_at = new Date(Date.parse(madeAt) + body.expires_in_minutes * 60_000).toISOString();
    bans.push({ ...about, banned_by: ada.id, reason: body.reason, created_at: madeAt, expires_at });
    club.members = club.members.filter(({ user_id }) => user_id !== cleo.id);
    stage.socket.event("MEMBER_LEAVE", { ...about, reason: "banned" });
    stage.socket.event("MESSAGE_DELETE_BULK", { channel_id: general.id, ids: [advertisement.id] });
  });
  stage.server.on("GET /servers/:id/bans", () => bans);
  await stage.settled();
  await messageWith("An advertisement").getByRole("button", { name: "cleo" }).click({ button: "right" });
  await page.getByRole("menuitem", { name: "Ban" }).click();
  const dialog = page.getByRole("dialog", { name: "Ban cleo?" });
  await dialog.getByRole("combobox", { name: "Duration" }).selectOptions("7 days");
  await dialog.getByRole("combobox", { name: "Delete their messages" }).selectOptions("Of the last 1 hour");
  await dialog.getByRole("textbox", { name: "Reason (optional)" }).fill("Advertising");
  await dialog.getByRole("button", { name: "Ban" }).click();
  await gone(dialog);
  await gone(messageWith("An advertisement"));
  await shown(messageWith("Welcome"));
  const [request] = stage.server.requests("POST /servers/:id/members/:user/ban");
  expect(request?.path).toBe(`/servers/${club.server.id}/members/${cleo.id}/ban`);
  expect(request?.body).toEqual({
    reason: "Advertising",
    expires_in_minutes: 7 * 24 * 60,
    delete_message_seconds: 3_600,
  });
  stage.goTo(`/servers/${club.server.id}/settings/bans`);
  await shown(page.getByRole("list", { name: "Bans" }).getByText(/Advertising · .* · Until .*2026/));
});
