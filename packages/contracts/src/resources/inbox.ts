import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";
import { reminderText } from "./reminder.js";
import { AnyMessage } from "./saved.js";
import { avatarUrl, displayName, username } from "./user.js";

/** What an item of an inbox is about (docs/protocol/inbox.md#33.1). */
export const inboxKinds = ["mention", "reply", "thread", "reaction", "invite", "reminder", "poll"] as const;
export type InboxKind = (typeof inboxKinds)[number];

const unread = z.int().meta({ minimum: 0, example: 1 });
/** The unread items of an inbox, of the kinds that badges count. */
export const InboxUnread = z.object({ mention: unread, reply: unread, thread: unread }).meta({ id: "InboxUnread" });
export type InboxUnread = z.infer<typeof InboxUnread>;

/** The account that caused an item. */
export const InboxActor = z.object({ id: uuid, username, avatar_url: avatarUrl, ...displayName });
export type InboxActor = z.infer<typeof InboxActor>;

/** The reminder of an item. */
export const InboxReminder = z.object({ id: uuid, text: reminderText });

/** An item of an inbox. */
export const InboxItem = z
  .object({
    id: uuid.meta({ description: "Of the message, where the item is a mention, a reply or of a thread" }),
    kind: z.enum(inboxKinds),
    message: AnyMessage.nullable().meta({
      description: "Null on invitations, and on reminders of none that may be seen",
    }),
    server_id: uuid.nullable(),
    channel_id: uuid.nullable(),
    by: InboxActor.nullable().meta({
      description: "Null on reminders and polls that have ended, and when the account is gone",
    }),
    reminder: InboxReminder.optional().meta({ description: "On reminders only" }),
    created_at: timestamp,
    read: z.boolean(),
  })
  .meta({ id: "InboxItem" });
export type InboxItem = z.infer<typeof InboxItem>;

/** A page of an inbox, newest first, and the unread items of the whole. */
export const InboxPage = z.object({ items: z.array(InboxItem), unread: InboxUnread }).meta({ id: "InboxPage" });
export type InboxPage = z.infer<typeof InboxPage>;
