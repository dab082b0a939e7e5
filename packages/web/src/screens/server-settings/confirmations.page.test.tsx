import type { CustomEmoji, Invite, Retention } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { chooseInRow, confirmWith, menuOf } from "../../page-stage/conversation.js";
import { emoji, madeAt, newId } from "../../page-stage/fixtures.js";
import { focused, pressAt } from "../../page-stage/keys.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { openSettings, row } from "../../page-stage/settings.js";

// The page asks before actions that cannot be undone, and an answer of no leaves everything as it was.

test("an invite goes after a question, and the focus stays with who answers no", async () => {
  const invite = { id: newId(), code: "Xy12Za34", created_by: null, max_uses: null, uses: 0, expires_at: null };
  const invites: Invite[] = [];
  const stage = await openSettings("invites", (server, { server: { id } }) => {
    invites.push({ ...invite, server_id: id, created_at: madeAt });
    server.on("GET /servers/:id/invites", () => invites);
  });
  stage.server.on("DELETE /servers/:id/invites/:invite", ({ params: { invite: revoked = "" } }) => {
    stage.socket.event("INVITE_DELETE", { server_id: stage.club.server.id, invite_id: revoked });
  });
  const revoked = () => stage.server.requests("DELETE /servers/:id/invites/:invite").map(({ path }) => path);
  const entry = row("Invites", "/app/invite/");
  await pressAt(menuOf(entry), "{Enter}");
  await pressAt(page.getByRole("menuitem", { name: "Revoke" }), "{Enter}");
  await shown(page.getByRole("dialog", { name: `Revoke the invite ${invite.code}?` }));
  await userEvent.keyboard("{Escape}");
  await gone(page.getByRole("dialog"));
  await focused(page.getByRole("button", { name: `More options for ${invite.code}` }));
  expect(revoked()).toEqual([]);
  await chooseInRow(entry, "Revoke");
  await confirmWith("Revoke");
  await shown(page.getByText("There are no invites yet."));
  expect(revoked()).toEqual([`/servers/${stage.club.server.id}/invites/${invite.id}`]);
});

test("an emoji goes after a question, and the focus stays with who answers no", async () => {
  const rooks: CustomEmoji[] = [];
  const { server } = await openSettings("emoji", (fake, club) => {
    const rook = emoji(club.server, "rook", { url: "/app/icon-192.png" });
    rooks.push(rook);
    club.emojis.push(rook);
    fake.on("DELETE /servers/:id/emojis/:emoji", () => undefined);
  });
  const deleted = () => server.requests("DELETE /servers/:id/emojis/:emoji").map(({ path }) => path);
  const rook = page.getByRole("main").getByRole("listitem").filter({ hasText: ":rook:" });
  await chooseInRow(rook, "Delete");
  await shown(page.getByRole("dialog", { name: "Delete :rook:?" }));
  await confirmWith("Cancel");
  await focused(page.getByRole("button", { name: "More options for :rook:" }));
  expect(deleted()).toEqual([]);
  await chooseInRow(rook, "Delete");
  await confirmWith("Delete");
  await gone(rook);
  expect(deleted()).toEqual([expect.stringContaining(`/emojis/${rooks[0]?.id}`)]);
});

test("a retention that deletes messages is asked about, a longer one is not", async () => {
  const { server } = await openSettings("overview", (fake) => {
    const none: Retention = { retention_days: null, instance_retention_days: null };
    fake.on("GET /servers/:id/retention", () => none);
    fake.on<Partial<Retention>>("PUT /servers/:id/retention", ({ body }) => ({ ...none, ...body }));
  });
  const stored = () => server.requests("PUT /servers/:id/retention").map(({ body }) => body);
  const panel = page.getByRole("region", { name: "Retention" });
  const days = panel.getByRole("spinbutton");
  const save = panel.getByRole("button", { name: "Save" });
  await days.fill("30");
  await save.click();
  await shown(page.getByRole("dialog", { name: "Delete everything older than 30 days?" }));
  await confirmWith("Cancel");
  expect(stored()).toEqual([]);
  await save.click();
  await confirmWith("Delete older messages");
  await shown(panel.getByText("Saved."));
  expect(stored()).toEqual([{ retention_days: 30 }]);
  await days.fill("60");
  await gone(panel.getByText("Saved."));
  await save.click();
  await shown(panel.getByText("Saved."));
  expect(stored()).toEqual([{ retention_days: 30 }, { retention_days: 60 }]);
});
