import { type Database, defineStatement } from "@parley/database";
import { type MinimalLogger, repeat } from "@parley/service-runtime";
import { z } from "zod";
import type { KeyLocks } from "./key-locks.js";
import { backlogMax, relayMinAgeMs } from "./limits.js";
import type { Publisher } from "./publisher.js";
import type { StreamLink } from "./stream-link.js";

/** Keys of the oldest events, and their servers, whose own events are published first. */
const oldStatement = defineStatement({
  name: "outbox_old",
  text: `SELECT DISTINCT order_key::text AS key,
      CASE WHEN split_part(subject, '.', 2) = 'server' THEN split_part(subject, '.', 3) END AS server_id
    FROM (
      SELECT order_key, subject FROM outbox
      WHERE created_at <= now() - make_interval(secs => $1::float8 / 1000)
      ORDER BY id LIMIT $2) AS old`,
  row: z.object({ key: z.string(), server_id: z.string().nullable() }),
});

/**
 * Publishes events that their writer did not: it crashed, or NATS was out of reach. Only keys that can be locked
 * without waiting are handled; a key in use is left to its writer, which publishes the older events of the key, too.
 * Every process runs a relay, for the events of all processes.
 */
export class OutboxRelay {
  readonly #database: Pick<Database, "query">;
  readonly #locks: KeyLocks;
  readonly #publisher: Publisher;
  readonly #link: StreamLink;
  readonly #logger: MinimalLogger;
  readonly #stop: () => Promise<void>;
  #isClosed = false;

  constructor(options: {
    database: Pick<Database, "query">;
    locks: KeyLocks;
    publisher: Publisher;
    link: StreamLink;
    logger: MinimalLogger;
    intervalMs: number;
  }) {
    this.#database = options.database;
    this.#locks = options.locks;
    this.#publisher = options.publisher;
    this.#link = options.link;
    this.#logger = options.logger;
    this.#stop = repeat(() => this.#publishUnpublished(), options.intervalMs);
  }

  /** Stops the relay; resolves when its work under way has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stop();
  }

  async #publishUnpublished(): Promise<void> {
    try {
      let published = 1;
      while (published > 0 && this.#link.isUsable && !this.#isClosed) {
        published = await this.#publishOld();
        if (published > 0) this.#logger.info({ events: published }, "published events from the outbox");
      }
    } catch (error) {
      this.#logger.warn({ err: error }, "the events in the outbox could not be published");
    }
  }

  async #publishOld(): Promise<number> {
    const old = await this.#database.query(oldStatement, [relayMinAgeMs, backlogMax]);
    const keys = [...new Set(old.map(({ key }) => key))].filter((key) => this.#locks.mutex.tryLock(key));
    if (keys.length === 0) return 0;
    const parentKeys = new Set(old.flatMap(({ server_id }) => (server_id === null ? [] : [server_id])));
    try {
      return await this.#locks.attempt({ keys, parentKeys: [...parentKeys] }, async (held) =>
        held.keys.size === 0 ? 0 : this.#publisher.publishBacklog(held),
      );
    } finally {
      for (const key of keys) this.#locks.mutex.unlock(key);
    }
  }
}
