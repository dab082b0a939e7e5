/**
 * A token bucket kept as one number: the moment when it is full again. Each token taken moves that moment one interval
 * into the future; a token is there as long as the moment is less than `burst` intervals away. All times are whole
 * microseconds, so that nothing is lost to rounding.
 */
export interface BucketSize {
  burst: number;
  intervalMicros: number;
}

/** The outcome of one take. */
export interface TakeOutcome {
  allowed: boolean;
  /** When the bucket is full again, after this take. */
  fullAtMicros: number;
}

/** The size of a bucket that refills `ratePerSecond` tokens a second up to `burst`. */
export function bucketSize(ratePerSecond: number, burst: number): BucketSize {
  if (!(ratePerSecond > 0 && ratePerSecond <= 1_000_000) || !Number.isSafeInteger(burst) || burst < 1) {
    throw new RangeError(`A bucket of ${burst} tokens cannot refill ${ratePerSecond} a second.`);
  }
  return { burst, intervalMicros: Math.round(1_000_000 / ratePerSecond) };
}

/**
 * Takes `cost` tokens, or none when there are too few; a negative cost returns tokens, up to the full bucket. The Lua script
 * of the bucket states the same rule.
 */
export function takeTokens(size: BucketSize, fullAtMicros: number, nowMicros: number, cost: number): TakeOutcome {
  const capacity = size.burst * size.intervalMicros;
  const current = Math.min(Math.max(fullAtMicros, nowMicros), nowMicros + capacity);
  const after = Math.max(current + cost * size.intervalMicros, nowMicros);
  return after - nowMicros <= capacity
    ? { allowed: true, fullAtMicros: after }
    : { allowed: false, fullAtMicros: current };
}

/** Whole tokens that are left, and how long until `cost` tokens are there. */
export function bucketState(size: BucketSize, fullAtMicros: number, nowMicros: number, cost: number) {
  const capacity = size.burst * size.intervalMicros;
  const missing = Math.max(fullAtMicros - nowMicros, 0);
  return {
    remaining: Math.max(Math.floor((capacity - missing) / size.intervalMicros), 0),
    waitMicros: Math.max(missing + cost * size.intervalMicros - capacity, 0),
  };
}
