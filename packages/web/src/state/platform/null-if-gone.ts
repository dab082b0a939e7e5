import { ParleyError } from "@parley/client";

/** For `catch`: null after a 404, all other errors are thrown again. */
export function nullIfGone(error: unknown): null {
  if (error instanceof ParleyError && error.status === 404) return null;
  throw error;
}
