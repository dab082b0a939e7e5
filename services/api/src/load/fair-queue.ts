import { errorTexts, rateLimited, type ServiceError } from "@parley/contracts";

interface Waiting {
  begin: () => void;
  timer: NodeJS.Timeout;
}

/** Bounds of a {@link FairQueue}. */
export interface FairQueueLimits {
  /** Pieces of work at a time in this process. */
  runningMax: number;
  /** Of them, of one user. */
  runningPerUserMax?: number;
  /** Pieces that may wait, of all users together and of one. */
  waitingMax: number;
  waitingPerUserMax: number;
  /** How long one may wait. */
  waitMaxMs: number;
}

/**
 * Limits how many heavy tasks run at a time, so that they do not occupy the process's database connections. Users are
 * served round-robin: a user's second task waits behind the first task of every other user. Beyond the limits of waiting
 * a task is refused with 429.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** Users in the order of their turns, each with their pieces in the order of arrival. */
  readonly #waiting = new Map<string, Waiting[]>();
  #waitingCount = 0;
  #running = 0;
  readonly #runningOf = new Map<string, number>();

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /**
   * @param userId whose turn it takes; the id of a server where servers take turns
   * @throws ServiceError 429 when too many wait already, or it has waited too long
   */
  async run<T>(userId: string, work: () => Promise<T>): Promise<T> {
    await this.#enter(userId);
    try {
      return await work();
    } finally {
      this.#leave(userId);
    }
  }

  async #enter(userId: string): Promise<void> {
    if (this.#mayRun(userId)) {
      this.#begin(userId);
      return;
    }
    const own = this.#waiting.get(userId) ?? [];
    const { waitingMax, waitingPerUserMax, waitMaxMs } = this.#limits;
    if (this.#waitingCount >= waitingMax || own.length >= waitingPerUserMax) throw refusal();
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#remove(userId, entry);
        reject(refusal());
      }, waitMaxMs);
      const entry = { begin: resolve, timer };
      own.push(entry);
      this.#waiting.set(userId, own);
      this.#waitingCount += 1;
    });
  }

  #mayRun(userId: string): boolean {
    const { runningMax, runningPerUserMax = runningMax } = this.#limits;
    return this.#running < runningMax && (this.#runningOf.get(userId) ?? 0) < runningPerUserMax;
  }

  #begin(userId: string): void {
    this.#running += 1;
    this.#runningOf.set(userId, (this.#runningOf.get(userId) ?? 0) + 1);
  }

  /** Hands the place over to the first piece of the next user who may run one; the user then stands behind the others. */
  #leave(leaverId: string): void {
    this.#running -= 1;
    const left = (this.#runningOf.get(leaverId) ?? 0) - 1;
    if (left > 0) this.#runningOf.set(leaverId, left);
    else this.#runningOf.delete(leaverId);
    const next = [...this.#waiting].find(([userId]) => this.#mayRun(userId));
    if (next === undefined) return;
    const [userId, [entry]] = next;
    if (entry === undefined) return;
    this.#remove(userId, entry);
    this.#begin(userId);
    const rest = this.#waiting.get(userId);
    if (rest !== undefined) {
      this.#waiting.delete(userId);
      this.#waiting.set(userId, rest);
    }
    clearTimeout(entry.timer);
    entry.begin();
  }

  #remove(userId: string, entry: Waiting): void {
    const rest = (this.#waiting.get(userId) ?? []).filter((other) => other !== entry);
    this.#waitingCount -= 1;
    if (rest.length === 0) this.#waiting.delete(userId);
    else this.#waiting.set(userId, rest);
  }
}

function refusal(): ServiceError {
  return rateLimited(errorTexts.tooManyRequests, 1);
}
