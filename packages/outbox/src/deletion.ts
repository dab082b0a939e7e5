import { type Database, defineStatement } from "@parley/database";
import { deleteBatchMax, deleteDelayMs } from "./limits.js";

/**
 * Commits without waiting for the disk, which is the messages' turn: a deletion that a crash undoes is repeated by the
 * relay, and the stream drops the second copy.
 */
const deleteStatement = defineStatement({
  name: "outbox_delete",
  text: `WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
    DELETE FROM outbox USING relaxed WHERE id = ANY($1::uuid[])`,
});

/** Deletes acked rows in batches, off the path of the request that wrote them. */
export class OutboxDeletion {
  readonly #database: Database;
  #ids: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Remembers a row that the stream has acknowledged. */
  add(id: string): void {
    this.#ids.push(id);
    if (this.#ids.length >= deleteBatchMax) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), deleteDelayMs);
  }

  /** Deletes what is remembered and waits for it. */
  async close(): Promise<void> {
    this.#flush();
    await this.#running;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ids = this.#ids;
    if (ids.length === 0) return;
    this.#ids = [];
    this.#running = this.#running.then(async () => {
      try {
        await this.#database.execute(deleteStatement, [ids]);
      } catch {
        // The rows stay; the relay publishes them again, the stream drops them as duplicates, and they are deleted then.
      }
    });
  }
}
