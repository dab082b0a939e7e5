import { z } from "zod";

/** Kinds of errors that callers distinguish. The api's error mapping assigns an HTTP status to each. */
export type ErrorCode =
  | "invalid_input"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "rate_limited"
  /** Temporary: a server is out of reach, or too many requests wait. */
  | "unavailable"
  /** This installation lacks the setting that the request needs. */
  | "not_configured";

/**
 * An error whose message is meant for the caller.
 *
 * Anything that is no ServiceError is a failure inside the service: logged whole, answered without detail.
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly retryAfterSeconds: number | undefined;

  /**
   * @param code what went wrong
   * @param message the exact public text, as docs/interface.md has it
   * @param options `cause`: the error behind it, for the log only; `retryAfterSeconds`: when another attempt may
   * succeed
   */
  constructor(
    readonly code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, options);
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** 400 with the text of the rule that failed. */
export const invalidInput = (message: string) => new ServiceError("invalid_input", message);
/** 403 with the text of the right that is missing. */
export const forbidden = (message: string) => new ServiceError("forbidden", message);
/** 404 with the text `<Thing> not found`. */
export const notFound = (message: string) => new ServiceError("not_found", message);
/** 409 with the text of the conflict. */
export const conflict = (message: string) => new ServiceError("conflict", message);
/** 429, with the seconds until another attempt may succeed. */
export const rateLimited = (message: string, retryAfterSeconds: number) =>
  new ServiceError("rate_limited", message, { retryAfterSeconds });

/** Body of every error answer but the bot rate limit's (docs/interface.md#1.4). */
export const ErrorBody = z.object({ error: z.string(), message: z.string() }).meta({ id: "Error" });
export type ErrorBody = z.infer<typeof ErrorBody>;

/**
 * Both fields carry the same text: `message` is the general rule, existing clients read `error`
 * (docs/interface.md#1.4).
 */
export function errorBody(message: string): ErrorBody {
  return { error: message, message };
}

/** Texts that more than one place answers with (docs/interface.md#1.4). */
export const errorTexts = {
  invalidToken: "Invalid or expired token",
  invalidBotToken: "Invalid or revoked bot token",
  invalidIdentifier: "Invalid identifier",
  tooManyRequests: "Too many requests",
  botRateLimit: "Bot rate limit exceeded. Max 50 requests/second.",
  internal: "Internal server error",
  unavailable: "Service unavailable",
  notFound: "Not found",
  serverNotFound: "Server not found",
  userNotFound: "User not found",
} as const;
