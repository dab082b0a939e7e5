import { setTimeout as pause } from "node:timers/promises";
import type { OutboxRow, OutgoingEvent } from "@parley/contracts";
import { type Database, defineStatement, type RawRow, type Session, type Transaction } from "@parley/database";
import type { Messaging } from "@parley/messaging";
import type { MinimalLogger } from "@parley/service-runtime";
import { appendEvents, changesVisibility } from "./append.js";
import { type Held, KeyLocks } from "./key-locks.js";
import { visibilityPollMs, visibilityWaitMs } from "./limits.js";
import { keysOf, type OrderedWith } from "./order.js";
import { OrderedBatcher, type OrderedWriting } from "./ordered-batcher.js";
import { Publisher } from "./publisher.js";
import { OutboxRelay } from "./relay.js";
import { StreamLink } from "./stream-link.js";

/** Collects an event that is committed with the transaction and published after it. */
export type Emit = (event: OutgoingEvent) => void;

/** What a statement returned, and the events that it stored. */
export interface Written<T> {
  result: T;
  rows: readonly OutboxRow[];
}

/**
 * Events that are committed with the rows they describe (docs/architecture.md#outbox), and stored in the stream in the
 * order of those commits: a writer locks what its events are ordered with before it begins, and unlocks it when the stream has them.
 *
 * Callers are answered when the stream has their events, or when it did not acknowledge them in time and they are left
 * to the relay. A change of who may see what ({@link changesVisibility}) waits longer, for the relay of any process.
 */
export interface Outbox {
  /**
   * Runs a transaction whose events are stored with it.
   *
   * @param order what its events are ordered with; empty for rows that no other client can see yet
   * @param work throws to roll back rows and events alike
   */
  transaction<T>(order: readonly OrderedWith[], work: (transaction: Transaction, emit: Emit) => Promise<T>): Promise<T>;
  /** The same for a single statement, which stores rows and events by itself. */
  write<T>(order: OrderedWith, work: (session: Session) => Promise<Written<T>>): Promise<T>;
  /** The same for events that are stored together when they arrive together. */
  batch<Event extends OutgoingEvent, Out>(writing: OrderedWriting<Event, Out>): OrderedBatcher<Event, Out>;
  /** Stops the relay. */
  close(): Promise<void>;
}

const waitingStatement = defineStatement({
  name: "outbox_still_waiting",
  text: "SELECT id FROM outbox WHERE id = ANY ($1::uuid[])",
  row: (row: RawRow) => String(row.id),
});

/** Opens the outbox of this process and starts its relay. */
export function createOutbox(options: { database: Database; messaging: Messaging; logger: MinimalLogger }): Outbox {
  const { database, messaging, logger } = options;
  const link = new StreamLink(messaging);
  const locks = new KeyLocks(database);
  const publisher = new Publisher({ messaging, link, logger });
  const relay = new OutboxRelay({ database, locks, publisher, link, logger });

  /** Another process publishes what this one cannot, and deletes the rows. */
  const waitForRelay = async (rows: readonly OutboxRow[]) => {
    let ids = rows.filter(changesVisibility).map(({ id }) => id);
    const deadline = performance.now() + visibilityWaitMs;
    while (ids.length > 0 && performance.now() < deadline) {
      await pause(visibilityPollMs);
      // The change is committed: nothing that fails from here on may fail the caller.
      ids = await database.query(waitingStatement, [ids]).catch(() => ids);
    }
    if (ids.length > 0) logger.warn({ event_ids: ids }, "a change of visibility is answered before the stream has it");
  };

  const commitAndPublish = async <T>(order: readonly OrderedWith[], commit: (held: Held) => Promise<Written<T>>) => {
    const { result, left } = await locks.hold(keysOf(order), async (held) => {
      const { result, rows } = await commit(held);
      return { result, left: await publisher.publish(held, rows) };
    });
    await waitForRelay(left);
    return result;
  };

  return {
    transaction(order, work) {
      return commitAndPublish(order, (held) =>
        database.transaction(async (transaction) => {
          // Inside, because the work runs again when it met another transaction's locks in the wrong order.
          const events: OutgoingEvent[] = [];
          const result = await work(transaction, (event) => {
            if (order.length > 0 && !held.keys.has(event.orderKey)) throw new Error(`${event.name} is not ordered`);
            events.push(event);
          });
          return { result, rows: await appendEvents(transaction, events) };
        }),
      );
    },

    write(order, work) {
      return commitAndPublish([order], ({ session }) => work(session));
    },

    batch(writing) {
      return new OrderedBatcher({ locks, publisher }, writing);
    },

    async close() {
      link.close();
      await relay.close();
    },
  };
}
