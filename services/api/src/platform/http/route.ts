import type { Identity } from "@parley/auth";
import { type ClientEventName, type ErrorKind, errorTexts, invalidInput } from "@parley/contracts";
import type { Request, Response } from "express";
import { z } from "zod";
import { type Caller, requireCaller } from "./caller.js";
import { readJsonBody } from "./json-body.js";
import type { May, Stores } from "./may.js";
import { isMultipart } from "./multipart.js";
import type { Tag } from "./openapi-tags.js";
import type { RequestState } from "./request-state.js";

export type Method = "get" | "post" | "put" | "patch" | "delete";

/** A declared answer of a route. Without a schema there is no body. */
export interface Success<S extends z.ZodType = z.ZodType> {
  status: 200 | 201 | 202 | 204 | 206 | 302 | 416 | 503;
  description: string;
  schema?: S;
  /** Media type when it is not JSON. */
  contentType?: string;
}

/** 200 with a body. */
export const ok = <S extends z.ZodType>(schema: S, description = "Success") =>
  ({ status: 200, description, schema }) as const;
/** 201 with a body. */
export const created = <S extends z.ZodType>(schema: S, description = "Created") =>
  ({ status: 201, description, schema }) as const;
/** 204 without a body. */
export const noContent = (description = "Done") => ({ status: 204, description }) as const;

/**
 * Why a secret in the input of an endpoint is not found by trying:
 *
 * - `counted`: wrong ones count as attempts, 429 after too many (docs/protocol/limits.md#16.3)
 * - `unguessable`: it is random and long enough
 * - `chosen`: nothing is compared with it, the caller sets it
 */
export type SecretProtection = "counted" | "unguessable" | "chosen";

/** Why an operation that changes something causes no event. */
export interface NoEvents {
  readonly none: string;
}
export const none = (why: string): NoEvents => ({ none: why });

/**
 * The effect of the operation for clients: every event that it may cause, by itself or in work that it starts
 * (docs/protocol/events.md#23.2). Tests compare it with the published events.
 */
type Effect =
  // Opening the link of a mail is the one reading that changes something.
  | { method: "get"; causes?: readonly ClientEventName[] }
  | { method: Exclude<Method, "get">; causes: readonly ClientEventName[] | NoEvents };

type Declaration<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType, S extends Success, A> = Effect &
  Endpoint<P, Q, B, S, A>;

interface Endpoint<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType, S extends Success, A> {
  /** Path without the `/api` prefix, parameters as `:name`. */
  path: string;
  /** Longer or older forms of the path that name the same endpoint (docs/protocol/requests.md#1.1). */
  aliases?: readonly string[];
  /** Method of `@parley/client`: its group, a dot, and its name in the group. */
  name: `${string}.${string}`;
  /** Another method of the client for requests with parameters, where these have the second of two answers. */
  queryName?: `${string}.${string}`;
  /** Group in the API description, where it is not that of the client. */
  tag?: Tag;
  summary: string;
  description?: string;
  caller: Caller;
  /**
   * The right that the endpoint asks for; the handler asks it by `may` of its input. Its errors are documented.
   */
  may?: May<z.output<P>, A> | undefined;
  /**
   * Whether the first statement of the handler confirms the session of a user, `state.unconfirmed`, with `sessionInForce`, and
   * finds nothing where it has ended. For reading and sending messages: it saves a quarter of the processor time of reading a page.
   */
  confirmsSession?: true;
  /** Accounts without the second factor that everybody needs may call it (docs/protocol/accounts.md#34.9). */
  setsUpFactor?: true;
  /**
   * A session begins or goes on with the request. Clients from banned networks are refused before any other work (403,
   * docs/protocol/registration.md#bans).
   */
  isEntrance?: true;
  /**
   * Requests that no rate limit counts (docs/protocol/limits.md#1.6): `true` for all of the endpoint, whose caller is then
   * not identified, or those for which the function returns true.
   */
  unlimited?: true | ((request: Request) => boolean);
  /**
   * Counts the request against a limit of the endpoint's own, before its body is read; rejects with the 429. Every endpoint with
   * `unlimited` that takes a body has it, or counts before it reads the body itself.
   */
  count?: (request: Request) => Promise<void>;
  /** Every field of the input that is a password, code, token or signature (docs/processes/security.md#security). */
  attempts?: Readonly<Record<string, SecretProtection>>;
  params?: P;
  query?: Q;
  /** Absent: the endpoint takes no body, and one that is sent is ignored. */
  body?: B;
  /** The body for the API description, where `body` lets more pass because a rule comes after others. */
  describedBody?: z.ZodType;
  /** Media type of the body when it is not JSON; the handler then reads `request` itself. */
  bodyContentType?: string;
  /** Most bytes of a body by its media type, for all but JSON. */
  bodyBytes?: Readonly<Record<string, number>>;
  /** The body when it is sent as multipart/form-data instead of JSON; given to the handler of forms. */
  form?: z.ZodType;
  success: S;
  /** Answers beside the usual one, chosen with `setStatus` or given by the handler itself. */
  otherAnswers?: readonly Success[];
  /** Texts of the errors beyond those that every route has, by their kind. */
  errors?: Partial<Record<ErrorKind, readonly string[]>>;
}

/** The input of a handler: parsed input and the caller. */
export interface RouteInput<P, Q, B, A = undefined> {
  params: P;
  query: Q;
  body: B;
  /** The caller; a placeholder on routes without authentication, which use `request.state.identity` instead. */
  identity: Identity;
  /** The declared right, asked for the caller. */
  readonly may: A;
  request: Request;
  response: Response;
  state: RequestState;
  /** Answers with another declared success status. */
  setStatus(status: Success["status"]): void;
}

