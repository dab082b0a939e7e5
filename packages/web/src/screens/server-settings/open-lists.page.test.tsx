import type { HistoryEntry } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { messageWith } from "../../page-stage/conversation.js";
import { channelPath, community, madeAt, member, message, newId, user } from "../../page-stage/fixtures.js";
import { counted, shown } from "../../page-stage/seeing.js";
import { button, openSettings, row } from "../../page-stage/settings.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

// Lists of dialogs that stay open while their content changes.

test("the choice of a new owner follows who joins, is renamed and leaves", async () => {
  const { socket, ben, club, server } = await openSettings("overview", (fresh) => {
    fresh.on("GET /servers/:id/retention", () => ({ retention_days: null, instance_retention_days: null }));
  });
  const server_id = club.server.id;
  await button("Hand over").click();
  const heirs = page.getByRole("dialog").getByRole("combobox", { name: "New owner" });
  await heirs.selectOptions("ben");
  socket.event("MEMBER_UPDATE", { server_id, member: member({ ...ben, username: "benjamin" }) });
  await expect.element(heirs).toHaveDisplayValue("benjamin");
  await expect.element(heirs).toHaveValue(ben.id);
  socket.event("MEMBER_LEAVE", { server_id, user_id: ben.id, reason: "left" });
  await expect.element(heirs).toHaveValue("");
  const cleo = user("cleo");
  const [ada] = club.members;
  if (ada === undefined) throw new Error("no owner");
  server.on("GET /servers/:id/members", () => [ada, member(cleo)]);
  socket.event("MEMBER_JOIN", { server_id, member: member(cleo) });
  await heirs.selectOptions("cleo");
});

test("the history of a member has what another moderator does meanwhile", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  club.messages[general.id] = [message(general, ben, "something rude")];
  const { server, socket } = await visit(world(ada, [club]), { path: channelPath(general) });
  const entries: HistoryEntry[] = [];
  const add = (type: HistoryEntry["type"], reason: string) =>
    entries.unshift({ type, id: newId(), actor_id: null, reason, details: {}, created_at: madeAt });
  server.on("GET /servers/:id/members/:user/moderation", () => [...entries]);
  const about = { server_id: club.server.id, user_id: ben.id };
  await messageWith("something rude").getByRole("button", { name: ben.username }).first().click({ button: "right" });
  await page.getByRole("menuitem", { name: "History", exact: true }).click();
  await shown(page.getByText("Nothing so far."));
  add("timeout", "Too loud");
  socket.event("MEMBER_TIMEOUT", { ...about, expires_at: "2099-01-01T00:00:00.000Z", reason: "Too loud" });
  await shown(row("History", "Too loud"));
  add("ban", "Came back");
  socket.event("MEMBER_BAN", { ...about, reason: "Came back" });
  await shown(row("History", "Came back"));
  await counted(page.getByRole("list", { name: "History" }).getByRole("listitem"), 2);
});
