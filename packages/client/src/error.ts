import type { ErrorBody } from "./generated/types.js";

/** The code of an error: one of the server's, or one of the client itself. A newer server may have further codes. */
export type ParleyErrorCode =
  | ErrorBody["code"]
  | (string & {})
  /** No answer came: the network, or the server, is out of reach. */
  | "unreachable"
  /** No answer, no connection, or no event that was waited for, came before its deadline. */
  | "deadline_passed"
  /** The request needs a login, and there was none. */
  | "not_logged_in"
  /** The account is registered, and has to wait for the confirmation of its address or for an approval. */
  | "registration_waits"
  /** The user logged out, or another one logged in, while the request waited. */
  | "session_ended"
  /** The gateway was closed while the program waited for an event. */
  | "gateway_closed"
  /** A bot lacks a setting, or has one that cannot be right. */
  | "wrong_setting"
  /** The program that answers at the address is no Parley server. */
  | "no_parley_server"
  /** The certificate of the server was not accepted, or it does not speak TLS. */
  | "no_secure_connection"
  /** An answer without a code: of a proxy, or of an older server. */
  | "unknown";

/** What some errors say beside their text, such as names that look like an unknown one. */
export type ErrorDetails = Readonly<Omit<ErrorBody, "error" | "message" | "code">>;

/** The parts of an error. */
interface Failure {
  readonly status: number;
  readonly code: ParleyErrorCode;
  readonly text: string;
  readonly details?: ErrorDetails;
  readonly requestId?: string | null;
  readonly request?: FailedRequest | undefined;
  /** No Parley server answered. */
  readonly isForeign?: boolean;
  readonly cause?: unknown;
}

/** The request that failed. */
export interface FailedRequest {
  readonly method: string;
  /** The whole address. */
  readonly url: string;
  /** How long it waited for a limit and for requests before it, in milliseconds. */
  readonly waitedMs?: number;
}

/** Shorter waits for a limit are not worth a word. */
const mentionedSeconds = 0.1;
/** Statuses below 500 after which the same request may succeed. */
const passingStatuses = [408, 425, 429];

/** The failure of a request or a connection. */
export class ParleyError extends Error {
  /** Identifies the error where `instanceof` does not work, because the class was loaded twice. */
  override readonly name = "ParleyError";
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** The code to compare: stable, one for each text. */
  readonly code: ParleyErrorCode;
  /** The server's sentence, for people; it names the rule that failed. */
  readonly text: string;
  /** What the server says beside the sentence; empty for most errors. */
  readonly details: ErrorDetails;
  /** Id under which the server logged the request; null without an answer. */
  readonly requestId: string | null;
  /** Method of the request; null when there was none. */
  readonly method: string | null;
  /** Path of the request with its prefix and without its query, such as `/api/users/@me`; null when there was none. */
  readonly path: string | null;
  /**
   * Whether the same request would fail again: it was refused, or the program at the address is no Parley server. False
   * for outages, rate limits, and when no answer came.
   */
  readonly final: boolean;
  /** How long the request waited for a rate limit and for the requests before it, in milliseconds. */
  readonly waitedMs: number;

  /** @hidden Made by the client. `cause` is the error of a lower layer, such as a system error. */
  constructor(failure: Failure) {
    super(describe(failure), { cause: failure.cause });
    const { status, code, text, request } = failure;
    this.status = status;
    this.code = code;
    this.text = text;
    this.details = failure.details ?? {};
    this.requestId = failure.requestId ?? null;
    this.method = request?.method ?? null;
    this.path = request === undefined ? null : new URL(request.url).pathname;
    this.final = failure.isForeign ?? (status >= 400 && status < 500 && !passingStatuses.includes(status));
    this.waitedMs = request?.waitedMs ?? 0;
  }
}

/** The error of a request that had no answer: its cause is the error of the network. */
export function unreachable(thrown: unknown, request?: FailedRequest): ParleyError {
  // The error that fetch throws has no reason of its own.
  const cause = thrown instanceof TypeError && thrown.cause !== undefined ? thrown.cause : thrown;
  return new ParleyError({ status: 0, code: "unreachable", text: "The server could not be reached", cause, request });
}

/** The error that an answer carries. */
export async function readError(response: Response, request?: FailedRequest): Promise<ParleyError> {
  return errorOf(response, await response.text().catch(() => ""), request);
}

/** The error that a response with this body means. */
export function errorOf(response: Response, text: string, request?: FailedRequest): ParleyError {
  const refusal = refusalIn(text);
  // The page of a proxy during an outage passes.
  if (refusal === null && request !== undefined && [404, 405].includes(response.status)) {
    return foreign(response, request);
  }
  return new ParleyError({
    status: response.status,
    code: refusal?.code ?? "unknown",
    text: refusal?.text ?? (response.statusText || "No text"),
    details: refusal?.details ?? {},
    requestId: response.headers.get("x-request-id"),
    request,
  });
}

/** The error of an answer that no Parley server gives. */
export function foreign({ status, headers }: Response, request: FailedRequest): ParleyError {
  const address = request.url.replace(/\/api\/.*/s, "");
  const type = headers.get("content-type")?.replace(/;.*/s, "") ?? "no content type";
  const text = `There is no Parley server at ${address} (it answered with ${type})`;
  return new ParleyError({ status, code: "no_parley_server", text, request, isForeign: true });
}

function describe({ status, text, request, cause }: Failure): string {
  const reason = status === 0 && isSystemError(cause) ? `: ${cause.code}` : "";
  const seconds = (request?.waitedMs ?? 0) / 1_000;
  const waited = seconds < mentionedSeconds ? "" : `, after ${seconds.toFixed(1)} s of waiting for the rate limit`;
  // A query may have a token.
  const address = request === undefined ? "" : ` (${request.method} ${request.url.replace(/\?.*/s, "")})`;
  return `${status === 0 ? "" : `${status} `}${text}${reason}${waited}${address}`;
}

function isSystemError(cause: unknown): cause is { readonly code: string } {
  return cause instanceof Error && "code" in cause && typeof cause.code === "string";
}

/** Code, text and details of an error body; null for anything else. */
export function refusalIn(body: string): { code: ParleyErrorCode; text: string; details: ErrorDetails } | null {
  try {
    const { error, message: _same, code, ...details } = Object(JSON.parse(body));
    return typeof error === "string"
      ? { code: typeof code === "string" ? code : "unknown", text: error, details }
      : null;
  } catch {
    return null;
  }
}
