import type { IncomingWebhook } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { findingsInBothSchemes } from "../../page-stage/findings.js";
import { madeAt, newId } from "../../page-stage/fixtures.js";
import { shown } from "../../page-stage/seeing.js";
import { button, openSettings, row } from "../../page-stage/settings.js";

test("an incoming webhook is made and tried in the settings", async () => {
  const webhooks: IncomingWebhook[] = [];
  const { server, club, ada } = await openSettings("incoming-webhooks", (fresh) =>
    fresh.on("GET /servers/:id/incoming-webhooks", () => ({ webhooks })),
  );
  const token = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
  server.on<{ name: string; channel_id: string }>("POST /servers/:id/incoming-webhooks", ({ body }) => {
    const about = { avatar_url: null, created_by: ada.id, created_at: madeAt };
    const made: IncomingWebhook = { id: newId(), name: body.name, channel_id: body.channel_id, ...about };
    webhooks.push(made);
    return { ...made, token, path: `/hooks/${made.id}/${token}` };
  });
  server.on("POST /hooks/:id/:token", () => undefined);
  const main = page.getByRole("main");
  await main.getByRole("textbox", { name: "Name" }).fill("Builds");
  await button("Create an incoming webhook").click();
  await shown(row("Incoming webhooks", "Builds"));
  await expect.element(main.getByCss("pre")).toHaveTextContent(`/hooks/${webhooks[0]?.id}/${token}`);
  expect(webhooks[0]?.channel_id).toBe(club.channels[0].id);
  await button("Send a test message").click();
  await expect
    .poll(() => server.requests("POST /hooks/:id/:token").map(({ body }) => body))
    .toEqual([{ content: "A test message of Builds." }]);
  // An element under the mouse has other colours.
  await userEvent.hover(page.getByRole("heading", { level: 2 }).first());
  expect(await findingsInBothSchemes()).toEqual([]);
});
