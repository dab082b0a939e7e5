import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";

/** Code points of the text of a reminder, at most. */
export const reminderTextLengthMax = 500;

export const reminderText = z
  .string()
  .nullable()
  .meta({ minLength: 1, maxLength: reminderTextLengthMax, example: "Book the hall" });

/** A reminder that waits for its time (docs/protocol/later.md#33.4). */
export const Reminder = z
  .object({
    id: uuid,
    message_id: uuid.nullable().meta({ description: "Of a channel or a direct message" }),
    text: reminderText,
    at: timestamp,
    created_at: timestamp,
  })
  .meta({ id: "Reminder" });
export type Reminder = z.infer<typeof Reminder>;

/** The reminders of an account, the next one first. */
export const ReminderList = z.object({ reminders: z.array(Reminder) }).meta({ id: "ReminderList" });
export type ReminderList = z.infer<typeof ReminderList>;
