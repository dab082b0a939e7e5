/** At most `max` holders at a time; waiters get their slot in order of arrival. */
export interface Semaphore {
  readonly max: number;
  /** @returns releases the slot; to be called once */
  acquire(): Promise<() => void>;
}

export function createSemaphore(max: number): Semaphore {
  const waiting: (() => void)[] = [];
  let free = max;
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    max,
    async acquire() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return release;
    },
  };
}
