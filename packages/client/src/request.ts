import type { Credentials } from "./credentials.js";
import type { Backoff } from "./pause.js";
import type { UploadProgress } from "./upload.js";

/** The last argument of every method of the REST API. */
export interface RequestOptions {
  /** Ends the request; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Time limit of the request with all its waits and repetitions, in milliseconds, in place of the client's. */
  readonly deadlineMs?: number;
}

/** The last argument of methods that send files. */
export interface UploadOptions extends RequestOptions {
  /** Called with the progress of the upload. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

/** The body of a message that is sent together with 1 to 10 files, and then needs no text. Each `File` has its own name. */
export type WithFiles<Body> = Partial<Body> & { readonly files: readonly Blob[] };

/** One request of the REST API. */
export interface TransportRequest {
  readonly method: string;
  /** Without `/api`; an address that the server answered with begins with `/api`. */
  readonly path: string;
  readonly query?: object | undefined;
  /** Sent as JSON; with a list of `files` in it as a form with these and the rest as JSON. */
  readonly body?: (object & { readonly files?: readonly Blob[] | string | null | undefined }) | undefined;
  readonly form?: FormData | undefined;
  /** The body takes a nonce, so that a repetition makes nothing twice. */
  readonly hasNonce?: boolean;
  /** No limit of the server counts it. */
  readonly unlimited?: boolean;
  /** Sent without credentials. */
  readonly anonymous?: boolean;
  /** A refused access token fails the request instead of being renewed. */
  readonly withoutRenewal?: boolean;
  readonly options?: UploadOptions | undefined;
}

/** The settings of a transport. */
export interface TransportSettings {
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly credentials: Credentials;
  /** How often a request without an answer, or with 502, 503 or 504, is repeated; null for the default. */
  readonly retries: number | null;
  readonly backoff: Backoff;
  /** Longest single wait for a limit of the server in milliseconds; a request that would wait longer fails with 429. */
  readonly rateLimitWaitMaxMs: number;
  /** Time limit of one attempt in milliseconds; uploads have none. */
  readonly timeoutMs: number;
  /** Time limit of a request with all its waits and repetitions, in milliseconds. */
  readonly deadlineMs: number;
}
