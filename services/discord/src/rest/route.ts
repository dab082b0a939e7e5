import type { AccessTokens, InteractionTokens } from "@parley/auth";
import type { Database } from "@parley/database";
import type { Typing } from "@parley/presence";
import type { Request } from "express";
import type { Logger } from "pino";
import { findId, type IdKind } from "../ids/find-id.js";
import { jsonBytesMax } from "../limits.js";
import type { Api, ApiConnections } from "./api.js";
import { type DiscordCode, discordError } from "./errors.js";
import type { AnnounceThread, ThreadNames } from "./thread-names.js";
import type { Bot } from "./token.js";
import type { Turns } from "./turns.js";

/** Objects that all routes share. */
export interface Surroundings {
  readonly database: Pick<Database, "query">;
  readonly logger: Logger;
  /** Address of the installation for callers, without a slash at its end; null where it follows from the request. */
  readonly publicUrl: string | null;
  readonly connections: Pick<ApiConnections, "of">;
  /** Access of bots that follow up on interactions, whose token is that of the interaction. */
  readonly tokens: Pick<AccessTokens, "issue">;
  readonly interactionTokens: Pick<InteractionTokens, "isValid">;
  readonly type: Typing;
  readonly threadNames: ThreadNames;
  readonly inTurn: Turns;
  readonly announceThread: AnnounceThread;
}

/** One request. */
export interface Call extends Surroundings {
  readonly request: Request;
  /** Parts of the path, by the names in the route. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON body; {} without one. Of a form its `payload_json`. */
  readonly body: unknown;
  /** `X-Audit-Log-Reason`. */
  readonly reason: string | null;
  /** Calls to the api with the credentials of the caller. */
  readonly api: Api;
  /** The address of the installation as the caller knows it, without a slash at its end. */
  readonly origin: string;
  /**
   * The UUID of an object that the path or the body names by its snowflake.
   *
   * @throws DiscordError with this code when there is none
   */
  id(kind: IdKind, snowflake: string, code: DiscordCode, scope?: string): Promise<string>;
}

/** A request with the token of a bot. */
export interface BotCall extends Call {
  readonly bot: Bot;
}

/** The answer of a route with another status than 200. */
export class Answer {
  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {}
}

/** The body of an answer that is no JSON. */
export class PlainText {
  constructor(readonly text: string) {}
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A route of Discord's API below `/api/v10`. */
export interface Route {
  readonly method: Method;
  /** As in Discord's documentation, such as `/channels/:channel_id`. */
  readonly path: string;
  readonly needsToken: boolean;
  /** Takes files: the body is a form, which the handler reads. */
  readonly takesFiles: boolean;
  /** Bytes of a JSON body. */
  readonly bodyBytesMax: number;
  readonly answer: (call: BotCall) => Promise<unknown>;
}

/** Declares a route for bots. The handler returns the body of a 200, an {@link Answer}, or nothing: 204. */
export function route(
  method: Method,
  path: string,
  answer: (call: BotCall) => Promise<unknown>,
  { takesFiles = false, bodyBytesMax = jsonBytesMax } = {},
): Route {
  return { method, path, needsToken: true, takesFiles, bodyBytesMax, answer };
}

/** Declares a route that needs no token: its address has one, or it is public. */
export function openRoute(
  method: Method,
  path: string,
  answer: (call: Call) => Promise<unknown>,
  { takesFiles = false } = {},
): Route {
  return { method, path, needsToken: false, takesFiles, bodyBytesMax: jsonBytesMax, answer };
}

/** The look-up of a call. */
export const lookUp =
  (database: Pick<Database, "query">): Call["id"] =>
  async (kind, snowflake, code, scope) => {
    const id = await findId(database, kind, snowflake, scope);
    if (id === null) throw discordError(code);
    return id;
  };
