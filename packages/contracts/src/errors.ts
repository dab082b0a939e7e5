import { z } from "zod";
import { errorTexts } from "./error-texts.js";

/** Kinds of errors. The api's error mapping assigns an HTTP status to each. */
export type ErrorKind =
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

/** Limits that a request may exceed beside those of its address or bot; the label of the metric `limited_total`. */
export type LimitName =
  | "login_address"
  | "login_account"
  | "login_known_address"
  | "second_factor_address"
  | "second_factor_account"
  | "logout_token_address"
  | "waiting_requests"
  | "unread_answers"
  | "slow_mode"
  | "new_conversations"
  | "friend_requests"
  | "reports"
  | "webhook_posts"
  | "username_changes"
  | "email_changes"
  | "exports"
  | "claim_codes"
  | "interaction_answers";

/**
 * An error whose message is meant for the caller.
 *
 * Anything that is no ServiceError is a failure inside the service: logged whole, answered without detail.
 */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly retryAfterSeconds: number | undefined;
  readonly code: ErrorCode | undefined;
  readonly limit: LimitName | undefined;
  readonly details: ErrorDetails | undefined;

  /**
   * @param kind the kind of error
   * @param message the exact public text, one of {@link errorTexts}
   * @param options `cause`: the error behind it, for the log only; `retryAfterSeconds`: when another attempt may
   * succeed; `code`: for a message that a user wrote, which is none of the texts; `limit`: the exceeded limit, for the
   * metric only; `details`: what the body says beside the text
   */
  constructor(
    readonly kind: ErrorKind,
    message: string,
    options: {
      cause?: unknown;
      retryAfterSeconds?: number;
      code?: ErrorCode;
      limit?: LimitName;
      details?: ErrorDetails;
    } = {},
  ) {
    super(message, options);
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.code = options.code;
    this.limit = options.limit;
    this.details = options.details;
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
/** 429 of a limit, with the seconds until another attempt may succeed. */
export const rateLimited = (limit: LimitName, message: string, retryAfterSeconds: number) =>
  new ServiceError("rate_limited", message, { retryAfterSeconds, limit });

/** The part of an error that programs compare: the name of its text. */
export type ErrorCode = keyof typeof errorTexts;

const isErrorCode = (name: string): name is ErrorCode => Object.hasOwn(errorTexts, name);
/** Every code, in the order of {@link errorTexts}. */
export const errorCodes: readonly ErrorCode[] = Object.keys(errorTexts).filter(isErrorCode);

const codeOfText = new Map<string, ErrorCode>();
const patterns: { code: ErrorCode; pattern: RegExp }[] = [];
for (const code of errorCodes) {
  const text = errorTexts[code];
  if (typeof text === "string") codeOfText.set(text, code);
  else patterns.push({ code, pattern: patternOf(text) });
}

/** A function of one value as the texts that it returns. */
function patternOf(text: (value: never) => string): RegExp {
  const [before = "", after = ""] = String(Reflect.apply(text, undefined, ["\0"]))
    .split("\0")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${before}.*${after}$`, "s");
}

/** The code of a text; null for one that is not among {@link errorTexts}. */
export function errorCodeOf(text: string): ErrorCode | null {
  return codeOfText.get(text) ?? patterns.find(({ pattern }) => pattern.test(text))?.code ?? null;
}

const storageDetails = z.object({
  scope: z.enum(["account", "server", "installation"]).meta({ description: "Of `storage_quota_exceeded`: the quota" }),
  used: z.int().meta({ description: "Bytes" }),
  quota: z.int().meta({ description: "Bytes" }),
});
const nameDetails = z.object({
  filter: z.string().meta({ description: "Of `nothing_called`: the filter", example: "from" }),
  value: z.string().meta({ description: "What it names", example: "annn" }),
  suggestions: z.array(z.string()).meta({ maxItems: 5, description: "Names that look like it" }),
});
/** What the body of an error says beside its text, for the few that say more. */
export type ErrorDetails = StorageDetails | z.infer<typeof nameDetails>;
export type StorageDetails = z.infer<typeof storageDetails>;

/** Body of every error answer but the bot rate limit's (docs/protocol/requests.md#1.4). */
export const ErrorBody = z
  .object({
    error: z.string(),
    message: z.string(),
    code: z.enum(errorCodes).meta({ description: "Stable, one for each text: what programs compare" }),
    ...storageDetails.partial().shape,
    ...nameDetails.partial().shape,
  })
  .meta({ id: "Error" });
export type ErrorBody = z.infer<typeof ErrorBody>;

/**
 * The body for a text: `error` and `message` are both the text, `message` by the general rule, `error` for existing
 * clients (docs/protocol/requests.md#1.4).
 */
export function errorBody(text: string, code: ErrorCode = errorCodeOf(text) ?? "internal"): ErrorBody {
  return { error: text, message: text, code };
}
