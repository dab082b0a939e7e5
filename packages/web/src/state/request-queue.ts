/** Runs a limited number of requests at a time; a request whose key is waiting or running already is not added. */
export type RequestQueue = (key: string, request: () => Promise<void>) => Promise<void>;

/**
 * Makes a queue.
 * @param atOnce requests under way together; the API limits the requests of an address per second
 */
export function createRequestQueue(atOnce: number): RequestQueue {
  const running = new Map<string, Promise<void>>();
  const waiting: (() => void)[] = [];
  let free = atOnce;

  const turn = (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    // The newest request first: it belongs to what the screen shows now.
    return new Promise((resolve) => waiting.push(resolve));
  };
  const done = () => {
    const next = waiting.pop();
    if (next === undefined) free += 1;
    else next();
  };

  return (key, request) => {
    const known = running.get(key);
    if (known !== undefined) return known;
    const run = turn()
      .then(request)
      .finally(() => {
        running.delete(key);
        done();
      });
    running.set(key, run);
    return run;
  };
}
