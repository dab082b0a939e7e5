import { isUnavailable } from "@parley/database";
import type { Membership } from "@parley/moderation";
import type { Logger } from "@parley/service-runtime";
import { Counter, type Registry } from "prom-client";

/** How long a row rests after its first failure; each further one doubles it. */
const firstRestMs = 2_000;
const restMaxMs = 900_000;
/** Rows at rest that a process remembers, the latest to fail. */
const rowsMax = 1_000;

export function createRowFailures(registry: Registry): Counter<"work"> {
  return new Counter({
    name: "job_row_failures_total",
    help: "Rows whose work failed in a background job, each attempt",
    labelNames: ["work"],
    registers: [registry],
  });
}

/**
 * Rows of a job whose work has failed by itself. Each rests, longer with each failure, so that it keeps no other row
 * waiting; every process finds out for itself.
 */
export class RestingRows {
  readonly #rows = new Map<string, { failures: number; until: number }>();

  constructor(
    private readonly options: { job: string; failures: Counter<"work">; logger: Logger; now?: () => number },
  ) {}

  /** The keys of rows that rest now, for the statement that finds the next ones. */
  keys(): string[] {
    const now = this.#now();
    return [...this.#rows].filter(([, { until }]) => until > now).map(([key]) => key);
  }

  /**
   * Does the work of rows one after the other.
   *
   * @param keyOf names a row, as {@link keys} does
   * @throws the error of the work while PostgreSQL is out of reach, which says nothing about its row
   */
  async each<Row>(
    rows: readonly Row[],
    keyOf: (row: Row) => string,
    work: (row: Row) => Promise<unknown>,
  ): Promise<void> {
    for (const row of rows) {
      try {
        await this.one(keyOf(row), () => work(row));
      } catch (error) {
        if (isUnavailable(error)) throw error;
      }
    }
  }

  /**
   * Does the work of one row.
   *
   * @throws the error of the work, after the row was put to rest
   */
  async one(key: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.#rows.delete(key);
    } catch (error) {
      if (!isUnavailable(error)) this.#rest(key, error);
      throw error;
    }
  }

  #rest(key: string, err: unknown): void {
    const { job, failures: counter, logger } = this.options;
    const failures = (this.#rows.get(key)?.failures ?? 0) + 1;
    this.#rows.delete(key);
    this.#rows.set(key, { failures, until: this.#now() + Math.min(firstRestMs * 2 ** (failures - 1), restMaxMs) });
    for (const [oldest] of this.#rows) {
      if (this.#rows.size <= rowsMax) break;
      this.#rows.delete(oldest);
    }
    counter.inc({ work: job });
    logger.warn({ err, job, row: key, failures }, "a row of a job failed, and rests");
  }

  #now(): number {
    return (this.options.now ?? (() => performance.now()))();
  }
}

/** SQL of {@link keyOfMember} for the rows of a table with `server_id` and `user_id`. */
export const memberKey = (alias: string) => `${alias}.server_id::text || ' ' || ${alias}.user_id::text`;

/** Names a row of a user in a server. */
export const keyOfMember = ({ serverId, userId }: Membership) => `${serverId} ${userId}`;
