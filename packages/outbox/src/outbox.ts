import type { OutgoingEvent } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database";
import { type Messaging, publishStored } from "@parley/messaging";
import { appendEvents, type OutboxRow } from "./append.js";
import { OutboxDeletion } from "./deletion.js";
import { OutboxRelay } from "./relay.js";

/** Where the outbox tells of what it could not publish; a pino logger fits. */
export interface OutboxLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** Collects an event that is committed with the transaction and published after it. */
export type Emit = (event: OutgoingEvent) => void;

/** Events that are committed with the rows they tell of (design.md 3.4). */
export interface Outbox {
  /**
   * Runs a transaction whose events are stored with it, publishes them after the commit, and waits a bounded time for
   * the stream, so that the caller's answer comes after its events.
   *
   * @param work throws to roll back rows and events alike
   */
  transaction<T>(work: (transaction: Transaction, emit: Emit) => Promise<T>): Promise<T>;
  /**
   * Publishes rows that a statement of the caller wrote and committed. Never throws: what the stream does not
   * acknowledge in time is left to the relay.
   */
  publish(rows: readonly OutboxRow[]): Promise<void>;
  /** Stops the relay and deletes what is acknowledged. */
  close(): Promise<void>;
}

/** Opens the outbox of this process and starts its relay. */
export function createOutbox(options: { database: Database; messaging: Messaging; logger: OutboxLogger }): Outbox {
  const { database, messaging, logger } = options;
  const relay = new OutboxRelay(options);
  const deletion = new OutboxDeletion(database);

  const publishOne = async (row: OutboxRow) => {
    try {
      await publishStored(messaging, row);
      deletion.add(row.id);
    } catch (error) {
      logger.warn({ err: error, event_id: row.id, subject: row.subject }, "event left to the outbox relay");
      relay.drain();
    }
  };

  const publish = async (rows: readonly OutboxRow[]) => {
    if (rows.length === 0) return;
    if (relay.draining || !messaging.connected) {
      relay.drain();
      return;
    }
    await Promise.all(rows.map(publishOne));
  };

  return {
    publish,
    async transaction(work) {
      const { result, rows } = await database.transaction(async (transaction) => {
        // Inside, because the work runs again when it met another transaction's locks in the wrong order.
        const events: OutgoingEvent[] = [];
        const result = await work(transaction, (event) => events.push(event));
        return { result, rows: await appendEvents(transaction, events) };
      });
      await publish(rows);
      return result;
    },
    async close() {
      await relay.close();
      await deletion.close();
    },
  };
}
