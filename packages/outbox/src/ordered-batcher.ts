import type { OutboxRow } from "@parley/contracts";
import type { Session } from "@parley/database";
import type { Held, KeyLocks } from "./key-locks.js";
import { writesPerLockMax } from "./limits.js";
import { keyOf, keysOf, type OrderedWith } from "./order.js";
import type { Publisher } from "./publisher.js";

/** How items are stored together. */
export interface OrderedWriting<In, Out> {
  orderOf(item: In): OrderedWith;
  /**
   * Stores items of any keys, those of one key in their order; returns one result for each, and all events that were
   * committed with them.
   */
  write(session: Session, items: readonly In[]): Promise<{ results: readonly Out[]; rows: readonly OutboxRow[] }>;
  /** Most items of one write. */
  batchMax: number;
  /** Most writes at a time, beside those that wait for other processes. */
  inFlightMax: number;
}

interface Waiting<In, Out> {
  item: In;
  resolve: (out: Out) => void;
  reject: (error: unknown) => void;
}

/** Items that are written together. */
type ItemsByKey<In, Out> = Map<string, Waiting<In, Out>[]>;

/**
 * Batches items that arrive while earlier ones are being written into one write, whatever their keys; no two concurrent
 * writes have a key in common. Items whose key another process holds are taken out of the batch and wait for the lock on
 * their own. While nothing else is ready, items that arrive for locked keys are written under the same locks.
 */
export class OrderedBatcher<In, Out> {
  readonly #locks: KeyLocks;
  readonly #publisher: Publisher;
  readonly #writing: OrderedWriting<In, Out>;
  /** Items by key; an empty list while the last ones of the key are being written. */
  readonly #waiting: ItemsByKey<In, Out> = new Map();
  /** Keys whose turn it is. */
  #ready: string[] = [];
  #inFlight = 0;
  #isScheduled = false;

  constructor(parts: { locks: KeyLocks; publisher: Publisher }, writing: OrderedWriting<In, Out>) {
    this.#locks = parts.locks;
    this.#publisher = parts.publisher;
    this.#writing = writing;
  }

  /** Resolves with the item's result when the stream has its events, or they are left to the relay. */
  add(item: In): Promise<Out> {
    return new Promise((resolve, reject) => {
      const key = keyOf(this.#writing.orderOf(item));
      const waiting = this.#waiting.get(key);
      if (waiting !== undefined) {
        waiting.push({ item, resolve, reject });
        return;
      }
      this.#waiting.set(key, [{ item, resolve, reject }]);
      void this.#takeTurn(key);
    });
  }

  async #takeTurn(key: string): Promise<void> {
    await this.#locks.turns.take(key);
    this.#ready.push(key);
    // Items of the same turn of the loop belong together.
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

  #nextBatch(): ItemsByKey<In, Out> {
    const batch: ItemsByKey<In, Out> = new Map();
    let left = this.#writing.batchMax;
    while (left > 0) {
      const key = this.#ready.shift();
      if (key === undefined) break;
      const items = this.#waiting.get(key)?.splice(0, left) ?? [];
      left -= items.length;
      batch.set(key, items);
    }
    return batch;
  }

  async #runBatch(batch: ItemsByKey<In, Out>): Promise<void> {
    const contended = await this.#rejectOnFailure(batch, () =>
      this.#locks.attempt(this.#keysOf(batch), async (held) => {
        const free = [...batch].filter(([key]) => held.keys.has(key));
        let items = free.flatMap(([, waiting]) => waiting);
        for (let writes = 1; (await this.#write(held, items)) && writes < writesPerLockMax; writes += 1) {
          items = this.#ready.length === 0 ? this.#takeMore(free) : [];
        }
        return [...batch.keys()].filter((key) => !held.keys.has(key));
      }),
    );
    for (const [key, items] of batch) {
      if (contended?.includes(key)) void this.#runContended(key, items);
      else this.#end(key);
    }
  }

  /** Waits for the process that holds the key; what has arrived by then is written as well. */
  async #runContended(key: string, items: Waiting<In, Out>[]): Promise<void> {
    const batch = new Map([[key, items]]);
    await this.#rejectOnFailure(batch, () =>
      this.#locks.wait(this.#keysOf(batch), (held) => {
        items.push(...(this.#waiting.get(key)?.splice(0, this.#writing.batchMax - items.length) ?? []));
        return this.#write(held, items);
      }),
    );
    this.#end(key);
  }

  /** Items that have arrived for the keys meanwhile; they fail with the others of the batch. */
  #takeMore(keys: readonly [string, Waiting<In, Out>[]][]): Waiting<In, Out>[] {
    let left = this.#writing.batchMax;
    return keys.flatMap(([key, items]) => {
      const more = this.#waiting.get(key)?.splice(0, left) ?? [];
      left -= more.length;
      items.push(...more);
      return more;
    });
  }

  /** @returns whether others may be written under the same locks: there were items, and the stream has all before them */
  async #write(held: Held, items: readonly Waiting<In, Out>[]): Promise<boolean> {
    if (items.length === 0) return false;
    const written = await this.#writing.write(
      held.session,
      items.map(({ item }) => item),
    );
    const left = await this.#publisher.publish(held, written.rows);
    if (written.results.length !== items.length)
      throw new Error("A write returned another number of results than items");
    for (const [index, result] of written.results.entries()) items[index]?.resolve(result);
    return left.length === 0 && !held.behind;
  }

  /** A failure is that of all items that have no result yet. */
  async #rejectOnFailure<Result>(batch: ItemsByKey<In, Out>, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      for (const items of batch.values()) for (const { reject } of items) reject(error);
      return undefined;
    }
  }

  /** Frees the key for the longest waiter of the process, which may be another batcher or a transaction. */
  #end(key: string): void {
    if (this.#waiting.get(key)?.length === 0) this.#waiting.delete(key);
    else void this.#takeTurn(key);
    this.#locks.turns.free(key);
  }

  #keysOf(batch: ItemsByKey<In, Out>) {
    const places = [...batch.values()].flatMap(([first]) =>
      first === undefined ? [] : [this.#writing.orderOf(first.item)],
    );
    return keysOf(places);
  }
}
