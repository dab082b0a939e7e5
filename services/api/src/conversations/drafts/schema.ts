import { errorTexts, text, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { instant } from "../../platform/http/input.js";

/** Null or nothing deletes the draft. Of two writers the one with the later `updated_at` wins, by default now. */
export const draftBody = z.object({
  content: text({ min: 0, max: 4000, message: errorTexts.message_content_length })
    .nullable()
    .transform((content) => (content === "" ? null : content)),
  reply_to: uuidInput(errorTexts.reply_to_invalid).nullish(),
  thread_id: uuidInput(errorTexts.thread_id_invalid).nullish(),
  updated_at: instant(errorTexts.updated_at_invalid).optional(),
});
export type DraftBody = z.infer<typeof draftBody>;