/** One of the `otherAnswers` of a route, with a body of its own. */
export class OtherAnswer {
  constructor(
    readonly status: Success["status"],
    readonly body: unknown,
  ) {}
}

type Answer<S extends Success> = S extends { schema: infer Z extends z.ZodType }
  ? Promise<z.input<Z> | OtherAnswer>
  : Promise<void>;

/** A declaration as the API description reads it: the errors of its right are among its own. */
type RouteDescription = Effect &
  Omit<Endpoint<z.ZodObject, z.ZodObject, z.ZodType, Success, never>, "may"> & { right?: string | undefined };

/** A declared endpoint: its entry in the API description and its handler. */
export interface Route {
  readonly declaration: RouteDescription;
  /** Checks the caller, parses the input, runs the handler and answers. */
  readonly serve: (request: Request, response: Response, stores: Stores | null) => Promise<void>;
}

const nothing = z.object({});
const noBody = z.undefined();

type Errors = Endpoint<z.ZodObject, z.ZodObject, z.ZodType, Success, never>["errors"];

/** The errors of the right first, as they are answered first. */
function withErrorsOf(right: Errors, own: Errors): Errors {
  if (right === undefined) return own;
  const merged = { ...own };
  for (const kind of ["not_found", "forbidden"] as const) {
    const texts = [...(right[kind] ?? []), ...(own?.[kind] ?? [])];
    if (texts.length > 0) merged[kind] = texts;
  }
  return merged;
}

function requireAsked<A>(asked: A | undefined): A {
  if (asked === undefined) throw new Error("the route declares no right, or its router has no stores");
  return asked;
}

/** The events that an operation may cause. */
export function causesOf({ causes }: Route["declaration"]): readonly ClientEventName[] {
  return causes === undefined || "none" in causes ? [] : causes;
}

/**
 * Declares an endpoint. The declaration validates requests and generates the API description.
 *
 * @param declaration path, caller, schemas, answers
 * @param handler returns the body of the success answer; a handler that answers by itself (files) uses `response`
 * @param handleForm the same for requests with a form, where the declaration has one; it reads `request` itself
 */
export function route<
  S extends Success,
  P extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Q extends z.ZodObject = z.ZodObject<Record<never, never>>,
  B extends z.ZodType = z.ZodUndefined,
  A = undefined,
>(
  declaration: Declaration<P, Q, B, S, A>,
  handler: (input: RouteInput<z.output<P>, z.output<Q>, z.output<B>, A>) => Answer<S>,
  handleForm?: (input: RouteInput<z.output<P>, z.output<Q>, undefined, A>) => Answer<S>,
): Route {
  const { params, query, success } = declaration;
  const { may, ...described } = declaration;
  const firstErrors = declaration.isEntrance ? { forbidden: [errorTexts.network_blocked] } : may?.errors;
  const body = declaration.bodyContentType === undefined ? declaration.body : undefined;
  return {
    declaration: { ...described, errors: withErrorsOf(firstErrors, declaration.errors), right: may?.right },
    async serve(request, response, stores) {
      const { state } = request;
      const identity = requireCaller(declaration.caller, state, declaration.setsUpFactor === true);
      if (state.identity !== null) state.unreadAnswers.requireRoom(request);
      let status: number = success.status;
      const parsedParams = parse<P>(params ?? nothing, params === undefined ? {} : request.params);
      const parsedQuery = parse<Q>(query ?? nothing, query === undefined ? {} : request.query);
      const asking = { userId: identity.userId, params: parsedParams, session: state.unconfirmed };
      const asked = stores === null ? undefined : may?.ask(stores, asking);
      const inputWith = <Body>(parsedBody: Body) => ({
        params: parsedParams,
        query: parsedQuery,
        body: parsedBody,
        identity,
        get may() {
          return requireAsked(asked);
        },
        request,
        response,
        state,
        setStatus: (chosen: Success["status"]) => {
          status = chosen;
        },
      });
      await declaration.count?.(request);
      const readBody = async () =>
        parse<B>(body ?? noBody, body === undefined ? undefined : await readJsonBody(request, response));
      const answer: unknown =
        handleForm !== undefined && isMultipart(request)
          ? await handleForm(inputWith(undefined))
          : await handler(inputWith(await readBody()));
      if (response.headersSent) return;
      if (answer instanceof OtherAnswer) answerJson(response, answer.status, answer.body);
      else if (answer === undefined) response.status(status).end();
      else answerJson(response, status, answer);
    },
  };
}

/**
 * Answers with JSON. Express's own `response.json` adds an ETag, which costs a hash per answer and which no client
 * uses.
 */
export function answerJson(response: Response, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  if (response.req.method === "GET") response.req.state.unreadAnswers.requireRoom(response.req, bytes);
  response.statusCode = status;
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.setHeader("Content-Length", bytes);
  response.end(text);
}

/**
 * Parses input; the text of the 400 is that of the first rule that failed (docs/protocol/requests.md#1.4).
 *
 * @throws ServiceError 400
 */
export function parse<Z extends z.ZodType>(schema: z.ZodType, input: unknown): z.output<Z>;
export function parse(schema: z.ZodType, input: unknown): unknown {
  const result = schema.safeParse(input, { error: describeIssue });
  if (result.success) return result.data;
  throw invalidInput(result.error.issues[0]?.message ?? errorTexts.not_found);
}

/** Text for a rule that has none of its own. */
function describeIssue(issue: z.core.$ZodRawIssue): string {
  const path = issue.path?.map(String).join(".") ?? "";
  if (path === "") return errorTexts.body_not_object;
  return issue.input === undefined ? errorTexts.field_required(path) : errorTexts.field_invalid(path);
}
