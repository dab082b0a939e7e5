import { addressOf } from "./address.js";
import { type FailedRequest, ParleyError, readError, unreachable } from "./error.js";
import { backoffMs, pause } from "./pause.js";
import type { TransportRequest, TransportSettings } from "./request.js";
import type { QueuedRequest, RequestQueue, SentRequest } from "./request-queue.js";
import { uploadForm } from "./upload.js";

/** Statuses of an outage; 0 stands for no answer. */
const outages = [0, 502, 503, 504];
/** Repetitions of requests that are safe to repeat, unless the settings have another number. */
const defaultRetries = 4;
/** Longest time of a timer; a longer limit has none. */
const timerMsMax = 2 ** 31 - 1;

/** Reads the result of a method from an answer. */
export type Read<Result> = (response: Response, request: FailedRequest) => Promise<Result>;

/** A request with the parts that sending it needs. */
export interface Exchange<Result> {
  readonly settings: TransportSettings;
  readonly request: TransportRequest;
  /** The requests of the same bucket; null for a request that no limit counts. */
  readonly queue: RequestQueue | null;
  readonly read: Read<Result>;
}

/** How an attempt ended. */
type Outcome<Result> =
  | { readonly result: Result }
  /** `limitMs`: wait for a limit other than that of the bucket, infinite for an error that is no limit. */
  | { readonly error: ParleyError; readonly limitMs: number };

/** Sends a queued request, again where that is safe, until it has its answer or its deadline has passed. */
export async function exchange<Result>({ settings, request, queue, read }: Exchange<Result>): Promise<Result> {
  const deadlineMs = request.options?.deadlineMs ?? settings.deadlineMs;
  const caller = request.options?.signal;
  const stop = new AbortController();
  const onAbort = () => stop.abort(caller?.reason);
  if (caller?.aborted) onAbort();
  caller?.addEventListener("abort", onAbort, { once: true });
  const timer = deadlineMs > timerMsMax ? undefined : setTimeout(() => stop.abort(), deadlineMs);
  const call = new Call(settings, request, stop.signal);
  try {
    const queued = await call.wait(queue?.enter(keyOf(request), stop.signal) ?? unqueued);
    try {
      return await call.repeat(queued, read);
    } finally {
      queued.leave();
    }
  } catch (error) {
    caller?.throwIfAborted();
    throw stop.signal.aborted ? call.late(deadlineMs) : error;
  } finally {
    clearTimeout(timer);
    caller?.removeEventListener("abort", onAbort);
  }
}

const uncounted: SentRequest = { answered: () => undefined };
const unqueued: Promise<QueuedRequest> = Promise.resolve({ pass: async () => uncounted, leave: () => undefined });

/**
 * Requests with the same key keep their order: messages of a channel, and changes of one object. So do the reactions to
 * a message, which are listed as they were first added. Messages do not wait for those with files, which take long.
 */
function keyOf({ method, path, body }: TransportRequest): string | null {
  if (method === "GET") return null;
  return !Array.isArray(body?.files) ? path.replace(/(\/reactions\/).*/s, "$1") : `${path} with files`;
}

/** One request with all its attempts. */
class Call {
  readonly #settings: TransportSettings;
  readonly #request: TransportRequest;
  readonly #url: string;
  readonly #signal: AbortSignal;
  readonly #session: number;
  #waitedMs = 0;
  #failures = 0;
  #isRenewed: boolean;
  #lastError: ParleyError | null = null;

  constructor(settings: TransportSettings, request: TransportRequest, signal: AbortSignal) {
    this.#settings = settings;
    this.#request = request;
    this.#url = addressOf(settings.baseUrl, request.path, request.query);
    this.#signal = signal;
    this.#session = settings.credentials.session;
    this.#isRenewed = request.withoutRenewal === true;
  }

  /** Waits for a limit, or for the requests before this one. */
  async wait<Result>(work: Promise<Result>): Promise<Result> {
    const startedAt = performance.now();
    try {
      return await work;
    } finally {
      this.#waitedMs += performance.now() - startedAt;
    }
  }

