import type { OpenAPIRegistry, RouteConfig } from "@asteasolutions/zod-to-openapi";
import { ErrorBody, type ErrorKind, errorBody, errorCodeOf, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { callerError } from "./caller.js";
import { statusOf } from "./error-mapping.js";
import type { Route } from "./route.js";

/** Body of a bot's 429, the one error with a single field (docs/protocol/requests.md#1.4). */
export const BotRateLimitError = z
  .object({ error: z.literal(errorTexts.bot_rate_limited) })
  .meta({ id: "BotRateLimitError" });

const errorReference = { $ref: "#/components/schemas/Error" };
const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const everyAnswer = { "X-Request-Id": header("RequestId") };
const limitedAnswer = {
  ...everyAnswer,
  "X-RateLimit-Limit": header("RateLimitLimit"),
  "X-RateLimit-Remaining": header("RateLimitRemaining"),
  "X-RateLimit-Reset": header("RateLimitReset"),
};

const defaultTexts = {
  unauthenticated: [errorTexts.invalid_token, errorTexts.invalid_bot_token],
  failure: [errorTexts.internal, errorTexts.unavailable],
};

/** Registers the headers and the answers that endpoints have in common. */
export function registerAnswers(registry: OpenAPIRegistry): void {
  const headers = {
    RequestId: { description: "The request's own id, or a fresh one", schema: { type: "string" } },
    RateLimitLimit: { description: "Requests at once", schema: { type: "integer", example: 20 } },
    RateLimitRemaining: { description: "Requests left", schema: { type: "integer", example: 19 } },
    RateLimitReset: {
      description: "Unix time in seconds at which all requests are available again",
      schema: { type: "integer", example: 1_767_348_245 },
    },
    RetryAfter: { description: "Seconds; absent for bots", schema: { type: "integer", example: 1 } },
  } as const;
  for (const [name, described] of Object.entries(headers)) registry.registerComponent("headers", name, described);
  registry.registerComponent("responses", "Unauthenticated", {
    description: quoted(defaultTexts.unauthenticated),
    headers: limitedAnswer,
    content: errorContent(errorReference, defaultTexts.unauthenticated),
  });
  registry.registerComponent("responses", "TooManyRequests", tooManyRequests([]));
  registry.registerComponent("responses", "SecondFactorMissing", {
    description: `${quoted([errorTexts.second_factor_set_up_first])}, where the installation demands one of everybody.`,
    headers: limitedAnswer,
    content: errorContent(errorReference, [errorTexts.second_factor_set_up_first]),
  });
  registry.registerComponent("responses", "Failure", {
    description: `A failure inside the service: 500 \`${errorTexts.internal}\`, or 503 \`${errorTexts.unavailable}\` while the database or another part that the request needs is out of reach.`,
    headers: everyAnswer,
    content: errorContent(errorReference, defaultTexts.failure),
  });
}

/** @param own texts of the endpoint itself */
function tooManyRequests(own: readonly string[]) {
  return {
    description: quoted([errorTexts.rate_limited, errorTexts.bot_rate_limited, ...own]),
    headers: { ...limitedAnswer, "Retry-After": header("RetryAfter") },
    content: errorContent({ anyOf: [errorReference, { $ref: "#/components/schemas/BotRateLimitError" }] }, [
      errorTexts.rate_limited,
    ]),
  };
}

/** Which requests of an endpoint the rate limits count. */
export type LimitsDescribed = "always" | "sometimes" | "never";

/** Everything that an endpoint may answer, by status. */
export function describeAnswers(
  declaration: Route["declaration"],
  place: { hasParams: boolean; limits: LimitsDescribed },
): RouteConfig["responses"] {
  const headers = place.limits === "always" ? limitedAnswer : everyAnswer;
  // Clients from banned networks are refused before limits count.
  const headersOf = (status: number) =>
    declaration.isEntrance && status === statusOf.forbidden ? everyAnswer : headers;
  const described: RouteConfig["responses"] = {};
  for (const answer of [declaration.success, ...(declaration.otherAnswers ?? [])]) {
    // One status may answer with several media types.
    const { content } = { content: {}, ...described[answer.status] };
    described[answer.status] = {
      description: answer.description,
      headers,
      ...(answer.schema === undefined
        ? {}
        : { content: { ...content, [answer.contentType ?? "application/json"]: { schema: answer.schema } } }),
    };
  }
  const texts = new Map<number, Set<string>>();
  for (const [code, messages] of [...commonErrors(declaration, place), ...declaredErrors(declaration)]) {
    const status = statusOf[code];
    texts.set(status, new Set([...(texts.get(status) ?? []), ...messages]));
  }
  for (const [status, messages] of [...texts].sort(([a], [b]) => a - b)) {
    const usual = [...messages].every((message) => defaultTexts.unauthenticated.some((text) => text === message));
    described[status] = usual
      ? { $ref: "#/components/responses/Unauthenticated" }
      : { description: quoted(messages), headers: headersOf(status), content: errorContent(ErrorBody, messages) };
  }
  if (place.limits !== "never") {
    const own = [...(texts.get(statusOf.rate_limited) ?? [])].filter((text) => text !== errorTexts.rate_limited);
    described[statusOf.rate_limited] =
      own.length === 0 ? { $ref: "#/components/responses/TooManyRequests" } : tooManyRequests(own);
  }
  if (demandsFactor(declaration))
    described[statusOf.forbidden] ??= { $ref: "#/components/responses/SecondFactorMissing" };
  described.default = { $ref: "#/components/responses/Failure" };
  return described;
}

/** Whether accounts without a second factor that everybody needs are refused. */
function demandsFactor({ caller, setsUpFactor }: Route["declaration"]): boolean {
  return setsUpFactor !== true && !["anyone", "bot", "any bot"].includes(caller);
}

/** Errors that every endpoint of a kind can answer with (docs/protocol/requests.md#1.4). */
function commonErrors(
  { caller, params, query, body, bodyContentType }: Route["declaration"],
  { hasParams }: { hasParams: boolean },
): [ErrorKind, readonly string[]][] {
  const common: [ErrorKind, readonly string[]][] = [];
  if (caller !== "anyone") common.push(["unauthenticated", defaultTexts.unauthenticated]);
  const rejection = callerError(caller);
  if (rejection !== null) common.push(["forbidden", [rejection]]);
  if (caller === "admin") common.push(["forbidden", [errorTexts.second_factor_to_moderate]]);
  if (params !== undefined && hasParams && !takesAnything(params)) {
    common.push(["invalid_input", [errorTexts.invalid_identifier]]);
  }
  if (query !== undefined) common.push(["invalid_input", [errorTexts.invalid_query_parameter]]);
  if (body !== undefined && bodyContentType === undefined)
    common.push(["invalid_input", [errorTexts.malformed_json, errorTexts.content_type_not_json]]);
  return common;
}

/** Codes and words that do not exist are no mistakes: they find nothing. */
function takesAnything(params: z.ZodObject): boolean {
  return params.safeParse(Object.fromEntries(Object.keys(params.shape).map((name) => [name, ""]))).success;
}

function declaredErrors({ errors }: Route["declaration"]): [ErrorKind, readonly string[]][] {
  return Object.keys(statusOf).flatMap((code): [ErrorKind, readonly string[]][] => {
    if (!isErrorKind(code)) return [];
    const messages = errors?.[code];
    return messages === undefined || messages.length === 0 ? [] : [[code, messages]];
  });
}

function isErrorKind(code: string): code is ErrorKind {
  return Object.hasOwn(statusOf, code);
}

function errorContent<Schema>(schema: Schema, texts: Iterable<string>) {
  const [first = errorTexts.internal] = texts;
  return { "application/json": { schema, example: errorBody(first) } };
}

function quoted(texts: Iterable<string>): string {
  return [...texts].map((text) => `\`${text}\` (\`${errorCodeOf(text)}\`)`).join(" · ");
}
