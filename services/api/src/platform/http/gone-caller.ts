import { ServiceError } from "@parley/contracts";
import { isMissingRow } from "@parley/database";
import type { RequestState } from "./request-state.js";

/**
 * The deletion of an account takes rows from under its own requests that are still running. What fails by that is answered
 * as the same request a moment later would be: 401.
 *
 * A statement that confirms the caller's session finds nothing where it has ended, and input is checked before: there, every
 * failure may be one of the caller.
 *
 * @returns the 401 when the error may come of it that the caller's credential is no longer in force, and it is not, else the
 * error itself
 */
export async function asUnauthenticatedIfGone(
  error: unknown,
  { confirm, rejection, unconfirmed }: RequestState,
): Promise<unknown> {
  const mayBeGone = unconfirmed !== null || isMissingRow(error);
  if (!mayBeGone || confirm === null || (await confirm()) !== null) return error;
  return new ServiceError("unauthenticated", rejection, { cause: error });
}
