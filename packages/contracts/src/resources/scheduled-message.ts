import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";
import { messageContentField } from "./message.js";

const planned = { id: uuid, send_at: timestamp };

/** The answer to a message with `send_at` (docs/protocol/later.md#33.4). */
export const PlannedMessage = z.object(planned).meta({ id: "PlannedMessage" });
export type PlannedMessage = z.infer<typeof PlannedMessage>;

/** A message that is sent at a later time. */
export const ScheduledMessage = z
  .object({
    ...planned,
    channel_id: uuid,
    thread_id: uuid.nullable(),
    content: messageContentField,
    reply_to: uuid.nullable(),
    created_at: timestamp,
    error: z
      .object({ code: z.string(), message: z.string().meta({ maxLength: 500 }) })
      .nullable()
      .meta({ description: "Why it was refused at its time; then it is not sent" }),
  })
  .meta({ id: "ScheduledMessage" });
export type ScheduledMessage = z.infer<typeof ScheduledMessage>;

/** The scheduled messages of an account, the next one first. */
export const ScheduledMessageList = z
  .object({ scheduled_messages: z.array(ScheduledMessage) })
  .meta({ id: "ScheduledMessageList" });
export type ScheduledMessageList = z.infer<typeof ScheduledMessageList>;
