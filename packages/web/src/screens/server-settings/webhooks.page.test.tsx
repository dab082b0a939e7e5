import type { Webhook, WebhookDelivery, WebhooksCreateBody } from "@parley/client";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { chooseInRow, copyWith } from "../../page-stage/conversation.js";
import { madeAt, newId } from "../../page-stage/fixtures.js";
import { counted, gone, shown } from "../../page-stage/seeing.js";
import { button, openSettings, row } from "../../page-stage/settings.js";

const delivery = (webhook_id: string): WebhookDelivery => ({
  id: newId(),
  webhook_id,
  event: "message.created",
  status: "delivered",
  attempts: 1,
  response_status: 200,
  duration_ms: 12,
  error: null,
  created_at: madeAt,
  finished_at: madeAt,
});

test("a webhook is made with a secret that is shown once, and delivers again", async () => {
  const { server } = await openSettings("webhooks", (fresh) => {
    fresh.on("GET /servers/:id/webhooks", () => ({ webhooks: [] }));
  });
  server.on<WebhooksCreateBody>("POST /servers/:id/webhooks", ({ params: { id = "" }, body }) => {
    const { name, url, event_types } = body;
    const times = { last_used_at: null, created_at: madeAt, updated_at: madeAt };
    const of = { id: newId(), server_id: id, created_by: null, enabled: true, delivery_failures: 0, ...times };
    const webhook: Webhook = { ...of, name, url, event_types };
    return { webhook, secret: "whsec_of_the_results" };
  });
  const deliveries: WebhookDelivery[] = [];
  server.on("GET /servers/:id/webhooks/:webhook/deliveries", () => ({ deliveries: deliveries.toReversed() }));
  server.on("POST /servers/:id/webhooks/:webhook/deliveries/:delivery/redeliver", ({ params: { webhook = "" } }) => {
    deliveries.push(delivery(webhook));
    return { message: "Redelivery queued" };
  });

  await page.getByRole("textbox", { name: "Name" }).fill("Results");
  await page.getByRole("textbox", { name: "URL" }).fill("https://results.example/hook");
  await page.getByRole("checkbox", { name: "Message sent" }).click();
  await button("Create a webhook").click();
  const secret = page.getByRole("region", { name: "Results" });
  await shown(secret.getByText("Copy it now: you won’t see it again"));
  expect(await copyWith(secret.getByRole("button", { name: "Copy" }))).toBe("whsec_of_the_results");
  const [made] = server.requests("POST /servers/:id/webhooks");
  expect(made?.body).toEqual({
    name: "Results",
    url: "https://results.example/hook",
    event_types: ["message.created"],
  });

  deliveries.push(delivery(newId()));
  await chooseInRow(row("Outgoing webhooks", "Results"), "Deliveries");
  const dialog = page.getByRole("dialog", { name: "Deliveries of Results" });
  await shown(dialog.getByText("Delivered", { exact: true }));
  await dialog.getByRole("button", { name: "Deliver again" }).click();
  await counted(dialog.getByText("Delivered", { exact: true }), 2);
  const again = server.requests("POST /servers/:id/webhooks/:webhook/deliveries/:delivery/redeliver");
  expect(again.map(({ path }) => path.includes(deliveries[0]?.id ?? "none"))).toEqual([true]);
  await userEvent.keyboard("{Escape}");
  await gone(dialog);
});
