import { ServiceError } from "@parley/contracts";
import { isMissingRow } from "@parley/database";
import type { RequestState } from "./request-state.js";

/**
 * The deletion of an account takes rows from under its own requests that are still running. What fails by that is answered
 * as the same request a moment later would be: 401.
 *
 * @returns the 401 when a row is missing and the caller's credential is no longer in force, else the error itself
 */
export async function explainFailure(error: unknown, { confirm, rejection }: RequestState): Promise<unknown> {
  if (!isMissingRow(error) || confirm === null || (await confirm()) !== null) return error;
  return new ServiceError("unauthenticated", rejection, { cause: error });
}
