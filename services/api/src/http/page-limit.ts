import { z } from "zod";

export const pageLimitDefault = 50;
export const pageLimitMax = 100;

/** The query parameter `limit` of paged lists: clamped to 1–100, a non-integer is 400 (contract.md 1.5). */
export const pageLimit = z
  .string("limit must be an integer")
  .regex(/^[+-]?\d+$/, "limit must be an integer")
  .optional()
  .transform((value) => (value === undefined ? pageLimitDefault : Math.min(Math.max(Number(value), 1), pageLimitMax)))
  .meta({ type: "integer", default: pageLimitDefault, description: `Clamped to 1–${pageLimitMax}` });
