import { uuidInput } from "@parley/contracts";
import type { z } from "zod";

/**
 * A field of a PATCH body that cannot be cleared: null means unchanged, like leaving it out (contract.md 1.3).
 *
 * @param schema what a given value must satisfy
 */
export function unclearable<S extends z.ZodType>(schema: S) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** A path parameter that identifies a resource (contract.md 1.2). */
export const identifier = uuidInput();
