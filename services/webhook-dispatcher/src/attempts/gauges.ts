import { Gauge, type Registry } from "prom-client";

/** How many jobs of a kind are under way in this process, and how many wait for that. */
export interface Gauges {
  readonly running: number;
  readonly waiting: number;
}

/** Returns a function that makes a gauge; `read` resolves with undefined where the last value stays. */
export function createGauges(registry: Registry) {
  return (name: string, help: string, read: () => Promise<number | undefined> | number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await Promise.resolve(read()).catch(() => Number.NaN);
        if (value !== undefined) this.set(value);
      },
    });
}
