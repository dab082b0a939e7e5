/** At most `max` holders at a time; waiting callers become holders in the order of arrival. */
export class Semaphore {
  readonly max: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(max: number) {
    this.max = max;
    this.#free = max;
  }

  /** @returns releases the slot; to be called once */
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return this.#release;
  }

  readonly #release = () => {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  };
}
