import { errorTexts, trimmedText, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { boundedLimit, pageLimitDefault, pageLimitMax } from "../../platform/http/page-limit.js";

/** Query text, in code points (docs/protocol/messages.md#7.7). */
const queryLengthMin = 2;
const queryLengthMax = 200;

export const searchQuery = z.object({
  q: trimmedText({
    min: queryLengthMin,
    max: queryLengthMax,
    message: errorTexts.search_query_length,
  }),
  channel_id: uuidInput(errorTexts.channel_id_invalid).optional(),
  before: uuidInput(errorTexts.before_invalid).optional(),
  limit: boundedLimit({ max: pageLimitMax, fallback: pageLimitDefault }),
});
/** In one channel of direct messages. */
export const directSearchQuery = searchQuery.omit({ channel_id: true });
export type DirectSearchQuery = z.infer<typeof directSearchQuery>;
export type SearchQuery = z.infer<typeof searchQuery>;
