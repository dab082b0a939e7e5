import type { InstanceReport } from "@parley/client";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { messageWith } from "../../page-stage/conversation.js";
import { channelPath, community, madeAt, message, newId, user } from "../../page-stage/fixtures.js";
import { gone, shown } from "../../page-stage/seeing.js";
import { visit } from "../../page-stage/stage.js";
import { world } from "../../page-stage/world.js";

// A reported message, from its reader to those who review it, is in tools/e2e/src/web/moderation.test.ts.

const dialog = () => page.getByRole("dialog");

test("a user is reported, with a kind and a reason", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  club.messages[general.id] = [message(general, ben, "something rude")];
  const { server } = await visit(world(ada, [club]), { path: channelPath(general) });
  server.on("POST /users/:id/report", () => ({ id: newId() }));
  await messageWith("something rude").getByRole("button", { name: ben.username }).first().click({ button: "right" });
  await page.getByRole("menuitem", { name: "Report", exact: true }).click();
  await dialog().getByRole("combobox", { name: "What is it?" }).selectOptions("Spam");
  await dialog().getByRole("textbox", { name: "What’s wrong with it?" }).fill("sends the same everywhere");
  await dialog().getByRole("button", { name: "Report", exact: true }).click();
  await shown(page.getByText("Thank you. It was reported."));
  await gone(dialog());
  const [sent] = server.requests("POST /users/:id/report");
  expect([sent?.path, sent?.body]).toEqual([
    `/users/${ben.id}/report`,
    { category: "spam", reason: "sends the same everywhere" },
  ]);
});

test("a reported user appears to the administrators of the installation, who close it", async () => {
  const [admin, ben] = [user("the_admin", { is_admin: true }), user("ben")];
  const report: InstanceReport = {
    ...{ id: newId(), author_id: ben.id, content: ben.username, attachments: 0, reporters: [newId()] },
    ...{ reasons: ["sends the same everywhere"], category: "spam", source: "member", status: "open" },
    ...{ closed_by: null, note: null, created_at: madeAt, closed_at: null, target_type: "user", target_id: ben.id },
  };
  const { server } = await visit(world(admin), {
    path: "/admin/reports",
    prepare: (fresh) => fresh.on("GET /admin/reports", () => [report]),
  });
  server.on<Partial<InstanceReport>>("PATCH /admin/reports/:report", ({ body }) => ({
    ...{ ...report, ...body, closed_by: admin.id, closed_at: madeAt },
  }));
  const row = page.getByRole("listitem").filter({ hasText: ben.username }).filter({ hasText: "sends the same" });
  await row.getByRole("button", { name: "Close" }).click();
  await dialog().getByRole("button", { name: "Close", exact: true }).last().click();
  await gone(row);
  expect(server.requests("PATCH /admin/reports/:report").map(({ body }) => body)).toMatchObject([{ status: "closed" }]);
});
