import {
  readyBatchMax,
  readyInFlightMax,
  readyRestFactor,
  readyRestMaxMs,
  readySlowInFlightMax,
  readySlowMs,
} from "../limits.js";
import { ReadyPace } from "./ready-pace.js";

interface Request<T> {
  result: Promise<T>;
  resolve(result: T): void;
  reject(error: unknown): void;
}

/** By user id, in the order in which the builds start. */
type Requests<T> = Map<string, Request<T>>;

/**
 * A queue of builds: at most {@link readyInFlightMax} run at a time, each for up to {@link readyBatchMax} waiting
 * users. A build calls `read` once for all its users, then `finish` for each of them.
 *
 * Per user there is at most one running build and one waiting request; all calls for the user until that request starts
 * share its result. A call is never answered by a build that began before it. States of a user:
 *
 * - quick: waits for a shared build, in the order of the calls
 * - suspect: as quick, but built alone, because the user's last shared build was slow
 * - slow: the user's last build alone took `slowMs` or longer; built alone, at most {@link readySlowInFlightMax} slow
 *   users at a time, so that places remain for the others
 * - again: `read` rejected for a shared build; built alone, before all other waiting users
 * - running, then resting for {@link readyRestFactor} times the duration of the build, at most {@link readyRestMaxMs};
 *   a request made meanwhile is queued when the rest ends
 *
 * The rest limits a user who reconnects without a pause to a fixed share of one place, whatever their READY costs.
 *
 * @param options.read reads the parts of several users at once; a user that does not exist has no part
 * @param options.finish builds the result from one user's part; a rejection reaches only the callers for this user
 */
export function createReadyQueue<Part, T>(options: {
  read: (userIds: string[]) => Promise<ReadonlyMap<string, Part>>;
  finish: (part: Part | undefined) => Promise<T>;
  slowMs?: number;
  restFactor?: number;
}): (userId: string) => Promise<T> {
  const { read, finish, slowMs = readySlowMs, restFactor = readyRestFactor } = options;
  const pace = new ReadyPace(slowMs);
  /** Users in a running build, and users who rest after one. */
  const underWay = new Set<string>();
  // Waiting users, none of them running or resting.
  const again: Requests<T> = new Map();
  const slow: Requests<T> = new Map();
  const quick: Requests<T> = new Map();
  /** Requests made while the user was running or resting. */
  const afterwards: Requests<T> = new Map();
  let inFlight = 0;
  let slowInFlight = 0;
  let isStartDue = false;

  function enqueue(userId: string, request: Request<T>): void {
    (pace.isSlow(userId) ? slow : quick).set(userId, request);
  }

  /** Users who ask in the same turn of the event loop share a build, as in a storm of connections. */
  function startSoon(): void {
    if (isStartDue) return;
    isStartDue = true;
    setImmediate(() => {
      isStartDue = false;
      startWaiting();
    });
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
   * Number of requests at the head of `quick` that may share a build. It ends at a suspect, because nobody overtakes
   * one.
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
    // Users in `again` got no result from this build, so they do not rest.
    for (const userId of again.keys()) underWay.delete(userId);
    const served = [...requests.keys()].filter((userId) => !again.has(userId));
    if (restMs < 1) release(served);
    else setTimeout(() => release(served), restMs).unref();
    startWaiting();
  }

  /** Ends the rest of these users and queues the requests that they made since their last build began. */
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
    startSoon();
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
