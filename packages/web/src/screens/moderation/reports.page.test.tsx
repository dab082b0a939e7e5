import type { Report } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { composer } from "../../page-stage/conversation.js";
import { type Community, channelPath, community, madeAt, newId, profile, user } from "../../page-stage/fixtures.js";
import { focused } from "../../page-stage/keys.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { openSettings } from "../../page-stage/settings.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

const cyd = user("cyd");

const reportOf = ({ server, channels: [general] }: Community, changes: Partial<Report> = {}): Report => ({
  id: newId(),
  server_id: server.id,
  message_id: newId(),
  channel_id: general.id,
  author_id: null,
  content: "Buy pawns",
  attachments: 0,
  reporters: [],
  reasons: ["Spam again"],
  category: "spam",
  source: "member",
  status: "open",
  closed_by: null,
  note: null,
  created_at: madeAt,
  closed_at: null,
  ...changes,
});

/** The reports of a server: one of a message of Ben, by Ben himself and by a former member. */
async function openReports() {
  const found: Report[] = [];
  const stage = await openSettings("moderation", (server, club) => {
    const reporters = [club.members[1]?.user_id ?? "", cyd.id];
    found.push(reportOf(club, { author_id: club.members[1]?.user_id ?? null, reporters }));
    server.on("GET /servers/:id/reports", () => found);
    server.on("GET /servers/:id/automod/logs", () => []);
    const ben = { id: club.members[1]?.user_id ?? "", username: "ben" };
    server.on("GET /users/:id", ({ params: { id } }) => profile(id === cyd.id ? cyd : ben));
    server.on("DELETE /messages/:id", () => undefined);
  });
  await shown(page.getByText("Buy pawns"));
  return { stage, report: found[0] };
}

test("J, D and Enter delete the reported message", async () => {
  const { stage, report } = await openReports();
  await userEvent.keyboard("j");
  await userEvent.keyboard("d");
  await focused(page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }));
  await userEvent.keyboard("{Enter}");
  await gone(page.getByRole("dialog"));
  expect(stage.server.requests("DELETE /messages/:id").map(({ path }) => path)).toEqual([
    `/messages/${report?.message_id}`,
  ]);
});

test("moderators see who reported, as the dialog of a report says", async () => {
  await openReports();
  await shown(page.getByRole("listitem").filter({ hasText: /Reported by ben, cyd · / }));
});

test("those who review reports see how many are open, as they come and are closed, and other members do not", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const first = reportOf(club);
  const path = channelPath(club.channels[0]);
  const stage = await visit(world(ada, [club]), {
    path,
    prepare: (server) => server.on("GET /servers/:id/reports", () => [first]),
  });
  const menu = (reports: string) => page.getByRole("button", { name: `Chess club: menu, ${reports}`, exact: true });
  await shown(menu("1 open report"));
  stage.socket.event("REPORT_CREATE", reportOf(club));
  await shown(menu("2 open reports"));
  // A second reporter of the same message is no second report.
  stage.socket.event("REPORT_UPDATE", { ...first, reporters: [ben.id] });
  await menu("2 open reports").click();
  await shown(page.getByRole("menuitem", { name: "Moderation 2 open reports" }));
  for (const report of [first]) stage.socket.event("REPORT_UPDATE", { ...report, status: "closed" });
  await shown(menu("1 open report"));
  expect(stage.server.requests("GET /servers/:id/reports").map(({ query }) => query.get("status"))).toEqual(["open"]);

  const others = await visit(world(ben, [club]), { path });
  await shown(composer());
  await others.settled();
  await shown(page.getByRole("button", { name: "Chess club: menu", exact: true }));
  expect(others.server.requests("GET /servers/:id/reports")).toEqual([]);
});
