import { isStorableText, text, trimmedText, type WebhookEventType, webhookEventTypes } from "@parley/contracts";
import { z } from "zod";
import { unclearable } from "../../http/input.js";
import { webhookUrlLengthMax } from "./limits.js";

/** Texts of the 400 answers (docs/interface.md#13.1). */
export const webhookInputErrors = {
  name: "Webhook name must be 1-100 characters",
  scheme: "Webhook URL must use http:// or https://",
  urlLength: `Webhook URL must be at most ${webhookUrlLengthMax} characters`,
  noEvent: "event_types must contain at least one event",
  unknownEvent: (type: unknown) => `Unknown event type '${typeof type === "string" ? type : JSON.stringify(type)}'`,
  enabled: "enabled must be a boolean",
} as const;

const name = trimmedText({ min: 1, max: 100, message: webhookInputErrors.name });

const url = z
  .string(webhookInputErrors.scheme)
  .refine((value) => isStorableText(value) && /^https?:\/\//i.test(value) && URL.canParse(value), {
    message: webhookInputErrors.scheme,
    abort: true,
  })
  .pipe(text({ min: 0, max: webhookUrlLengthMax, message: webhookInputErrors.urlLength }));

/** Looked at up to the first unknown one: an issue for each would make a long list slow. */
const eventTypes = z
  .array(z.unknown(), webhookInputErrors.noEvent)
  .min(1, webhookInputErrors.noEvent)
  .transform((types, context) => {
    const known = new Set<WebhookEventType>();
    for (const type of types) {
      const eventType = webhookEventTypes.find((name) => name === type);
      if (eventType === undefined) {
        context.addIssue(webhookInputErrors.unknownEvent(type));
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
  name: unclearable(name),
  url: unclearable(url),
  event_types: unclearable(eventTypes),
  enabled: unclearable(z.boolean(webhookInputErrors.enabled)),
});
export type UpdateWebhook = z.infer<typeof updateWebhookBody>;
