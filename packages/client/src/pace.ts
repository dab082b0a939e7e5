/** Assumed size of the bucket until the first answer. */
const firstBurst = 10;
/** Assumed interval between two new tokens until an answer has it. */
const firstMsPerToken = 100;
/** Largest divisor of the tokens that are left, where other clients take from the same bucket. */
const crowdMax = 16;

/** State of a bucket, from the headers of an answer. */
export interface BucketState {
  /** Tokens of the full bucket. */
  readonly limit: number;
  /** Whole tokens that are left. */
  readonly remaining: number;
  /** Longest interval between two new tokens; null where the answer does not determine it. */
  readonly msPerToken: number | null;
}

/** The effect of an answer on the estimate of the bucket. */
export interface Answered {
  /** Number of the request, from {@link Pace.take}. */
  readonly number: number;
  /** Null for an answer without headers of a limit. */
  readonly state: BucketState | null;
  /** For a 429 of this limit its Retry-After; null for other answers. */
  readonly refusedMs: number | null;
  /** Requests whose answers are still awaited. */
  readonly inFlight: number;
}

/**
 * When the next request may be sent, so that the server's token bucket has a token for it: as many as the newest answer
 * left, less those that are under way, and one more for every interval between two new tokens. Intervals are estimated
 * from above, and the next answer counts the tokens since, so the whole limit is used. Where other clients use the same
 * bucket, each 429 makes the share of the remaining tokens smaller, and each success makes it larger again.
 */
export class Pace {
  #limit = firstBurst;
  #msPerToken = firstMsPerToken;
  #isLearned = false;
  /** Tokens at the time `#levelAt`; infinite where answers carry no limit. */
  #level = firstBurst;
  #levelAt = 0;
  #blockedUntil = 0;
  #crowd = 1;
  /** Numbers: of the next request, of the newest that is answered, of the first that a larger crowd was waited for. */
  #next = 0;
  #newest = -1;
  #crowdFrom = 0;

  /** Milliseconds until a request may be sent; 0 for now. */
  waitMs(now: number): number {
    const blockedMs = this.#blockedUntil - now;
    const missing = 1 - this.#levelNow(now);
    return Math.max(blockedMs, missing <= 0 ? 0 : missing * this.#msPerToken * this.#crowd, 0);
  }

  /** Counts a request that is sent now, and returns its number. */
  take(now: number): number {
    this.#setLevel(this.#levelNow(now) - 1, now);
    this.#next += 1;
    return this.#next - 1;
  }

  /** Updates the state by an answer. */
  learn({ number, state, refusedMs, inFlight }: Answered, now: number): void {
    if (state === null) {
      if (!this.#isLearned && refusedMs === null) this.#setLevel(Number.POSITIVE_INFINITY, now);
    } else {
      this.#learnSize(state);
      // Answers may overtake each other; an older one does not count the requests since.
      const level = state.remaining / this.#crowd - inFlight;
      this.#setLevel(number > this.#newest ? level : Math.min(level, this.#levelNow(now)), now);
      this.#newest = Math.max(number, this.#newest);
    }
    if (refusedMs === null) this.#crowd = Math.max(1, this.#crowd * 0.99);
    else this.#refuse(number, refusedMs, now);
  }

  #learnSize({ limit, msPerToken }: BucketState): void {
    if (limit !== this.#limit) this.#isLearned = false;
    this.#limit = limit;
    if (msPerToken === null) return;
    this.#msPerToken = this.#isLearned ? Math.min(msPerToken, this.#msPerToken) : msPerToken;
    this.#isLearned = true;
  }

  #refuse(number: number, waitMs: number, now: number): void {
    // Requests that were sent together are refused together, for one reason.
    if (number >= this.#crowdFrom) {
      this.#crowd = Math.max(1, Math.min(this.#crowd * 2, crowdMax, this.#limit / 2));
      this.#crowdFrom = this.#next;
    }
    this.#setLevel(Math.min(0, this.#levelNow(now)), now);
    // Spread, so that the refused clients do not all return at once.
    const spreadMs = Math.max(waitMs, this.#msPerToken * this.#crowd) * (Math.random() / 4);
    this.#blockedUntil = Math.max(this.#blockedUntil, now + waitMs + spreadMs);
  }

  #levelNow(now: number): number {
    const gained = (now - this.#levelAt) / (this.#msPerToken * this.#crowd);
    return Math.min(Math.max(this.#limit, this.#level), this.#level + gained);
  }

  #setLevel(level: number, now: number): void {
    this.#level = level;
    this.#levelAt = now;
  }
}

/** Reads the state of the bucket from an answer; null without the headers of a limit. */
export function readBucket(headers: Headers): BucketState | null {
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) =>
    Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN),
  );
  if (limit === undefined || remaining === undefined || reset === undefined) return null;
  if (!(limit >= 1 && remaining >= 0)) return null;
  return { limit, remaining, msPerToken: intervalMs(limit - remaining, reset, headers.get("date")) };
}

/**
 * The interval of tokens from when the bucket is full again, by the server's clock where the answer shows it: to pages
 * of another origin it does not.
 */
function intervalMs(missing: number, reset: number, date: string | null): number | null {
  if (missing < 1 || !Number.isFinite(reset)) return null;
  const serverNow = Date.parse(date ?? "");
  if (!Number.isNaN(serverNow)) return Math.max(reset * 1_000 - serverNow, 1_000) / missing;
  return Math.min(Math.max((reset * 1_000 - Date.now()) / missing, 20), 1_000);
}