  /** Makes attempts until one is final. */
  async repeat<Result>(queued: QueuedRequest, read: Read<Result>): Promise<Result> {
    for (;;) {
      const sent = await this.wait(queued.pass(this.#signal));
      if (!this.#isSameUser()) {
        sent.answered(null, null);
        throw new ParleyError({
          status: 401,
          code: "session_ended",
          text: "The session of the request has ended",
          request: this.#failed(),
        });
      }
      const authorization = this.#request.anonymous === true ? null : this.#settings.credentials.header();
      const outcome = await this.#attempt({ authorization, sent, read });
      if ("result" in outcome) return outcome.result;
      this.#lastError = outcome.error;
      await this.#beforeNext(outcome, authorization);
      if (!this.#isSameUser()) throw outcome.error;
    }
  }

  /** The error of a request whose deadline has passed. */
  late(deadlineMs: number): ParleyError {
    const last = this.#lastError;
    return new ParleyError({
      status: last?.status ?? 0,
      code: last?.code ?? "deadline_passed",
      text: last?.text ?? `There was no answer within ${deadlineMs / 1_000} s`,
      requestId: last?.requestId ?? null,
      request: this.#failed(),
      cause: last?.cause,
    });
  }

  /** A repetition in the session of another user would act in their name. */
  #isSameUser(): boolean {
    return this.#request.anonymous === true || this.#settings.credentials.session === this.#session;
  }

  #failed(): FailedRequest {
    return { method: this.#request.method, url: this.#url, waitedMs: this.#waitedMs };
  }

  async #attempt<Result>(options: {
    authorization: string | null;
    sent: SentRequest;
    read: Read<Result>;
  }): Promise<Outcome<Result>> {
    const { authorization, sent, read } = options;
    const request = this.#failed();
    let isCounted = false;
    const count = (headers: Headers | null, refusedMs: number | null) => {
      if (!isCounted) sent.answered(headers, refusedMs);
      isCounted = true;
    };
    try {
      const response = await this.#fetch(authorization);
      if (response.ok || this.#isDeletedBefore(response.status)) {
        count(response.headers, null);
        return { result: await read(response.ok ? response : new Response(null, { status: 204 }), request) };
      }
      const error = await readError(response, request);
      const limit = readLimit(response, error);
      count(response.headers, limit?.isBucket === true ? limit.waitMs : null);
      // The queue waits for the bucket.
      return {
        error,
        limitMs:
          limit?.isBucket === true && limit.waitMs <= this.#settings.rateLimitWaitMaxMs
            ? 0
            : (limit?.waitMs ?? Number.POSITIVE_INFINITY),
      };
    } catch (thrown) {
      this.#signal.throwIfAborted();
      const error = thrown instanceof ParleyError ? thrown : unreachable(thrown, request);
      return { error, limitMs: Number.POSITIVE_INFINITY };
    } finally {
      count(null, null);
    }
  }

  /** Waits until the request may be repeated; throws when it may not. */
  async #beforeNext({ error, limitMs }: { error: ParleyError; limitMs: number }, authorization: string | null) {
    const { backoff, rateLimitWaitMaxMs, credentials } = this.#settings;
    if (outages.includes(error.status) && this.#isRepeatable()) {
      await pause(backoffMs(backoff, this.#failures), this.#signal);
      this.#failures += 1;
    } else if (limitMs <= rateLimitWaitMaxMs) {
      await this.wait(pause(limitMs, this.#signal));
    } else {
      if (error.status !== 401 || this.#isRenewed || authorization === null) throw error;
      this.#isRenewed = true;
      if (!(await credentials.renew(authorization))) throw error;
    }
  }

  #isRepeatable(): boolean {
    const { method, hasNonce = false } = this.#request;
    // A message with a nonce is made once, however often it is sent.
    const retries = this.#settings.retries ?? (hasNonce ? Number.POSITIVE_INFINITY : defaultRetries);
    return (method !== "POST" || hasNonce) && this.#failures < retries;
  }

  /**
   * Whether a 404 counts as success of a DELETE: an earlier attempt without an answer may have deleted the object. If
   * another client did, the result is the same.
   */
  #isDeletedBefore(status: number): boolean {
    return this.#request.method === "DELETE" && status === 404 && this.#failures > 0;
  }

  #fetch(authorization: string | null): Promise<Response> {
    const { method, body, options } = this.#request;
    const form = this.#request.form ?? formOf(body);
    const headers: Record<string, string> = authorization === null ? {} : { authorization };
    const { fetch, timeoutMs } = this.#settings;
    const own = options?.signal;
    if (form !== undefined) {
      // However long a file takes; only the caller ends it.
      if (options?.onProgress === undefined)
        return fetch(this.#url, { method, headers, body: form, ...(own && { signal: own }) });
      const { onProgress } = options;
      return uploadForm({ url: this.#url, method, headers, form, signal: own, fetch, onProgress });
    }
    return fetch(this.#url, {
      method,
      headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([this.#signal, AbortSignal.timeout(timeoutMs)]),
    });
  }
}

/** The form of a message with its files, whose names are those of files and else count from 1; undefined without any. */
function formOf(body: TransportRequest["body"]): FormData | undefined {
  if (!Array.isArray(body?.files) || body.files.length === 0) return undefined;
  const { files, ...payload } = body;
  const form = new FormData();
  form.append("payload_json", JSON.stringify(payload));
  for (const [index, file] of files.entries()) {
    form.append("files", file, "name" in file ? String(file.name) : `file-${index + 1}`);
  }
  return form;
}

/**
 * The wait of a 429, and whether it is until the bucket has tokens again; with tokens left it is for another limit. Null
 * for other errors, and for a limit without Retry-After.
 */
function readLimit({ status, headers }: Response, { text }: ParleyError): { waitMs: number; isBucket: boolean } | null {
  if (status !== 429) return null;
  // The limit of bots: the one 429 without Retry-After after which a repetition helps. It has no code, either.
  if (text.startsWith("Bot rate limit exceeded")) return { waitMs: 1, isBucket: true };
  const retryAfter = Number(headers.get("retry-after") ?? Number.NaN);
  if (!Number.isFinite(retryAfter)) return null;
  const waitMs = Math.max(retryAfter * 1_000, 50);
  const remaining = headers.get("x-ratelimit-remaining");
  return { waitMs, isBucket: remaining === null || remaining === "0" };
}
