/**
 * Runs a limited number of requests at a time; a request whose key is waiting or running already is not added.
 *
 * With `afresh`, a running request does not count, because its answer may be older than the caller's data. The new
 * request begins when that one has ended, so the newer answer arrives later.
 */
export type RequestQueue = (key: string, request: () => Promise<void>, options?: { afresh: boolean }) => Promise<void>;

/** A request that is waiting or running. */
interface Run {
  isRunning: boolean;
  done: Promise<void>;
  /** The request after it, for callers that asked with `afresh` while it was running. */
  next: Promise<void> | undefined;
}

/**
 * Makes a queue.
 * @param atOnce requests under way together; the API limits the requests of an address per second
 */
export function createRequestQueue(atOnce: number): RequestQueue {
  const runs = new Map<string, Run>();
  const waiting: (() => void)[] = [];
  let free = atOnce;

  const turn = (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    // The newest request first: it belongs to the present screen.
    return new Promise((resolve) => waiting.push(resolve));
  };
  const end = () => {
    const next = waiting.pop();
    if (next === undefined) free += 1;
    else next();
  };
  const start = (key: string, request: () => Promise<void>): Promise<void> => {
    const run: Run = { isRunning: false, done: turn(), next: undefined };
    run.done = run.done
      .then(() => {
        run.isRunning = true;
        return request();
      })
      .finally(() => {
        runs.delete(key);
        end();
      });
    runs.set(key, run);
    return run.done;
  };
  const queue: RequestQueue = (key, request, { afresh } = { afresh: false }) => {
    const known = runs.get(key);
    if (known === undefined) return start(key, request);
    if (!afresh || !known.isRunning) return known.done;
    const again = () => queue(key, request);
    known.next ??= known.done.then(again, again);
    return known.next;
  };
  return queue;
}
