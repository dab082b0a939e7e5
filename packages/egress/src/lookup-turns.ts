/** A look-up that waits for its turn: its owners, and the function that begins it. */
interface Waiting {
  readonly owners: Set<string>;
  readonly begin: (endTurn: () => void) => void;
}

/** A look-up that may begin, and the owner that it then counts for. */
interface Next {
  readonly waiting: Waiting;
  readonly owner: string | null;
}

/**
 * Turns of look-ups: so many at a time, of one owner so many. A free turn goes to the owner with the fewest look-ups under way, so
 * names of one owner that hang delay no other owner's.
 */
export class LookupTurns {
  readonly #waiting = new Set<Waiting>();
  readonly #runningOf = new Map<string, number>();
  #running = 0;

  constructor(private readonly limits: { atOnceMax: number; perOwnerMax: number }) {}

  /**
   * Calls `begin` when it is the look-up's turn, which ends with the call of `endTurn`.
   *
   * @param owner null for one that counts for nobody
   */
  wait(owner: string | null, begin: Waiting["begin"]) {
    const waiting: Waiting = { owners: new Set(owner === null ? [] : [owner]), begin };
    this.#waiting.add(waiting);
    this.#beginNext();
    return {
      /** Another owner waits for the same: it begins with the first turn of one of them. */
      join: (other: string) => {
        if (!this.#waiting.has(waiting)) return;
        waiting.owners.add(other);
        this.#beginNext();
      },
      /** @returns whether it has not begun, and will not */
      leave: () => this.#waiting.delete(waiting),
    };
  }

  #beginNext(): void {
    while (this.#running < this.limits.atOnceMax) {
      const next = this.#next();
      if (next === null) return;
      this.#begin(next.waiting, next.owner);
    }
  }

  #begin(waiting: Waiting, owner: string | null): void {
    this.#waiting.delete(waiting);
    this.#count(owner, 1);
    let isOver = false;
    waiting.begin(() => {
      if (isOver) return;
      isOver = true;
      this.#count(owner, -1);
      this.#beginNext();
    });
  }

  #count(owner: string | null, change: number): void {
    this.#running += change;
    if (owner === null) return;
    const running = (this.#runningOf.get(owner) ?? 0) + change;
    if (running === 0) this.#runningOf.delete(owner);
    else this.#runningOf.set(owner, running);
  }

  /** Whose owner has the fewest under way, of these the one that has waited longest. */
  #next(): Next | null {
    let next: Next | null = null;
    let fewest = this.limits.perOwnerMax;
    for (const waiting of this.#waiting) {
      if (waiting.owners.size === 0) return { waiting, owner: null };
      for (const owner of waiting.owners) {
        const running = this.#runningOf.get(owner) ?? 0;
        if (running >= fewest) continue;
        next = { waiting, owner };
        fewest = running;
      }
      if (fewest === 0) return next;
    }
    return next;
  }
}
