import { setTimeout as pause } from "node:timers/promises";
import type { OutboxRow, OutgoingEvent } from "@parley/contracts";
import { type Database, defineStatement, type RawRow, type Session, type Transaction } from "@parley/database";
import { type Messaging, notePublished } from "@parley/messaging";
import { type MinimalLogger, stampHeaders } from "@parley/service-runtime";
import type { Registry } from "prom-client";
import { appendEvents, changesVisibility } from "./append.js";
import { KeyLocks, type LockedKeys } from "./key-locks.js";
import { relayIntervalMs as relayIntervalDefaultMs, visibilityPollMs, visibilityWaitMs } from "./limits.js";
import { countUnsendable } from "./metrics.js";
import { keysOf, type OrderedWith } from "./order.js";
import { OrderedBatcher, type OrderedWriting } from "./ordered-batcher.js";
import { Publisher } from "./publisher.js";
import { OutboxRelay } from "./relay.js";
import { StreamLink } from "./stream-link.js";

/** Collects an event that is committed with the transaction and published after it. */
export type Emit = (event: OutgoingEvent) => void;

/** Result of a statement, and the rows that it inserted into the outbox. */
export interface Written<T> {
  result: T;
  rows: readonly OutboxRow[];
}

/**
 * Commits events together with the rows that they describe, and publishes them to the stream in the order of the
 * commits (docs/processes/events.md#outbox): a writer locks the ordering keys of its events before its transaction begins,
 * and unlocks them when the stream has acknowledged the events.
 *
 * Each function resolves when the stream has acknowledged the events, or when it did not within its timeout and they
 * are left to the relay. Changes of visibility ({@link changesVisibility}) that are left to the relay delay the result
 * until the relay of any process has published them, at most {@link visibilityWaitMs}.
 */
export interface Outbox<OfTransaction extends Transaction = Transaction> {
  /**
   * Runs a transaction and commits the emitted events with it.
   *
   * @param order scopes of the events; empty for rows that no other client can see yet
   * @param work may run several times, when the transaction is retried; if it throws, rows and events are rolled back
   */
  transaction<T>(
    order: readonly OrderedWith[],
    work: (transaction: OfTransaction, emit: Emit) => Promise<T>,
  ): Promise<T>;
  /** The same for a single statement, which inserts rows and events itself. */
  write<T>(order: OrderedWith, work: (session: Session) => Promise<Written<T>>): Promise<T>;
  /** The same for a statement that stores the events of several callers together. */
  batch<Event extends OutgoingEvent, Out>(writing: OrderedWriting<Event, Out>): OrderedBatcher<Event, Out>;
  /** Stops the relay. */
  close(): Promise<void>;
}

const unpublishedStatement = defineStatement({
  name: "outbox_still_unpublished",
  text: "SELECT id FROM outbox WHERE id = ANY ($1::uuid[])",
  row: (row: RawRow) => String(row.id),
});

/** Opens the outbox of this process and starts its relay. */
export function createOutbox<OfTransaction extends Transaction>(options: {
  database: Database<OfTransaction>;
  messaging: Messaging;
  logger: MinimalLogger;
  /** The registry of this process; without one nothing is counted. */
  registry?: Registry;
  /** How often the relay looks for events that their writer did not publish. */
  relayIntervalMs?: number | undefined;
}): Outbox<OfTransaction> {
  const { database, messaging, logger, registry, relayIntervalMs: intervalMs = relayIntervalDefaultMs } = options;
  const link = new StreamLink(messaging);
  const locks = new KeyLocks(database);
  const publisher = new Publisher({ messaging, link, logger, unsendable: registry && countUnsendable(registry) });
  const relay = new OutboxRelay({ database, locks, publisher, link, logger, intervalMs });

  /**
   * Waits until the rows of changes of visibility are deleted, as the relay of any process does after publishing them.
   */
  const waitForRelay = async (rows: readonly OutboxRow[]) => {
    let ids = rows.filter(changesVisibility).map(({ id }) => id);
    const deadline = performance.now() + visibilityWaitMs;
    while (ids.length > 0 && performance.now() < deadline) {
      await pause(visibilityPollMs);
      // The change is committed, so a failure to read the outbox must not fail the caller.
      ids = await database.query(unpublishedStatement, [ids]).catch(() => ids);
    }
    if (ids.length > 0) logger.warn({ event_ids: ids }, "a change of visibility is answered before the stream has it");
  };

  const commitAndPublish = async <T>(
    order: readonly OrderedWith[],
    commit: (held: LockedKeys) => Promise<Written<T>>,
  ) => {
    const { result, unpublished } = await locks.hold(keysOf(order), async (held) => {
      const { result, rows } = await commit(held);
      for (const row of rows) {
        notePublished(row);
        stampHeaders(row.headers);
      }
      return { result, unpublished: await publisher.publish(held, rows) };
    });
    await waitForRelay(unpublished);
    return result;
  };

  return {
    transaction(order, work) {
      return commitAndPublish(order, (held) =>
        database.transaction(async (transaction) => {
          // Declared inside, because the transaction runs again after a deadlock or serialization failure.
          const events: OutgoingEvent[] = [];
          const result = await work(transaction, (event) => {
            if (order.length > 0 && !held.keys.has(event.orderKey)) throw new Error(`${event.name} is not ordered`);
            stampHeaders(event.headers);
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
