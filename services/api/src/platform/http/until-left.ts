import type { ServerResponse } from "node:http";
import { errorTexts, invalidInput } from "@parley/contracts";

/**
 * A signal for work whose result only this caller would use: it aborts when the connection closes before the answer.
 * Its reason is an error of the caller, so that it is not logged.
 */
export function untilLeft(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  const end = () => {
    if (!response.writableFinished) left.abort(invalidInput(errorTexts.connection_closed));
  };
  if (response.closed) end();
  else response.once("close", end);
  return left.signal;
}
