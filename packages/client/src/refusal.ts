import { errorOf, ParleyError, refusalIn } from "./error.js";

/** The result of a plain request to the address of the gateway, after an attempt that failed. */
export interface Finding {
  /**
   * `refused`: the server refuses the request. `elsewhere`: there is no Parley server at the address, or none that can be
   * reached. `token`: the token may be wrong. `passing`: a later attempt may succeed.
   */
  readonly verdict: "refused" | "elsewhere" | "token" | "passing";
  /** Why. */
  readonly error: Error;
  /** Whether a server answered, other than a proxy without one behind it. */
  readonly isAnswered: boolean;
}

/** Statuses below 500 after which the same request may succeed. */
const passingStatuses = [408, 425, 429];
/** Statuses of a proxy that does not reach its server. */
const proxyStatuses = [502, 504];
const tlsPattern = /^ERR_(SSL|TLS)_|^EPROTO$|CERT|SELF_SIGNED|^UNABLE_TO_/;

/**
 * Finds the reason of a failure, which WebSocket does not expose, by a plain request to the same address. In browsers it
 * needs an answer that the page may read (CORS).
 */
export async function findReason(send: typeof fetch, url: string, timeoutMs: number): Promise<Finding> {
  try {
    const answer = await send(url, { redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
    return judge(answer, await answer.text(), new URL(url));
  } catch (thrown) {
    // Also without a complete answer, as a part of one could be misread.
    const error = rootCause(thrown);
    const isTls = tlsPattern.test(codeOf(error));
    if (!isTls) return { verdict: "token", error, isAnswered: false };
    const text = `No secure connection to ${addressOf(new URL(url))} (is it http?): ${error.message.trim()}`;
    return {
      verdict: "elsewhere",
      error: new ParleyError({ status: 0, code: "no_secure_connection", text, cause: error, isForeign: true }),
      isAnswered: true,
    };
  }
}

function judge(answer: Response, text: string, url: URL): Finding {
  const { status } = answer;
  const error = errorOf(answer, text);
  const isAnswered = !proxyStatuses.includes(status);
  if (status >= 500 || passingStatuses.includes(status)) return { verdict: "passing", error, isAnswered };
  const isFromServer = refusalIn(text) !== null;
  if (isFromServer && status === 401) return { verdict: "token", error, isAnswered };
  if (isFromServer && status === 400) {
    // The answer to a request that could have become a connection.
    const isWelcome = error.code === "upgrade_required";
    return isWelcome
      ? { verdict: "passing", error: unupgraded(url), isAnswered }
      : { verdict: "refused", error, isAnswered };
  }
  // Another attempt would be refused, too, until the user has a second factor. A banned network may be let in again.
  if (isFromServer && error.code === "second_factor_set_up_first") return { verdict: "refused", error, isAnswered };
  if (isFromServer && status === 403) return { verdict: "elsewhere", error, isAnswered };
  const target = answer.headers.get("location");
  const what = target === null ? (answer.headers.get("content-type") ?? "no content") : `a redirect to ${target}`;
  const found = `There is no Parley server at ${addressOf(url)} (the answer was ${what})`;
  const foreign = { status, code: "no_parley_server", text: found, cause: error, isForeign: true };
  return { verdict: "elsewhere", error: new ParleyError(foreign), isAnswered };
}

const unupgraded = (url: URL) =>
  new Error(`${addressOf(url)} answers, but no WebSocket came through: a proxy on the way may not let it pass`);

/** The address of the server that belongs to that of its gateway, without the token. */
const addressOf = ({ origin, pathname }: URL) => `${origin}${pathname.replace(/\/ws$/, "")}`;

/** The cause at the bottom of an error, such as a system error with `code` ECONNREFUSED below that of fetch. */
export function rootCause(thrown: unknown): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const below: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return below instanceof Error && below !== error ? rootCause(below) : error;
}

const codeOf = (error: Error) => ("code" in error ? String(error.code) : "");
