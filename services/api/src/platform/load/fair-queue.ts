import { errorTexts, rateLimited, type ServiceError } from "@parley/contracts";

/** The longest cool-down of a tenant after one task. */
export const tenantCoolDownMaxMs = 1_000;

interface Waiting {
  begin: () => void;
  timer: NodeJS.Timeout;
}

/** Bounds of a {@link FairQueue}. */
export interface FairQueueLimits {
  /** Tasks at a time in this process. */
  runningMax: number;
  /** Running tasks of one tenant: a user, or a server where servers take turns. */
  runningPerTenantMax?: number;
  /** Tasks that may wait, of all tenants together and of one. */
  waitingMax: number;
  waitingPerTenantMax: number;
  /** How long one may wait. */
  waitMaxMs: number;
  /**
   * Cool-down: after a task its tenant has one slot less for this many times the task's duration, {@link tenantCoolDownMaxMs} at most;
   * default 0.
   */
  coolDownFactor?: number;
}

/**
 * Limits how many heavy tasks run at a time, so that they do not occupy the process's database connections. Tenants are
 * served round-robin: a tenant's second task waits behind the first task of every other one. Beyond the limits of
 * waiting a task is refused with 429.
 *
 * With a cool-down after each task, a tenant who always has tasks waiting leaves a part of the time of this process and of
 * PostgreSQL to others, also to requests that do not use this queue.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  /** Tenants in the order of their turns, each with their tasks in the order of arrival. */
  readonly #waiting = new Map<string, Waiting[]>();
  #waitingCount = 0;
  #running = 0;
  /** Slots of each tenant that a task or its cool-down occupies. */
  readonly #occupiedBy = new Map<string, number>();

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /**
   * @param tenantId whose turn it takes
   * @param signal ends the waiting: the promise then rejects with its reason; work that has begun goes on
   * @throws ServiceError 429 when too many wait already, or it has waited too long
   */
  async run<T>(tenantId: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    await this.#enter(tenantId, signal);
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#leave(tenantId, performance.now() - startedAt);
    }
  }

  async #enter(tenantId: string, signal: AbortSignal | undefined): Promise<void> {
    if (this.#mayRun(tenantId)) {
      this.#begin(tenantId);
      return;
    }
    const own = this.#waiting.get(tenantId) ?? [];
    const { waitingMax, waitingPerTenantMax, waitMaxMs } = this.#limits;
    if (this.#waitingCount >= waitingMax || own.length >= waitingPerTenantMax) throw rejection();
    await new Promise<void>((resolve, reject) => {
      const leave = (reason: unknown) => {
        clearTimeout(timer);
        this.#remove(tenantId, entry);
        reject(reason);
      };
      const timer = setTimeout(() => leave(rejection()), waitMaxMs);
      const abort = () => leave(signal?.reason);
      signal?.addEventListener("abort", abort, { once: true });
      const begin = () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      };
      const entry = { begin, timer };
      own.push(entry);
      this.#waiting.set(tenantId, own);
      this.#waitingCount += 1;
    });
  }

  #mayRun(tenantId: string): boolean {
    const { runningMax, runningPerTenantMax = runningMax } = this.#limits;
    return this.#running < runningMax && (this.#occupiedBy.get(tenantId) ?? 0) < runningPerTenantMax;
  }

  #begin(tenantId: string): void {
    this.#running += 1;
    this.#occupiedBy.set(tenantId, (this.#occupiedBy.get(tenantId) ?? 0) + 1);
  }

  /** The slot of the process is free at once, the tenant's own one after the cool-down. */
  #leave(tenantId: string, tookMs: number): void {
    this.#running -= 1;
    const coolDownMs = Math.min(tookMs * (this.#limits.coolDownFactor ?? 0), tenantCoolDownMaxMs);
    if (coolDownMs === 0) {
      this.#endCoolDown(tenantId);
      return;
    }
    setTimeout(() => this.#endCoolDown(tenantId), coolDownMs).unref();
    this.#beginNext();
  }

  #endCoolDown(tenantId: string): void {
    const left = (this.#occupiedBy.get(tenantId) ?? 0) - 1;
    if (left > 0) this.#occupiedBy.set(tenantId, left);
    else this.#occupiedBy.delete(tenantId);
    this.#beginNext();
  }

  /** Begins the next task of the first tenant below its limit; the tenant then moves behind the others. */
  #beginNext(): void {
    const next = [...this.#waiting].find(([tenantId]) => this.#mayRun(tenantId));
    if (next === undefined) return;
    const [tenantId, [entry]] = next;
    if (entry === undefined) return;
    this.#remove(tenantId, entry);
    this.#begin(tenantId);
    const others = this.#waiting.get(tenantId);
    if (others !== undefined) {
      this.#waiting.delete(tenantId);
      this.#waiting.set(tenantId, others);
    }
    clearTimeout(entry.timer);
    entry.begin();
  }

  #remove(tenantId: string, entry: Waiting): void {
    const others = (this.#waiting.get(tenantId) ?? []).filter((other) => other !== entry);
    this.#waitingCount -= 1;
    if (others.length === 0) this.#waiting.delete(tenantId);
    else this.#waiting.set(tenantId, others);
  }
}

function rejection(): ServiceError {
  return rateLimited("waiting_requests", errorTexts.rate_limited, 1);
}
