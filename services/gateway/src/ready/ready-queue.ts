import {
  readyBatchMax,
  readyInFlightMax,
  readyRestFactor,
  readyRestMaxMs,
  readySlowInFlightMax,
  readySlowMs,
} from "../limits.js";
import { createReadyPace } from "./ready-pace.js";

interface Request<T> {
  result: Promise<T>;
  resolve(result: T): void;
  reject(error: unknown): void;
}

/** By user, in the order in which they are served. */
type Requests<T> = Map<string, Request<T>>;

/**
 * Builds something for users in the order in which they ask, {@link readyInFlightMax} builds at a time. Users who wait
 * share a build, up to {@link readyBatchMax}.
 *
 * Fair to users, whatever one of them does: a user has one build under way and one that waits, which all their requests
 * share. Each request is answered by a build that began after it. When what a build shares cannot be read, each of its
 * users is built alone, before all others; when that was slow, each is built alone the next time. Users who were slow
 * alone take at most {@link readySlowInFlightMax} places, so that the others find one free. After a build its users rest
 * {@link readyRestFactor} times as long as it took, {@link readyRestMaxMs} at most, before their next one begins: who
 * reconnects without a pause gets a fixed part of one place, however much their READY costs.
 *
 * @param options.read what the users of a build share: a part for each user that there is
 * @param options.finish builds from a user's part; a rejection goes to those who asked for this user, and to nobody else
 */
export function createReadyQueue<Part, T>(options: {
  read: (userIds: string[]) => Promise<ReadonlyMap<string, Part>>;
  finish: (part: Part | undefined) => Promise<T>;
  slowMs?: number;
  restFactor?: number;
}): (userId: string) => Promise<T> {
  const { read, finish, slowMs = readySlowMs, restFactor = readyRestFactor } = options;
  const pace = createReadyPace(slowMs);
  /** Users of builds that are running, and those who rest after one. */
  const underWay = new Set<string>();
  // None of these users has a build under way. Those of `again` had one with others, whose reading failed.
  const again: Requests<T> = new Map();
  const slow: Requests<T> = new Map();
  const quick: Requests<T> = new Map();
  /** Requests made while a build of the user was running, or while the user rests. */
  const afterwards: Requests<T> = new Map();
  let inFlight = 0;
  let slowInFlight = 0;

  function enqueue(userId: string, request: Request<T>): void {
    (pace.isSlow(userId) ? slow : quick).set(userId, request);
  }

  function startWaiting(): void {
    while (inFlight < readyInFlightMax) {
      if (again.size > 0) void run(takeFirst(again, 1), false);
      else if (slow.size > 0 && slowInFlight < readySlowInFlightMax) void run(takeFirst(slow, 1), true);
      else if (quick.size > 0) void run(takeFirst(quick, batchSize()), false);
      else return;
    }
  }

  /**
   * Number of requests at the head of the queue that may share a build; a user who must be built alone is not
   * overtaken.
   */
  function batchSize(): number {
    let size = 0;
    for (const userId of quick.keys()) {
      if (pace.isSuspect(userId)) return Math.max(size, 1);
      size += 1;
      if (size === readyBatchMax) return size;
    }
    return size;
  }

  async function run(requests: Requests<T>, isSlow: boolean): Promise<void> {
    inFlight += 1;
    if (isSlow) slowInFlight += 1;
    for (const userId of requests.keys()) underWay.add(userId);
    const startedAt = performance.now();
    await build(requests);
    inFlight -= 1;
    if (isSlow) slowInFlight -= 1;
    const restMs = Math.min((performance.now() - startedAt) * restFactor, readyRestMaxMs);
    // Who is built alone right away has got nothing from this build.
    for (const userId of again.keys()) underWay.delete(userId);
    const served = [...requests.keys()].filter((userId) => !again.has(userId));
    if (restMs < 1) release(served);
    else setTimeout(() => release(served), restMs).unref();
    startWaiting();
  }

  /** Enqueues what these users have asked for since their last build began. */
  function release(userIds: readonly string[]): void {
    for (const userId of userIds) {
      underWay.delete(userId);
      const next = afterwards.get(userId);
      if (next === undefined) continue;
      afterwards.delete(userId);
      enqueue(userId, next);
    }
    startWaiting();
  }

  async function build(requests: Requests<T>): Promise<void> {
    const isAlone = requests.size === 1;
    const startedAt = performance.now();
    const reading = read([...requests.keys()]);
    const isRead = await reading.then(
      () => true,
      () => false,
    );
    const readMs = performance.now() - startedAt;
    for (const [userId, request] of requests) {
      if (!isRead && !isAlone) {
        again.set(userId, request);
        continue;
      }
      const finishedFrom = performance.now();
      try {
        const parts = await reading;
        request.resolve(await finish(parts.get(userId)));
      } catch (error) {
        request.reject(error);
      }
      pace.remember(userId, { isAlone, tookMs: readMs + performance.now() - finishedFrom });
    }
  }

  return (userId) => {
    const known = again.get(userId) ?? slow.get(userId) ?? quick.get(userId) ?? afterwards.get(userId);
    if (known !== undefined) return known.result;
    const request = createRequest<T>();
    if (underWay.has(userId)) afterwards.set(userId, request);
    else enqueue(userId, request);
    startWaiting();
    return request.result;
  };
}

function takeFirst<T>(requests: Requests<T>, count: number): Requests<T> {
  const first: Requests<T> = new Map();
  for (const [userId, request] of requests) {
    if (first.size === count) break;
    first.set(userId, request);
    requests.delete(userId);
  }
  return first;
}

function createRequest<T>(): Request<T> {
  let settle: Pick<Request<T>, "resolve" | "reject"> | undefined;
  const result = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { result, resolve: (value) => settle?.resolve(value), reject: (error) => settle?.reject(error) };
}
