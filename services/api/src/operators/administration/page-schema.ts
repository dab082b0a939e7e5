import { errorTexts, text } from "@parley/contracts";
import { z } from "zod";

const pageMax = 1_000_000;
const perPageMax = 100;

const whole = (message: string, { max, fallback }: { max: number; fallback: number }) =>
  z
    .string(message)
    .regex(/^\d{1,9}$/, message)
    .optional()
    .transform((value) => (value === undefined ? fallback : Number(value)))
    .pipe(z.int().min(1, message).max(max, message))
    .meta({ type: "integer", minimum: 1, maximum: max, default: fallback });

/** A page of one of the lists of administration (docs/protocol/operators.md#18.1). */
export const pageQuery = z.object({
  page: whole(errorTexts.page_invalid, { max: pageMax, fallback: 1 }),
  per_page: whole(errorTexts.per_page_invalid, { max: perPageMax, fallback: 50 }),
  search: text({ min: 0, max: 100, message: errorTexts.search_length }).optional(),
});
export type PageQuery = z.infer<typeof pageQuery>;

export const userPageQuery = pageQuery.extend({
  sort_by: z
    .enum(["username", "created_at", "message_count", "storage_bytes"], errorTexts.sort_by_invalid)
    .default("created_at"),
});
export type UserPageQuery = z.infer<typeof userPageQuery>;

export const serverPageQuery = pageQuery.extend({
  sort_by: z.enum(["created_at", "storage_bytes"], errorTexts.server_sort_by_invalid).default("created_at"),
});
export type ServerPageQuery = z.infer<typeof serverPageQuery>;

/** Texts of the 400 for a page. */
export const pageErrors = [errorTexts.page_invalid, errorTexts.per_page_invalid, errorTexts.search_length];

/** The pattern of names that contain the text; `%`, `_` and `\` in it are literal. */
export function patternOf(search: string): string {
  return `%${search.replace(/[\\%_]/g, "\\$&")}%`;
}

/** Rows of a list in its order, or in the reverse one. */
export interface Slice {
  limit: number;
  offset: number;
  reversed: boolean;
}

/** A page of a list of that length, counted from the nearer end: an index is read from there to the page. */
export function sliceOf({ page, per_page }: PageQuery, total: number): Slice {
  const offset = (page - 1) * per_page;
  const limit = Math.max(Math.min(per_page, total - offset), 0);
  const after = total - offset - limit;
  return after < offset ? { limit, offset: Math.max(after, 0), reversed: true } : { limit, offset, reversed: false };
}
