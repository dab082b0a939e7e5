import type { OutboxRow, OutgoingEvent } from "@parley/contracts";
import type { Session } from "@parley/database";
import { notePublished } from "@parley/messaging";
import { stampHeaders } from "@parley/service-runtime";
import { requireSendable } from "./append.js";
import type { KeyLocks, LockedKeys } from "./key-locks.js";
import { writesPerLockMax } from "./limits.js";
import { keysOfEvents } from "./order.js";
import type { Publisher } from "./publisher.js";

/** A statement that stores several events, each with the rows that it describes. */
export interface OrderedWriting<Event extends OutgoingEvent, Out> {
  /**
   * Stores events of any keys; those of one key are given in their order. Returns one result per event, in the same
   * order, and the rows that were committed to the outbox.
   */
  write(session: Session, events: readonly Event[]): Promise<{ results: readonly Out[]; rows: readonly OutboxRow[] }>;
  /** Most events of one write. */
  batchMax: number;
  /** Most concurrent writes, not counting those that wait for locks of other processes. */
  inFlightMax: number;
}

interface Waiting<Event, Out> {
  event: Event;
  resolve: (out: Out) => void;
  reject: (error: unknown) => void;
}

/** Events of one write. */
type EventsByKey<Event, Out> = Map<string, Waiting<Event, Out>[]>;

/**
 * Combines events that arrive while earlier ones are being written into one write, whatever their keys. No two
 * concurrent writes have a key in common. States of a key:
 *
 * - waiting: it has events, and another writer of the process holds its mutex
 * - ready: the batcher holds its mutex, and it is part of the next batch
 * - being written, under its lock; while no other key is ready, events that arrive for it are written under the same
 * lock, in at most {@link writesPerLockMax} writes
 * - contended: another process holds its lock; it leaves the batch and waits for the lock alone
 */
export class OrderedBatcher<Event extends OutgoingEvent, Out> {
  readonly #locks: KeyLocks;
  readonly #publisher: Publisher;
  readonly #writing: OrderedWriting<Event, Out>;
  /** Events by key; an empty list while the last ones of the key are being written. */
  readonly #waiting: EventsByKey<Event, Out> = new Map();
  /** Keys in the state ready. */
  #ready: string[] = [];
  #inFlight = 0;
  #isScheduled = false;

  constructor(parts: { locks: KeyLocks; publisher: Publisher }, writing: OrderedWriting<Event, Out>) {
    this.#locks = parts.locks;
    this.#publisher = parts.publisher;
    this.#writing = writing;
  }

  /**
   * Resolves with the event's result when the stream has acknowledged the event, or it is left to the relay. Rejects an
   * event that NATS never takes.
   */
  async add(event: Event): Promise<Out> {
    requireSendable(event);
    notePublished(event);
    stampHeaders(event.headers);
    return new Promise((resolve, reject) => {
      const key = event.orderKey;
      const waiting = this.#waiting.get(key);
      if (waiting !== undefined) {
        waiting.push({ event, resolve, reject });
        return;
      }
      this.#waiting.set(key, [{ event, resolve, reject }]);
      void this.#lock(key);
    });
  }

  async #lock(key: string): Promise<void> {
    await this.#locks.mutex.lock(key);
    this.#ready.push(key);
    // Deferred to the end of this turn of the event loop, so that the events of one turn share a batch.
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#inFlight < this.#writing.inFlightMax && this.#ready.length > 0) {
      this.#inFlight += 1;
      void this.#runBatch(this.#nextBatch()).finally(() => {
        this.#inFlight -= 1;
        this.#start();
      });
    }
  }

  #nextBatch(): EventsByKey<Event, Out> {
    const batch: EventsByKey<Event, Out> = new Map();
    let room = this.#writing.batchMax;
    while (room > 0) {
      const key = this.#ready.shift();
      if (key === undefined) break;
      const events = this.#waiting.get(key)?.splice(0, room) ?? [];
      room -= events.length;
      batch.set(key, events);
    }
    return batch;
  }

  async #runBatch(batch: EventsByKey<Event, Out>): Promise<void> {
    const contended = await this.#rejectOnFailure(batch, () =>
      this.#locks.attempt(this.#keysOf(batch), async (held) => {
        const free = [...batch].filter(([key]) => held.keys.has(key));
        let events = free.flatMap(([, waiting]) => waiting);
        for (let writes = 1; (await this.#write(held, events)) && writes < writesPerLockMax; writes += 1) {
          events = this.#ready.length === 0 ? this.#takeMore(free) : [];
        }
        return [...batch.keys()].filter((key) => !held.keys.has(key));
      }),
    );
    for (const [key, events] of batch) {
      if (contended?.includes(key)) void this.#runContended(key, events);
      else this.#end(key);
    }
  }

  /** Waits for the lock of a contended key, then writes also the events that arrived during the wait. */
  async #runContended(key: string, events: Waiting<Event, Out>[]): Promise<void> {
    const batch = new Map([[key, events]]);
    await this.#rejectOnFailure(batch, () =>
      this.#locks.wait(this.#keysOf(batch), (held) => {
        events.push(...(this.#waiting.get(key)?.splice(0, this.#writing.batchMax - events.length) ?? []));
        return this.#write(held, events);
      }),
    );
    this.#end(key);
  }

  /** Moves events that have arrived for the keys into the batch, so a failure rejects them with the others. */
  #takeMore(keys: readonly [string, Waiting<Event, Out>[]][]): Waiting<Event, Out>[] {
    let room = this.#writing.batchMax;
    return keys.flatMap(([key, events]) => {
      const more = this.#waiting.get(key)?.splice(0, room) ?? [];
      room -= more.length;
      events.push(...more);
      return more;
    });
  }

  /** @returns whether another write may follow under the same locks: the stream has all events of the keys so far */
  async #write(held: LockedKeys, waiting: readonly Waiting<Event, Out>[]): Promise<boolean> {
    if (waiting.length === 0) return false;
    const written = await this.#writing.write(
      held.session,
      waiting.map(({ event }) => event),
    );
    const unpublished = await this.#publisher.publish(held, written.rows);
    if (written.results.length !== waiting.length)
      throw new Error("A write returned another number of results than events");
    for (const [index, result] of written.results.entries()) waiting[index]?.resolve(result);
    return unpublished.length === 0 && !held.hasBacklog;
  }

  /** A failure rejects all events of the batch that have no result yet. */
  async #rejectOnFailure<Result>(
    batch: EventsByKey<Event, Out>,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      for (const events of batch.values()) for (const { reject } of events) reject(error);
      return undefined;
    }
  }

  /** Unlocks the mutex of the key; the next writer of the process may be another batcher or a transaction. */
  #end(key: string): void {
    if (this.#waiting.get(key)?.length === 0) this.#waiting.delete(key);
    else void this.#lock(key);
    this.#locks.mutex.unlock(key);
  }

  #keysOf(batch: EventsByKey<Event, Out>) {
    return keysOfEvents([...batch.values()].flatMap(([first]) => first?.event ?? []));
  }
}
