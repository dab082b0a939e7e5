import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";

/** The key by which push services recognise the installation (docs/protocol/notifications.md#26.2). */
export const PushKey = z
  .object({
    public_key: z.string().meta({ description: "VAPID (RFC 8292): a point of P-256, uncompressed, base64url" }),
  })
  .meta({ id: "PushKey" });
export type PushKey = z.infer<typeof PushKey>;

/** A device that gets pushes, without the keys that they are sent with. */
export const PushSubscription = z
  .object({
    id: uuid,
    label: z.string().nullable(),
    created_at: timestamp,
    last_used_at: timestamp.nullable().meta({ description: "When its push service last took a push" }),
  })
  .meta({ id: "PushSubscription" });
export type PushSubscription = z.infer<typeof PushSubscription>;

/** The devices of an account, oldest first. */
export const PushSubscriptionList = z
  .object({ subscriptions: z.array(PushSubscription) })
  .meta({ id: "PushSubscriptionList" });
export type PushSubscriptionList = z.infer<typeof PushSubscriptionList>;

/** A push about messages of a channel (docs/protocol/notifications.md#26.2). */
export interface MessagePush {
  type: "message";
  title: string;
  /** Absent when the account wants no contents. */
  text?: string;
  server_id: string | null;
  channel_id: string;
  message_id: string;
  /** Path of the message in the web application. */
  url: string;
  /** The channel: one notification is shown of it, the last one. */
  tag: string;
  /** Messages that the push is for. */
  count: number;
}

/** Notifies a device that a channel was read elsewhere. */
export interface ReadPush {
  type: "read";
  tag: string;
}
