import { clearableText, errorTexts, saveNoteLengthMax, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { pageLimit } from "../../platform/http/page-limit.js";

/** Without `note` the one that there is stays. */
export const saveBody = z.object({
  note: clearableText(saveNoteLengthMax, errorTexts.save_note_length).optional(),
});

/** `before` is a message that is saved. */
export const savedQuery = z.object({ before: uuidInput(errorTexts.before_invalid).optional(), limit: pageLimit });
export type SavedQuery = z.infer<typeof savedQuery>;
