import { errorTexts, isUuid, searchHas, searchIs, text, trimmedText, uuidInput } from "@parley/contracts";
import { z } from "zod";
import { boundedLimit, pageLimitDefault, pageLimitMax } from "../../platform/http/page-limit.js";

/** Query text, in code points (docs/protocol/messages.md#7.7). */
const queryLengthMin = 2;
const queryLengthMax = 200;

const page = {
  before: uuidInput(errorTexts.before_invalid).optional(),
  limit: boundedLimit({ max: pageLimitMax, fallback: pageLimitDefault }),
};

/** Ids with commas between them, up to a number. */
const idsMax = 100;
const ids = z
  .string(errorTexts.invalid_identifier)
  .transform((value, context) => {
    const list = value.split(",").map((id) => id.trim().toLowerCase());
    if (list.length <= idsMax && list.every(isUuid)) return [...new Set(list)];
    context.addIssue(errorTexts.invalid_identifier);
    return z.NEVER;
  })
  .optional()
  .meta({ type: "string", description: "Ids, with commas between them" });

/** Values with commas between them, all of a list. */
const listOf = <T extends string>(known: readonly T[]) =>
  z
    .string()
    .transform((value, context) => {
      const list = value.split(",").flatMap((each) => known.find((one) => one === each) ?? []);
      if (list.length === value.split(",").length) return list;
      context.addIssue(errorTexts.search_list_invalid(known.join(", ")));
      return z.NEVER;
    })
    .optional()
    .meta({ type: "string", description: `With commas between them: ${known.join(", ")}` });

export const authorTypes = ["user", "bot", "webhook"] as const;
/** What a message may be without. */
export const withoutValues = [
  ...searchHas.map((each) => `has:${each}` as const),
  ...searchIs.map((each) => `is:${each}` as const),
];

/** Filters that programs have and people do not write (docs/protocol/search.md#programs). */
const ofPrograms = {
  author_type: listOf(authorTypes),
  without: listOf(withoutValues),
  newer_than: uuidInput(errorTexts.invalid_identifier).optional(),
  older_than: uuidInput(errorTexts.invalid_identifier).optional(),
};

/** The filters whose values have ids. */
const filterIds = { from: ids, mentions: ids, in: ids, server: ids };

/** Of everything (docs/protocol/search.md#35.1). */
export const everywhereQuery = z.object({
  q: text({ min: 0, max: 1_000, message: errorTexts.search_text_length }).default(""),
  ...{ ...filterIds, ...ofPrograms },
  sort: z.enum(["new", "old", "relevant"], errorTexts.search_sort_invalid).default("new"),
  offset: z
    .string(errorTexts.search_offset_range)
    .regex(/^\d{1,4}$/, errorTexts.search_offset_range)
    .default("0")
    .transform(Number)
    .meta({ type: "integer", minimum: 0, maximum: 9_999, default: 0 }),
  ...page,
});
export type EverywhereQuery = z.infer<typeof everywhereQuery>;

/** In one channel of direct messages. */
export const directSearchQuery = z.object({
  q: trimmedText({ min: queryLengthMin, max: queryLengthMax, message: errorTexts.search_query_length }),
  ...{ ...filterIds, ...page },
});
export const searchQuery = directSearchQuery.extend({
  channel_id: uuidInput(errorTexts.channel_id_invalid).optional(),
});
export type DirectSearchQuery = z.infer<typeof directSearchQuery>;
export type SearchQuery = z.infer<typeof searchQuery>;
