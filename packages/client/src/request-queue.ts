import { Pace, readBucket } from "./pace.js";

/** Requests under way at the same time, of one bucket. */
const inFlightMax = 64;

/** A request in the queue. */
export interface QueuedRequest {
  /** Waits until the request may be sent, and counts it as sent. When it is repeated, it is before those that came later. */
  pass(signal: AbortSignal): Promise<SentRequest>;
  /** Lets the next request of the same key begin. */
  leave(): void;
}

/** A request that is under way. */
export interface SentRequest {
  /**
   * Updates the pace by its answer.
   *
   * @param refusedMs for a 429 of the limit its Retry-After; null for other answers
   */
  answered(headers: Headers | null, refusedMs: number | null): void;
}

interface Waiting {
  position: number;
  begin: () => void;
}

/**
 * Requests that the server counts in one bucket. They are sent as fast as the bucket allows; those with the same key
 * one after the other, in the order in which they came.
 *
 * @param waitMaxMs longest wait for the bucket; a request that would wait longer is sent all the same, and the server
 * refuses it
 */
export class RequestQueue {
  readonly #pace = new Pace();
  readonly #waitMaxMs: number;
  readonly #tails = new Map<string, Promise<void>>();
  #waiting: Waiting[] = [];
  #inFlight = 0;
  #entered = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(waitMaxMs: number) {
    this.#waitMaxMs = waitMaxMs;
  }

  /**
   * Joins the queue, and waits until the requests with the same key before it have left.
   *
   * @param key null for a request whose order does not matter
   */
  async enter(key: string | null, signal: AbortSignal): Promise<QueuedRequest> {
    let position: number | null = null;
    const pass = (passSignal: AbortSignal) => {
      // Not earlier: many requests of one key would be before all those of others that come after them.
      position ??= this.#entered++;
      return this.#pass(position, passSignal);
    };
    if (key === null) return { pass, leave: () => undefined };
    let leave = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const before = this.#tails.get(key);
    const tail = before === undefined ? left : before.then(() => left);
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    try {
      if (before !== undefined) await settledOrAborted(before, signal);
    } catch (error) {
      leave();
      throw error;
    }
    return { pass, leave };
  }

  #pass(position: number, signal: AbortSignal): Promise<SentRequest> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const onAbort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(signal.reason);
      };
      const waiting: Waiting = {
        position,
        begin: () => {
          signal.removeEventListener("abort", onAbort);
          resolve(this.#begin());
        },
      };
      signal.addEventListener("abort", onAbort, { once: true });
      const isLast = (this.#waiting.at(-1)?.position ?? -1) < position;
      if (isLast) this.#waiting.push(waiting);
      else
        this.#waiting.splice(
          this.#waiting.findIndex((other) => other.position > position),
          0,
          waiting,
        );
      this.#advance();
    });
  }

  #begin(): SentRequest {
    const number = this.#pace.take(performance.now());
    this.#inFlight += 1;
    return {
      answered: (headers, refusedMs) => {
        this.#inFlight -= 1;
        const state = headers === null ? null : readBucket(headers);
        if (headers !== null) {
          this.#pace.learn({ number, state, refusedMs, inFlight: this.#inFlight }, performance.now());
        }
        this.#advance();
      },
    };
  }

  #advance(): void {
    clearTimeout(this.#timer);
    while (this.#inFlight < inFlightMax && this.#waiting.length > 0) {
      const waitMs = this.#pace.waitMs(performance.now());
      if (waitMs > 0 && waitMs <= this.#waitMaxMs) {
        // Timers may fire a little early.
        this.#timer = setTimeout(() => this.#advance(), waitMs + 1);
        return;
      }
      this.#waiting.shift()?.begin();
    }
  }
}

/** Resolves with the promise; rejects with the reason of the signal when it is aborted before. */
function settledOrAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const onAbort = () => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    void promise.then(() => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
  });
}
