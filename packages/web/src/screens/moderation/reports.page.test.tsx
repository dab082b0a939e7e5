import type { Report } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { madeAt, newId, profile, user } from "../../page-stage/fixtures.js";
import { focused } from "../../page-stage/keys.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { openSettings } from "../../page-stage/settings.js";

const cyd = user("cyd");

/** The reports of a server: one of a message of Ben, by Ben himself and by a former member. */
async function openReports() {
  const found: Report[] = [];
  const stage = await openSettings("moderation", (server, club) => {
    const [general] = club.channels;
    found.push({
      id: newId(),
      server_id: club.server.id,
      message_id: newId(),
      channel_id: general.id,
      author_id: club.members[1]?.user_id ?? null,
      content: "Buy pawns",
      attachments: 0,
      reporters: [club.members[1]?.user_id ?? "", cyd.id],
      reasons: ["Spam again"],
      category: "spam",
      source: "member",
      status: "open",
      closed_by: null,
      note: null,
      created_at: madeAt,
      closed_at: null,
    });
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
