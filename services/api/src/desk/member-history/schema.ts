import { errorTexts, text, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { pageLimit } from "../../platform/http/page-limit.js";

export const historyQuery = z.object({
  before: uuidInput(errorTexts.before_invalid).optional(),
  limit: pageLimit,
});
export type HistoryQuery = z.infer<typeof historyQuery>;

export const noteBody = z.object({ text: text({ min: 1, max: 2000, message: errorTexts.note_text_length }) });
