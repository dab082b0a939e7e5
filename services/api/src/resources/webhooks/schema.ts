import { errorTexts, nameText, type WebhookEventType, webhookEventTypes } from "@parley/contracts";
import { z } from "zod";
import { deliveryUrl, nonNull } from "../../http/input.js";

const name = nameText({ min: 1, max: 100, message: errorTexts.webhook_name_length });

const url = deliveryUrl({ invalid: errorTexts.webhook_url_scheme, tooLong: errorTexts.webhook_url_length });

/** Looked at up to the first unknown one: an issue for each would make a long list slow. */
const eventTypes = z
  .array(z.unknown(), errorTexts.event_types_required)
  .min(1, errorTexts.event_types_required)
  .transform((types, context) => {
    const known = new Set<WebhookEventType>();
    for (const type of types) {
      const eventType = webhookEventTypes.find((name) => name === type);
      if (eventType === undefined) {
        context.addIssue(errorTexts.event_type_unknown(typeof type === "string" ? type : JSON.stringify(type)));
        return z.NEVER;
      }
      known.add(eventType);
    }
    return [...known];
  })
  .meta({ type: "array", items: { type: "string", enum: [...webhookEventTypes] } });

export const createWebhookBody = z.object({ name, url, event_types: eventTypes });
export type CreateWebhook = z.infer<typeof createWebhookBody>;

export const updateWebhookBody = z.object({
  name: nonNull(name),
  url: nonNull(url),
  event_types: nonNull(eventTypes),
  enabled: nonNull(z.boolean(errorTexts.enabled_not_boolean)),
});
export type UpdateWebhook = z.infer<typeof updateWebhookBody>;
