import { Agent, FormData, request } from "undici";
import { apiTimeoutMs } from "../limits.js";
import { apiError } from "./api-error.js";
import type { Quota } from "./rate-limits.js";

/** Requests of one caller to the api, by the door that all clients use. */
export interface Api {
  /** Path with query, without the prefix `/api`; `{}` where the answer has no body. @throws DiscordError */
  send<Answer>(method: Method, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  get<Answer>(path: string): Promise<Answer>;
  /** The newest count of the caller, and how many requests counted; null before the first answer. */
  quota(): (Quota & { readonly counted: number }) | null;
}
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** A body that is sent as it is. */
export class RawBody {
  constructor(
    readonly contentType: string,
    readonly bytes: Uint8Array,
  ) {}
}

/** Connections to the apis that all callers share. */
export type ApiConnections = ReturnType<typeof createApiConnections>;

/** @param urls of the apis: a request goes to the next one, and to the one after it when nobody listens there */
export function createApiConnections(urls: readonly string[]) {
  let turn = 0;
  const agent = new Agent({ connections: 64, headersTimeout: apiTimeoutMs, bodyTimeout: apiTimeoutMs });
  const ask = async (path: string, options: Parameters<typeof request>[1]) => {
    const start = turn++;
    for (let tried = 1; ; tried++) {
      const url = urls[(start + tried) % urls.length] ?? "";
      try {
        return await request(new URL(path, url), { ...options, dispatcher: agent });
      } catch (error) {
        // Nobody got the request.
        if (tried >= urls.length || !isRefusedConnection(error)) throw error;
      }
    }
  };
  return {
    /**
     * @param authorization header of the caller; null for calls that need none
     * @param forwardedFor addresses from the client on, by which the api counts calls without credentials
     */
    of(authorization: string | null, forwardedFor: string): Api {
      let quota: Quota | null = null;
      let counted = 0;
      const send = async <Answer>(
        method: Method,
        path: string,
        body?: unknown,
        headers: Record<string, string> = {},
      ): Promise<Answer> => {
        const answer = await ask(path, {
          method,
          headers: {
            ...(authorization === null ? {} : { authorization }),
            "x-forwarded-for": forwardedFor,
            ...headers,
            ...typeOf(body),
          },
          body: bytesOf(body),
        });
        const shown = quotaOf(answer.headers);
        if (shown !== null) [quota, counted] = [shown, counted + (answer.statusCode === 429 ? 0 : 1)];
        const text = await answer.body.text();
        if (answer.statusCode >= 400) throw apiError(answer.statusCode, text, answer.headers);
        const isJson = String(answer.headers["content-type"] ?? "").startsWith("application/json");
        return (text !== "" && isJson ? JSON.parse(text) : {}) as Answer;
      };
      return { send, get: (path) => send("GET", path), quota: () => quota && { ...quota, counted } };
    },
    close: () => agent.close(),
  };
}

/** A form names its type by itself, with the boundary that it draws. */
function typeOf(body: unknown): { "content-type"?: string } {
  if (body === undefined || body instanceof FormData) return {};
  return { "content-type": body instanceof RawBody ? body.contentType : "application/json" };
}

function bytesOf(body: unknown): FormData | Uint8Array | string | null {
  if (body === undefined) return null;
  if (body instanceof RawBody) return body.bytes;
  return body instanceof FormData ? body : JSON.stringify(body);
}

function isRefusedConnection(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
}

function quotaOf(headers: Record<string, string | string[] | undefined>): Quota | null {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) => headers[`x-ratelimit-${name}`]);
  return limit === undefined ? null : { limit: Number(limit), remaining: Number(remaining), reset: Number(reset) };
}
