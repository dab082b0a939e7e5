import { clearableHttpUrl, errorTexts, nameText, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { nonNull } from "../../platform/http/input.js";

const name = nameText({ min: 1, max: 80, message: errorTexts.incoming_webhook_name_length });
const channelId = uuidInput(errorTexts.channel_id_invalid);

export const createIncomingWebhookBody = z.object({
  channel_id: channelId,
  name,
  avatar_url: clearableHttpUrl("avatar_url").optional(),
});
export type CreateIncomingWebhook = z.infer<typeof createIncomingWebhookBody>;

export const updateIncomingWebhookBody = z.object({
  channel_id: nonNull(channelId),
  name: nonNull(name),
  avatar_url: clearableHttpUrl("avatar_url").optional(),
});
export type UpdateIncomingWebhook = z.infer<typeof updateIncomingWebhookBody>;

/** The same for a request with the token: the webhook stays in its channel. */
export const updateByTokenBody = updateIncomingWebhookBody.omit({ channel_id: true });
