import { errorTexts, forbidden, ServiceError } from "@parley/contracts";
import { isMissingRow } from "@parley/database";
import type { RequestState } from "./request-state.js";

/**
 * The deletion of an account takes rows from under its own requests that are still running. A request that fails
 * because of that gets the answer of the same request a moment later: 401.
 *
 * A statement that confirms the caller's session finds nothing once the session has ended, and the input is checked
 * before. So any failure of such a route may come from the ended session.
 *
 * @returns the 401 when the error may have that cause and the caller's credential is no longer in force, else the error
 * itself
 */
export async function asUnauthenticatedIfGone(
  error: unknown,
  { confirm, rejection, unconfirmed }: RequestState,
): Promise<unknown> {
  const mayBeGone = unconfirmed !== null || isMissingRow(error);
  if (!mayBeGone || confirm === null) return error;
  const identity = await confirm();
  // Such a session is none for the statement that looks for it.
  if (identity?.kind === "user" && identity.missingFactor === "everyone")
    return forbidden(errorTexts.second_factor_set_up_first);
  if (identity !== null) return error;
  return new ServiceError("unauthenticated", rejection, { cause: error });
}
