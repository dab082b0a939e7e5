import { readyInFlightMax, readySlowInFlightMax, readySlowMs, readySlowUsersMax } from "../limits.js";

interface Request<T> {
  result: Promise<T>;
  resolve(result: T): void;
  reject(error: unknown): void;
}

/**
 * Builds something for users in the order in which they ask, {@link readyInFlightMax} users at a time.
 *
 * Fair to users, whatever one of them does: a user has one build under way and one that waits, which all their requests
 * share. Each request is answered by a build that began after it. Users whose last build was slow take at most
 * {@link readySlowInFlightMax} places, so that the others find one free.
 *
 * @param options.build a rejection goes to those who asked for this user, and to nobody else
 */
export function createReadyQueue<T>(options: {
  build: (userId: string) => Promise<T>;
  slowMs?: number;
}): (userId: string) => Promise<T> {
  const { build, slowMs = readySlowMs } = options;
  const underWay = new Set<string>();
  /** In the order of arrival; none of these users has a build under way. */
  const waiting = { quick: new Map<string, Request<T>>(), slow: new Map<string, Request<T>>() };
  /** Asked for while a build of the user was under way. */
  const afterwards = new Map<string, Request<T>>();
  const slowUsers = new Set<string>();
  let slowUnderWay = 0;

  function enqueue(userId: string, request: Request<T>): void {
    const queue = slowUsers.has(userId) ? waiting.slow : waiting.quick;
    queue.set(userId, request);
    startWaiting();
  }

  function startWaiting(): void {
    while (underWay.size < readyInFlightMax) {
      const queue = slowUnderWay < readySlowInFlightMax && waiting.slow.size > 0 ? waiting.slow : waiting.quick;
      const [first] = queue;
      if (first === undefined) return;
      const [userId, request] = first;
      queue.delete(userId);
      void run(userId, request, queue === waiting.slow);
    }
  }

  async function run(userId: string, request: Request<T>, isSlow: boolean): Promise<void> {
    underWay.add(userId);
    if (isSlow) slowUnderWay += 1;
    const startedAt = performance.now();
    try {
      request.resolve(await build(userId));
    } catch (error) {
      request.reject(error);
    }
    remember(userId, performance.now() - startedAt);
    underWay.delete(userId);
    if (isSlow) slowUnderWay -= 1;
    const next = afterwards.get(userId);
    afterwards.delete(userId);
    if (next === undefined) startWaiting();
    else enqueue(userId, next);
  }

  function remember(userId: string, tookMs: number): void {
    slowUsers.delete(userId);
    if (tookMs < slowMs) return;
    slowUsers.add(userId);
    const [oldest] = slowUsers;
    if (slowUsers.size > readySlowUsersMax && oldest !== undefined) slowUsers.delete(oldest);
  }

  return (userId) => {
    const known = waiting.quick.get(userId) ?? waiting.slow.get(userId) ?? afterwards.get(userId);
    if (known !== undefined) return known.result;
    const request = createRequest<T>();
    if (underWay.has(userId)) afterwards.set(userId, request);
    else enqueue(userId, request);
    return request.result;
  };
}

function createRequest<T>(): Request<T> {
  let settle: Pick<Request<T>, "resolve" | "reject"> | undefined;
  const result = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { result, resolve: (value) => settle?.resolve(value), reject: (error) => settle?.reject(error) };
}
