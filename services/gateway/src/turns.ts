/**
 * Runs work for at most `atOnce` callers at a time; the others wait, first come first served.
 *
 * @param atOnce how many may be under way
 * @returns runs the work when its turn has come
 */
export function createTurns(atOnce: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  let head = 0;

  function next(): void {
    const start = waiting[head];
    if (start === undefined) {
      free += 1;
      return;
    }
    head += 1;
    if (head > 1_024 && head * 2 > waiting.length) {
      waiting.splice(0, head);
      head = 0;
    }
    start();
  }

  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      next();
    }
  };
}
