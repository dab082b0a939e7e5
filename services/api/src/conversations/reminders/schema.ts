import { errorTexts, reminderTextLengthMax, text, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { instant } from "../../platform/http/input.js";

export const reminderBody = z
  .object({
    message_id: uuidInput(errorTexts.message_id_invalid).nullable().optional(),
    text: text({ min: 0, max: reminderTextLengthMax, message: errorTexts.reminder_text_length })
      .transform((value) => (value === "" ? null : value))
      .nullable()
      .optional(),
    at: instant(errorTexts.reminder_at_invalid).refine(
      (at) => at.getTime() > Date.now(),
      errorTexts.reminder_at_invalid,
    ),
  })
  .refine(({ message_id, text }) => message_id != null || text != null, errorTexts.reminder_empty);
export type ReminderBody = z.infer<typeof reminderBody>;

export const reminderErrors = [
  errorTexts.message_id_invalid,
  errorTexts.reminder_text_length,
  errorTexts.reminder_at_invalid,
  errorTexts.reminder_empty,
];
