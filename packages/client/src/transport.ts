import type { Credentials } from "./credentials.js";
import { ParleyError, readError } from "./error.js";
import { type Backoff, backoffMs, pause } from "./pause.js";
import { type UploadProgress, uploadForm } from "./upload.js";

/** What every method of the REST API takes last. */
export interface RequestOptions {
  /** Ends the request; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** What methods that send files take last. */
export interface UploadOptions extends RequestOptions {
  /** Called with the progress of the upload. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

/** One request of the REST API. */
export interface TransportRequest {
  readonly method: string;
  /** Without `/api`; an address that the server answered with begins with `/api`. */
  readonly path: string;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly form?: FormData | undefined;
  /** The body takes a nonce, so that a repetition makes nothing twice. */
  readonly hasNonce?: boolean;
  /** Sent without credentials. */
  readonly anonymous?: boolean;
  /** A refused access token fails the request instead of being renewed. */
  readonly withoutRenewal?: boolean;
  readonly options?: UploadOptions | undefined;
}

/** A list with the address of what follows it. */
export interface Page<Item> {
  readonly items: Item[];
  /** `path` of the request for the next page; null after the last one. */
  readonly next: string | null;
}

/** Sends requests: with credentials, repeated where that is safe, held back by the limits of the server. */
export interface Transport {
  json<Answer>(request: TransportRequest): Promise<Answer>;
  page<Item>(request: TransportRequest): Promise<Page<Item>>;
  text(request: TransportRequest): Promise<string>;
  blob(request: TransportRequest): Promise<Blob>;
  none(request: TransportRequest): Promise<void>;
}

/** What a transport is made of. */
export interface TransportSettings {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly credentials: Credentials;
  /** How often a request without an answer, or with 502, 503 or 504, is repeated. */
  readonly retries: number;
  readonly backoff: Backoff;
  /** Longest wait for a limit of the server in milliseconds; what would take longer fails with 429. */
  readonly rateLimitWaitMaxMs: number;
  /** Time limit of one attempt in milliseconds; uploads have none. */
  readonly timeoutMs: number;
}

/** Statuses of an outage; 0 stands for no answer. */
const outages = [0, 502, 503, 504];

/** Makes a transport. */
export function createTransport(settings: TransportSettings): Transport {
  const { credentials, backoff, retries, rateLimitWaitMaxMs } = settings;

  async function send(asked: TransportRequest): Promise<Response> {
    const request = withNonce(asked);
    const signal = request.options?.signal;
    const isRepeatable = request.method !== "POST" || request.hasNonce === true;
    const { session } = credentials;
    let failures = 0;
    let isRenewed = request.withoutRenewal === true;
    for (;;) {
      const authorization = request.anonymous === true ? null : credentials.header();
      const answer = await attempt(settings, request, authorization).catch((error: unknown) => {
        signal?.throwIfAborted();
        return new ParleyError({ status: 0, code: "The server could not be reached", cause: error });
      });
      if (!(answer instanceof ParleyError) && answer.ok) return answer;
      const error = answer instanceof ParleyError ? answer : await readError(answer);
      if (isDeletedBefore(request, error.status, failures)) return new Response(null, { status: 204 });
      const waitMs = answer instanceof ParleyError ? Number.POSITIVE_INFINITY : rateLimitWaitMs(answer);
      if (outages.includes(error.status) && isRepeatable && failures < retries) {
        await pause(backoffMs(backoff, failures), signal);
        failures += 1;
      } else if (waitMs <= rateLimitWaitMaxMs) {
        await pause(waitMs, signal);
      } else {
        if (error.status !== 401 || isRenewed || authorization === null) throw error;
        isRenewed = true;
        if (!(await credentials.renew(authorization))) throw error;
      }
      // The next session may be another user's: a repetition would act in their name.
      if (credentials.session !== session && request.anonymous !== true) throw error;
    }
  }

  return {
    async json(request) {
      return JSON.parse(await (await send(request)).text());
    },
    async page(request) {
      const response = await send(request);
      const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1] ?? null;
      return { items: JSON.parse(await response.text()), next };
    },
    text: async (request) => (await send(request)).text(),
    blob: async (request) => (await send(request)).blob(),
    async none(request) {
      await (await send(request)).body?.cancel();
    },
  };
}

/**
 * Whether a 404 counts as success of a DELETE: an earlier attempt without an answer may have deleted the object. If
 * another client did, the result is the same.
 */
function isDeletedBefore({ method }: TransportRequest, status: number, failures: number): boolean {
  return method === "DELETE" && status === 404 && failures > 0;
}

/** A message that is sent again after a lost answer is the same message. */
function withNonce(request: TransportRequest): TransportRequest {
  return request.hasNonce === true ? { ...request, body: { nonce: crypto.randomUUID(), ...request.body } } : request;
}

function attempt(settings: TransportSettings, request: TransportRequest, authorization: string | null) {
  const { method, path, query, body, form, options } = request;
  const url = addressOf(settings.baseUrl, path, query);
  const headers: Record<string, string> = authorization === null ? {} : { authorization };
  if (form !== undefined && options?.onProgress !== undefined) {
    const { onProgress, signal } = options;
    return uploadForm({ url, method, headers, form, signal, fetch: settings.fetch, onProgress });
  }
  const signals = [
    ...(options?.signal === undefined ? [] : [options.signal]),
    ...(form === undefined ? [AbortSignal.timeout(settings.timeoutMs)] : []),
  ];
  return settings.fetch(url, {
    method,
    headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(form === undefined ? {} : { body: form }),
    signal: AbortSignal.any(signals),
  });
}

/** The address of a path of the API. */
export function addressOf(baseUrl: string, path: string, query: object = {}): string {
  const url = new URL(baseUrl + (path.startsWith("/api/") ? path : `/api${path}`));
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
  }
  return url.href;
}

/** How long a 429 asks to wait: `Retry-After`, or for bots the time in which one token of the bucket comes back. */
function rateLimitWaitMs({ status, headers }: Response): number {
  if (status !== 429) return Number.POSITIVE_INFINITY;
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  if (Number.isFinite(retryAfter)) return Math.max(retryAfter * 1_000, 50) * (1 + Math.random() / 4);
  const [limit, reset] = [Number(headers.get("x-ratelimit-limit")), Number(headers.get("x-ratelimit-reset"))];
  // The server's clock, which need not be this one's.
  const now = Date.parse(headers.get("date") ?? "") / 1_000;
  const secondsUntilFull = Number.isFinite(reset - now) ? Math.max(reset - now, 1) : 1;
  return Math.min(1_000, (secondsUntilFull * 1_000) / Math.max(limit, 1)) * (1 + Math.random()) + 20;
}
