import { longHash } from "./cursor.js";

/** Is told when a subscription gets or loses pending events, or when the first of them changes. */
export interface PendingListener {
  changed(events: PendingEvents): void;
}

/**
 * The stored events of one subscription that this node has received, or must read from the stream, and not yet passed
 * on.
 */
export class PendingEvents {
  #hash: number | null = null;
  #sequences: number[] = [];
  #head = 0;
  /** The stream is being read in order: from here on nothing was passed on. */
  #readFrom: number | null = null;
  #isUnordered = false;

  constructor(
    private readonly pattern: string,
    private readonly listener: PendingListener,
  ) {}

  /** Identifies the subscription in cursors. */
  get hash(): number {
    this.#hash ??= longHash(this.pattern);
    return this.#hash;
  }

  /** Sequence from which on no event was passed on; null when all received ones were. */
  get first(): number | null {
    return this.#readFrom ?? this.#sequences[this.#head] ?? null;
  }

  /** Events are passed on that precede others which were: no sequence separates them. */
  get isUnordered(): boolean {
    return this.#isUnordered;
  }

  /** An event waits in the queue. */
  wait(sequence: number): void {
    this.#sequences.push(sequence);
    if (this.#sequences.length - this.#head === 1) this.listener.changed(this);
  }

  /** An event is passed on, or not due; those before it were. */
  pass(sequence: number): void {
    if (this.#readFrom === null && this.#head === this.#sequences.length) return;
    if (this.#readFrom !== null) this.#readFrom = Math.max(this.#readFrom, sequence + 1);
    while ((this.#sequences[this.#head] ?? Number.POSITIVE_INFINITY) <= sequence) this.#head += 1;
    if (this.#head === this.#sequences.length) {
      this.#sequences = [];
      this.#head = 0;
    }
    this.listener.changed(this);
  }

  /** Everything from `sequence` on will be read from the stream, before what waits. */
  beginReading(sequence: number): void {
    this.#readFrom = sequence;
    this.listener.changed(this);
  }

  endReading(): void {
    this.#readFrom = null;
    this.listener.changed(this);
  }

  /** Missed events will be passed on although later ones were already. */
  beginUnordered(): void {
    this.#isUnordered = true;
    this.listener.changed(this);
  }

  endUnordered(): void {
    this.#isUnordered = false;
    this.listener.changed(this);
  }

  /** The subscription ends. */
  clear(): void {
    this.#sequences = [];
    this.#head = 0;
    this.#readFrom = null;
    this.#isUnordered = false;
    this.listener.changed(this);
  }
}
