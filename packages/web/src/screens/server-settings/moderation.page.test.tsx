import type { AuditLogEntry, Ban } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { chooseInRow, confirmWith } from "../../page-stage/conversation.js";
import { madeAt, member, newId, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { openSettings, row } from "../../page-stage/settings.js";

const reason = () => page.getByRole("dialog").getByRole("textbox", { name: "Reason (optional)" });

test("a member is timed out with a reason, and the timeout is ended", async () => {
  const { server, socket, ben, club } = await openSettings("members");
  const about = { server_id: club.server.id, user_id: ben.id };
  server.on("POST /servers/:id/members/:user/timeout", () => {
    const timeout = { ...about, expires_at: "2099-01-01T00:00:00.000Z", reason: "Too loud" };
    socket.event("MEMBER_TIMEOUT", timeout);
    return { ...timeout, created_by: club.server.owner_id, created_at: madeAt };
  });
  server.on("DELETE /servers/:id/members/:user/timeout", () => socket.event("MEMBER_TIMEOUT_REMOVE", about));
  await chooseInRow(row("Members", ben.username), "Time out");
  await reason().fill("Too loud");
  await confirmWith("Time out");
  await shown(row("Members", ben.username).getByText(/2099/));
  expect(server.requests("POST /servers/:id/members/:user/timeout").at(-1)?.body).toMatchObject({ reason: "Too loud" });
  await chooseInRow(row("Members", ben.username), "End the timeout");
  await gone(row("Members", ben.username).getByText(/2099/));
});

test.each([
  ["Kick", "kick", "kicked"],
  ["Ban", "ban", "banned"],
] as const)("a member leaves the list with “%s”", async (action, name, left) => {
  const { server, socket, ben, club } = await openSettings("members");
  const address = `POST /servers/:id/members/:user/${name}`;
  server.on(address, () => socket.event("MEMBER_LEAVE", { server_id: club.server.id, user_id: ben.id, reason: left }));
  await chooseInRow(row("Members", ben.username), action);
  await reason().fill("Came back loud");
  await confirmWith(action);
  await gone(row("Members", ben.username));
  const [request] = server.requests(address);
  expect(request?.path).toContain(ben.id);
  expect(request?.body).toMatchObject({ reason: "Came back loud" });
});

test("a ban is listed with its reason, and lifted", async () => {
  const { server, socket, ben, club } = await openSettings("bans", (fresh, { server: { id }, members }) => {
    const ban: Ban = {
      user_id: members[1]?.user_id ?? "",
      server_id: id,
      banned_by: members[0]?.user_id ?? null,
      reason: "Came back loud",
      created_at: madeAt,
    };
    fresh.on("GET /servers/:id/bans", () => [ban]);
  });
  server.on("DELETE /servers/:id/bans/:user", () =>
    socket.event("MEMBER_UNBAN", { server_id: club.server.id, user_id: ben.id }),
  );
  await shown(row("Bans", ben.username).getByText("Came back loud"));
  await row("Bans", ben.username).getByRole("button", { name: "Lift ban" }).click();
  await shown(page.getByText("Nobody is banned."));
  expect(server.requests("DELETE /servers/:id/bans/:user").at(-1)?.path).toContain(ben.id);
});

test("the audit log shows the actions of one kind, and who handed the server over to whom", async () => {
  const entry = (server_id: string, changes: Partial<AuditLogEntry>): AuditLogEntry => ({
    id: newId(),
    server_id,
    actor_id: null,
    action: "member_ban",
    target_type: "user",
    target_id: null,
    details: {},
    ip_address: null,
    created_at: madeAt,
    ...changes,
  });
  const { server, ada, ben } = await openSettings("audit-log", (fresh, { server: { id }, members }) => {
    const [owner, other] = members.map(({ user_id }) => user_id);
    const ban = entry(id, { actor_id: owner ?? "", target_id: other ?? "", details: { reason: "Came back loud" } });
    const details = { from: owner, to: other };
    const handedOver = entry(id, { action: "owner_change", target_type: "server", target_id: id, details });
    fresh.on("GET /servers/:id/audit-logs", ({ query }) =>
      [ban, handedOver].filter(({ action }) => [null, "", action].includes(query.get("action"))),
    );
  });
  const entries = page.getByRole("main").getByRole("listitem");
  const handedOver = entries.filter({ hasText: "Server handed over" });
  await shown(handedOver.filter({ hasText: `From: ${ada.username} · To: ${ben.username}` }));
  await page.getByRole("combobox", { name: "Action" }).selectOptions("Member banned");
  await gone(handedOver);
  await shown(row("Audit log", ben.username).filter({ hasText: "Came back loud" }));
  expect(server.requests("GET /servers/:id/audit-logs").at(-1)?.query.get("action")).not.toBeNull();
});

test("a new member stands in the list of members at once", async () => {
  const { socket, club } = await openSettings("members");
  await shown(row("Members", "ben"));
  const cleo = member(user("cleo"));
  socket.event("MEMBER_JOIN", { server_id: club.server.id, member: cleo });
  await shown(row("Members", "cleo"));
});
