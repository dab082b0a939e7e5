import { z } from "zod";
import { timestampExample, uuid } from "./identifiers.js";

/** The messages that an account is notified of (docs/protocol/notifications.md#26.1). */
export const notificationLevels = ["all", "mentions", "nothing"] as const;
export type NotificationLevel = (typeof notificationLevels)[number];

/** Which mails an account gets. */
export const notificationMails = ["off", "mentions", "daily"] as const;

const level = z.enum(notificationLevels);
const ownLevel = level.nullable().meta({ description: "Null: that of what it is in" });
const mutedUntil = z.string().nullable().meta({
  description: "A timestamp until which nothing is heard of it, mentions included, or `forever`",
  example: timestampExample,
});
const byId = <Z extends z.ZodType>(entry: Z) => z.record(uuid, entry);

/** The settings for a server. */
export const ServerNotifications = z.object({
  level: ownLevel,
  muted_until: mutedUntil,
  suppress_everyone: z.boolean(),
});
/** The settings for a channel or a conversation. */
export const ChannelNotifications = z.object({ level: ownLevel, muted_until: mutedUntil });
/** The settings for a thread, whose id is that of its root message. */
export const ThreadNotifications = z.object({ level: ownLevel });

/** The notification settings of an account, for every device. */
export const NotificationSettings = z
  .object({
    default: z.object({ level }),
    servers: byId(ServerNotifications),
    channels: byId(ChannelNotifications).meta({ description: "Those of direct messages, too" }),
    threads: byId(ThreadNotifications).meta({ description: "By the ids of their root messages" }),
    quiet: z
      .object({ from: z.string(), to: z.string() })
      .nullable()
      .meta({ description: "Local times between which nothing is sent", example: { from: "22:00", to: "07:00" } }),
    timezone: z.string().meta({ description: "Of the IANA", example: "Europe/Berlin" }),
    push: z.object({
      enabled: z.boolean(),
      content: z.boolean().meta({ description: "Whether pushes have the text of messages" }),
    }),
    mail: z.enum(notificationMails),
  })
  .meta({ id: "NotificationSettings" });
export type NotificationSettings = z.infer<typeof NotificationSettings>;
