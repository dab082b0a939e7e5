import { errorTexts, nameText, webhookEventTypes } from "@parley/contracts";
import { z } from "zod";
import { deliveryUrl, namesOf, nonNull } from "../../platform/http/input.js";

const name = nameText({ min: 1, max: 100, message: errorTexts.webhook_name_length });

const url = deliveryUrl({ invalid: errorTexts.webhook_url_scheme, tooLong: errorTexts.webhook_url_length });

const eventTypes = namesOf(webhookEventTypes, {
  min: 1,
  list: errorTexts.event_types_required,
  unknown: errorTexts.event_type_unknown,
});

export const createWebhookBody = z.object({ name, url, event_types: eventTypes });
export type CreateWebhook = z.infer<typeof createWebhookBody>;

export const updateWebhookBody = z.object({
  name: nonNull(name),
  url: nonNull(url),
  event_types: nonNull(eventTypes),
  enabled: nonNull(z.boolean(errorTexts.enabled_not_boolean)),
});
export type UpdateWebhook = z.infer<typeof updateWebhookBody>;
