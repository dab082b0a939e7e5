import { errorTexts } from "@parley/contracts";
import { z } from "zod";

export const pageLimitDefault = 50;
export const pageLimitMax = 100;

/** The query parameter `limit` of lists that clamp it to 1–max; a non-integer is 400. */
export function clampedLimit({ max, fallback }: { max: number; fallback: number }) {
  return z
    .string(errorTexts.limit_not_integer)
    .regex(/^[+-]?\d+$/, errorTexts.limit_not_integer)
    .optional()
    .transform((value) => (value === undefined ? fallback : Math.min(Math.max(Number(value), 1), max)))
    .meta({ type: "integer", default: fallback, description: `Clamped to 1–${max}` });
}

/** The query parameter `limit` of paged lists (docs/protocol/requests.md#1.5). */
export const pageLimit = clampedLimit({ max: pageLimitMax, fallback: pageLimitDefault });

/** The query parameter `limit` of lists that refuse values out of bounds, with 400. */
export function boundedLimit({ max, fallback }: { max: number; fallback: number }) {
  const message = errorTexts.limit_range(max);
  return z
    .string(message)
    .regex(/^\d{1,9}$/, message)
    .optional()
    .transform((value) => (value === undefined ? fallback : Number(value)))
    .pipe(z.int().min(1, message).max(max, message))
    .meta({ type: "integer", minimum: 1, maximum: max, default: fallback });
}
