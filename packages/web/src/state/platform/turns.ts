/** Sends the requests of a key one after the other, so that they take effect at the server in the order of the calls. */
export type Turns = <Answer>(key: string, request: () => Promise<Answer>) => Promise<Answer>;

/** Makes {@link Turns}. */
export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return (key, request) => {
    const run = (last.get(key) ?? Promise.resolve()).then(request, request);
    last.set(key, run);
    const forget = () => {
      if (last.get(key) === run) last.delete(key);
    };
    run.then(forget, forget);
    return run;
  };
}
