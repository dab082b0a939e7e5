import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";
import { avatarUrl } from "./user.js";

/** An incoming webhook: an address that sends every post to it into a channel (docs/protocol/webhooks.md#25.5). */
export const IncomingWebhook = z
  .object({
    id: uuid,
    name: z.string().meta({ minLength: 1, maxLength: 80, example: "Builds" }),
    channel_id: uuid,
    avatar_url: avatarUrl,
    created_by: uuid.nullable(),
    created_at: timestamp,
  })
  .meta({ id: "IncomingWebhook" });
export type IncomingWebhook = z.infer<typeof IncomingWebhook>;

/** The same with its token, which is shown once: everybody with the token may send. */
export const IncomingWebhookWithToken = IncomingWebhook.extend({
  token: z.string().meta({ pattern: "^[0-9a-f]{64}$" }),
  path: z.string().meta({
    description: "Where to post, relative to the API's base",
    example: "/hooks/0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60/5ab1",
  }),
}).meta({ id: "IncomingWebhookWithToken" });
export type IncomingWebhookWithToken = z.infer<typeof IncomingWebhookWithToken>;
