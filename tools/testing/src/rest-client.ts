import { randomBytes } from "node:crypto";
import { AuthResponse, type User } from "@parley/contracts";
import { loadAnswerCheck } from "./api-description.js";

/** Anything that turns an unknown value into a known one or throws, such as a zod schema. */
export interface Parser<Value> {
  parse(value: unknown): Value;
}

/** The answer to a request. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON; the text when it is not JSON; undefined when there was none. */
  readonly body: unknown;
  /** Checks the status and the shape of the body and returns it typed; throws with status and body otherwise. */
  readonly expect: <Value>(status: number, shape: Parser<Value>) => Value;
}

/** Sends requests as one caller. An answer that the API description does not describe fails the request. */
export interface RestClient {
  readonly baseUrl: string;
  readonly get: (path: string) => Promise<Answer>;
  readonly post: (path: string, body?: unknown) => Promise<Answer>;
  readonly put: (path: string, body?: unknown) => Promise<Answer>;
  readonly patch: (path: string, body?: unknown) => Promise<Answer>;
  readonly delete: (path: string, body?: unknown) => Promise<Answer>;
  /** Sends any method with any headers; a string or Buffer body goes out as it is. */
  readonly send: (
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string> },
  ) => Promise<Answer>;
  /** The same client with another `Authorization` header, or with none. */
  readonly withAuthorization: (authorization: string | null) => RestClient;
  /** Registers a fresh user, name and password made up unless given, and returns a client that acts as them. */
  readonly register: (account?: { username?: string; password?: string; email?: string }) => Promise<UserClient>;
}

/** A client that acts as a registered user. */
export interface UserClient extends RestClient {
  readonly user: User;
  readonly username: string;
  readonly password: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** A client for one api or edge; `prefix: "/api"` uses the other address of every endpoint (docs/protocol/requests.md#1.1). */
export function createClient(
  baseUrl: string,
  { prefix = "", authorization = null }: { prefix?: "" | "/api"; authorization?: string | null } = {},
): RestClient {
  const send: RestClient["send"] = async (method, path, { body, headers = {} } = {}) => {
    const response = await fetch(`${baseUrl}${prefix}${path}`, {
      method,
      // Where an answer leads to may be an address that is not there.
      redirect: "manual",
      headers: {
        ...(authorization === null ? {} : { authorization }),
        ...(body === undefined || isRaw(body) ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
    });
    const answer = await readAnswer(`${method} ${prefix}${path}`, response);
    // Only the api gives its answers an id; the edge, other services and receivers of webhooks are not described.
    if (response.headers.has("x-request-id")) {
      const { status, headers: received, body: parsed } = answer;
      const { check } = await loadAnswerCheck(baseUrl);
      // The text of a redirect is for people whose browser does not follow it.
      const described = status === 302 ? undefined : parsed;
      check({ method, path: `${prefix}${path}`, status, headers: received, body: described });
    }
    return answer;
  };
  return {
    baseUrl,
    send,
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, { body }),
    put: (path, body) => send("PUT", path, { body }),
    patch: (path, body) => send("PATCH", path, { body }),
    delete: (path, body) => send("DELETE", path, { body }),
    withAuthorization: (next) => createClient(baseUrl, { prefix, authorization: next }),
    register: async ({
      username = `user_${randomBytes(8).toString("hex")}`,
      password = `pass-${randomBytes(8).toString("hex")}`,
      email,
    } = {}) => {
      const answer = await send("POST", "/auth/register", { body: { username, password, email } });
      const { access_token, refresh_token, user } = answer.expect(201, AuthResponse);
      return {
        ...createClient(baseUrl, { prefix, authorization: `Bearer ${access_token}` }),
        user,
        username,
        password,
        accessToken: access_token,
        refreshToken: refresh_token,
      };
    },
  };
}

function isRaw(body: unknown): body is string | Uint8Array | FormData {
  return typeof body === "string" || body instanceof Uint8Array || body instanceof FormData;
}

async function readAnswer(request: string, response: Response): Promise<Answer> {
  const text = await response.text();
  const body = parseJson(text);
  return {
    status: response.status,
    headers: response.headers,
    body,
    expect: (status, shape) => {
      if (response.status !== status) {
        throw new Error(`${request} answered ${response.status} instead of ${status}: ${text.slice(0, 2_000)}`);
      }
      return shape.parse(body);
    },
  };
}

function parseJson(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
