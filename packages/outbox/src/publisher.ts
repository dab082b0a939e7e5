import type { OutboxRow } from "@parley/contracts";
import { defineStatement, type RawRow } from "@parley/database";
import { isTooLarge, type Messaging, publishStored } from "@parley/messaging";
import type { MinimalLogger } from "@parley/service-runtime";
import type { Counter } from "prom-client";
import { z } from "zod";
import type { LockedKeys } from "./key-locks.js";
import { backlogAckTimeoutMs, backlogMax } from "./limits.js";
import type { StreamLink } from "./stream-link.js";

/** The oldest events of some keys in the outbox, in the order of their ids. */
const backlogStatement = defineStatement({
  name: "outbox_unpublished",
  text: `SELECT id, subject, payload, headers::text AS headers FROM outbox
    WHERE order_key = ANY ($1::uuid[]) ORDER BY id LIMIT $2`,
  row: (row: RawRow): OutboxRow => ({
    id: String(row.id),
    subject: String(row.subject),
    body: String(row.payload),
    headers: headersSchema.parse(JSON.parse(String(row.headers ?? "{}"))),
  }),
});
const headersSchema = z.record(z.string(), z.string());

/** Publishes committed events under the locks of their keys. Never throws: unpublished events stay in the outbox. */
export class Publisher {
  readonly #messaging: Messaging;
  readonly #link: StreamLink;
  readonly #logger: MinimalLogger;
  readonly #unsendable: Counter | undefined;

  constructor(options: {
    messaging: Messaging;
    link: StreamLink;
    logger: MinimalLogger;
    unsendable?: Counter | undefined;
  }) {
    this.#messaging = options.messaging;
    this.#link = options.link;
    this.#logger = options.logger;
    this.#unsendable = options.unsendable;
  }

  /**
   * Publishes the holder's events, or, where the outbox has a backlog, its oldest ones; the holder's are the last of
   * them. An event that two processes publish at the same time is stored once: the stream drops the second message of
   * an id.
   *
   * @returns those of `rows` that are left to the relay
   */
  async publish(held: LockedKeys, rows: readonly OutboxRow[]): Promise<readonly OutboxRow[]> {
    if (rows.length === 0) return [];
    if (this.#link.isUsable) {
      if (held.hasBacklog) await this.publishBacklog(held);
      else held.stored.push(...(await this.#store(rows)));
    }
    const stored = new Set(held.stored);
    return rows.filter(({ id }) => !stored.has(id));
  }

  /**
   * Publishes the oldest events in the outbox of the held and the parent keys. @returns number of acknowledged events
   */
  async publishBacklog(held: LockedKeys): Promise<number> {
    try {
      const rows = await held.session.query(backlogStatement, [[...held.keys, ...held.parentKeys], backlogMax]);
      const stored = await this.#store(rows, backlogAckTimeoutMs);
      held.stored.push(...stored);
      return stored.length;
    } catch (err) {
      this.#logger.warn({ err }, "the outbox could not be read");
      return 0;
    }
  }

  /**
   * Publishes without waiting in between; the connection keeps the order. An event that is larger than NATS takes is given
   * up, logged and counted: repeating it never helps, and it would stand before all others.
   *
   * @returns the ids of the events whose rows are done with: acknowledged, or given up
   */
  async #store(rows: readonly OutboxRow[], timeoutMs?: number): Promise<string[]> {
    const results = await Promise.allSettled(rows.map((row) => publishStored(this.#messaging, row, timeoutMs)));
    const done: string[] = [];
    const failures: unknown[] = [];
    for (const [index, row] of rows.entries()) {
      const result = results[index];
      if (result?.status === "rejected" && !isTooLarge(result.reason)) {
        failures.push(result.reason);
        continue;
      }
      if (result?.status === "rejected") this.#giveUp(row);
      done.push(row.id);
    }
    if (failures.length === 0) return done;
    this.#link.markDoubtful();
    const [err] = failures;
    this.#logger.warn({ err, events: failures.length }, "events were not acknowledged and stay in the outbox");
    return done;
  }

  #giveUp({ id, subject, body }: OutboxRow): void {
    this.#unsendable?.inc();
    const bytes = Buffer.byteLength(body);
    this.#logger.warn({ event_id: id, subject, bytes }, "an event is larger than NATS takes, and was given up");
  }
}
