import { errorTexts, Webhook, WebhookDelivery, webhooksPerServerMax } from "@parley/contracts";
import { deliveryQueueMax, serverDeliveriesMax, webhookDeliveriesMax } from "@parley/messaging";
import { z } from "zod";
import { ofServer } from "../../access/may.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, none, ok, type Route, route } from "../../platform/http/route.js";
import { manageWebhooks } from "./access.js";
import type { WebhookDeliveries } from "./deliveries.js";
import { toWebhook, WebhookWithSecret } from "./resource.js";
import { createWebhookBody, updateWebhookBody } from "./schema.js";
import { namedWebhook, type WebhookService } from "./service.js";

const base = "/servers/:server_id/webhooks";
const one = `${base}/:webhook_id`;
const serverParams = z.object({ server_id: identifier });
const params = serverParams.extend({ webhook_id: identifier });
const inputErrors = [
  errorTexts.webhook_name_length,
  errorTexts.webhook_url_scheme,
  errorTexts.webhook_url_length,
  errorTexts.event_types_required,
  errorTexts.event_type_unknown("<x>"),
];
const ofWebhook = ofServer(manageWebhooks, namedWebhook);
const accepted = { status: 202, description: "Accepted", schema: z.object({ message: z.string() }) } as const;

export function webhookRoutes(webhooks: WebhookService, deliveries: WebhookDeliveries): Route[] {
  return [
    route(
      {
        method: "post",
        path: base,
        name: "webhooks.create",
        summary: "Create a webhook; its secret is shown only here",
        description:
          "Every delivery is signed with the secret: `X-Service-Signature-256` is `sha256=` and the hex HMAC-SHA256 of the " +
          "body, keyed with the 64 characters as they are. The headers of Standard Webhooks are sent too; their " +
          "libraries take the same key as `whsec_` and the base64 of the 64 characters.",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE"],
        params: serverParams,
        may: ofServer(manageWebhooks),
        body: createWebhookBody,
        success: created(WebhookWithSecret),
        errors: { invalid_input: [...inputErrors, errorTexts.webhooks_limit_reached(webhooksPerServerMax)] },
      },
      ({ may, body }) => webhooks.create(may, body),
    ),
    route(
      {
        method: "get",
        path: base,
        name: "webhooks.list",
        summary: "List a server's webhooks, oldest first",
        caller: "account",
        params: serverParams,
        may: ofServer(manageWebhooks),
        success: ok(z.object({ webhooks: z.array(Webhook) })),
      },
      async ({ may }) => ({ webhooks: await webhooks.list((await may.access()).serverId) }),
    ),
    route(
      {
        method: "get",
        path: one,
        name: "webhooks.get",
        summary: "Get a webhook",
        caller: "account",
        params,
        may: ofWebhook,
        success: ok(Webhook),
      },
      async ({ may }) => toWebhook((await may.access()).found),
    ),
    route(
      {
        method: "patch",
        path: one,
        name: "webhooks.update",
        summary: "Update a webhook",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE"],
        params,
        may: ofWebhook,
        body: updateWebhookBody,
        success: ok(Webhook),
        errors: { invalid_input: [...inputErrors, errorTexts.enabled_not_boolean] },
      },
      ({ may, body }) => webhooks.update(may, body),
    ),
    route(
      {
        method: "delete",
        path: one,
        name: "webhooks.delete",
        summary: "Delete a webhook and drop its queued deliveries",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE"],
        params,
        may: ofWebhook,
        success: noContent(),
      },
      ({ may }) => webhooks.delete(may),
    ),
    route(
      {
        method: "post",
        path: `${one}/rotate-secret`,
        name: "webhooks.rotateSecret",
        summary: "Give a webhook another secret, which is shown only here",
        description:
          "Every attempt that begins afterwards is signed with the new secret, also those of deliveries that were queued " +
          "before. An attempt under way keeps the signature that it was sent with: a receiver that must miss nothing " +
          "accepts both secrets for half a minute.",
        caller: "account",
        causes: none("the secret is shown once, in the answer"),
        params,
        may: ofWebhook,
        success: ok(WebhookWithSecret),
      },
      ({ may }) => webhooks.rotateSecret(may),
    ),
    ...deliveryRoutes(webhooks, deliveries),
  ];
}

/** Pings, and the log of deliveries. */
function deliveryRoutes(webhooks: WebhookService, deliveries: WebhookDeliveries): Route[] {
  return [
    route(
      {
        method: "post",
        path: `${one}/test`,
        name: "webhooks.test",
        summary: "Queue a ping; a disabled webhook gets none",
        caller: "account",
        causes: none("the log of deliveries is read when a page shows it"),
        params,
        may: ofWebhook,
        success: accepted,
        errors: { unavailable: [errorTexts.unavailable] },
      },
      async ({ may }) => {
        await deliveries.ping((await may.access()).found.id);
        return { message: "Test event queued" };
      },
    ),
    route(
      {
        method: "get",
        path: `${one}/deliveries`,
        name: "webhooks.deliveries",
        summary: "Read a webhook's latest deliveries, newest first",
        description:
          "A delivery appears with its first attempt, or as `dropped` when it found no room: the queue holds " +
          `${deliveryQueueMax} waiting deliveries, of these ${webhookDeliveriesMax} of one webhook and ` +
          `${serverDeliveriesMax} of one server. The latest 100 are kept.`,
        caller: "account",
        params,
        may: ofWebhook,
        success: ok(z.object({ deliveries: z.array(WebhookDelivery) })),
      },
      async ({ may }) => ({ deliveries: await webhooks.listDeliveries((await may.access()).found) }),
    ),
    route(
      {
        method: "post",
        path: `${one}/deliveries/:delivery_id/redeliver`,
        name: "webhooks.redeliver",
        summary: "Queue a delivery again, with the same id and bytes; a disabled webhook gets none",
        caller: "account",
        causes: none("the log of deliveries is read when a page shows it"),
        params: params.extend({ delivery_id: identifier }),
        may: ofWebhook,
        success: accepted,
        errors: {
          not_found: [errorTexts.delivery_not_found],
          unavailable: [errorTexts.unavailable],
        },
      },
      async ({ may, params }) => {
        await deliveries.redeliver((await may.access()).found.id, params.delivery_id);
        return { message: "Delivery queued" };
      },
    ),
  ];
}
