import { longHash } from "./cursor.js";

/** Listener for changes of a subscription's pending events. */
export interface PendingListener {
  /** Called when the subscription gets or loses pending events, or the first of them or their order changes. */
  changed(events: PendingEvents): void;
}

/**
 * The pending events of one subscription: events of the stream that this node has received, or has still to read from
 * the stream, and has not dispatched.
 *
 * States: ordered (nothing from {@link first} on was dispatched), and unordered while missed events are read after
 * later ones were dispatched, when no sequence separates dispatched from pending events.
 */
export class PendingEvents {
  #hash: number | null = null;
  #sequences: number[] = [];
  #head = 0;
  /** While missed events are read in order: sequence from which on no event was dispatched. */
  #readFrom: number | null = null;
  #isUnordered = false;

  constructor(
    private readonly pattern: string,
    private readonly listener: PendingListener,
  ) {}

  /** Identifies the subscription in positions. */
  get hash(): number {
    this.#hash ??= longHash(this.pattern);
    return this.#hash;
  }

  /** Sequence from which on no event was dispatched; null when every received event was. */
  get first(): number | null {
    return this.#readFrom ?? this.#sequences[this.#head] ?? null;
  }

  get isUnordered(): boolean {
    return this.#isUnordered;
  }

  /** Adds a received event that waits in the serial queue. */
  wait(sequence: number): void {
    this.#sequences.push(sequence);
    if (this.#sequences.length - this.#head === 1) this.listener.changed(this);
  }

  /** Removes the events up to `sequence`: they were dispatched, or need not be. */
  dispatched(sequence: number): void {
    if (this.#readFrom === null && this.#head === this.#sequences.length) return;
    if (this.#readFrom !== null) this.#readFrom = Math.max(this.#readFrom, sequence + 1);
    while ((this.#sequences[this.#head] ?? Number.POSITIVE_INFINITY) <= sequence) this.#head += 1;
    if (this.#head === this.#sequences.length) {
      this.#sequences = [];
      this.#head = 0;
    }
    this.listener.changed(this);
  }

  /** Events from `sequence` on will be read from the stream and dispatched before those in the serial queue. */
  beginReading(sequence: number): void {
    this.#readFrom = sequence;
    this.listener.changed(this);
  }

  endReading(): void {
    this.#readFrom = null;
    this.listener.changed(this);
  }

  /** Missed events will be read and dispatched although later ones have been dispatched already. */
  beginUnordered(): void {
    this.#isUnordered = true;
    this.listener.changed(this);
  }

  endUnordered(): void {
    this.#isUnordered = false;
    this.listener.changed(this);
  }

  /** Removes all pending events, as the subscription has ended. */
  clear(): void {
    this.#sequences = [];
    this.#head = 0;
    this.#readFrom = null;
    this.#isUnordered = false;
    this.listener.changed(this);
  }
}
