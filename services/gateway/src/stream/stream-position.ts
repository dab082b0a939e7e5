import { trackedSubjectsMax } from "../limits.js";

/**
 * How far one interest (a server's or a user's subjects) has come in the stream EVENTS.
 *
 * The stream republishes each event with its sequence and that of the event before it on the same subject. So an event
 * that comes twice is recognised, and one that did not come is noticed at its successor (docs/architecture.md#gaps).
 */
export class StreamPosition {
  readonly #lastBySubject = new Map<string, number>();
  /** Events up to here were received or are none of ours; only for subjects that are not in `seen`. */
  #base: number | null;
  /** Events up to here are certainly not new; only for subjects that are not in `seen`. */
  #floor = 0;
  #subjectsMax = trackedSubjectsMax;
  #highest = 0;

  /**
   * @param startedAfter the highest sequence known when the interest began
   * @param base the sequence from which on events count, when it is known at once
   */
  constructor(
    private readonly startedAfter: number,
    base: number | null = null,
  ) {
    this.#base = base;
  }

  /** The highest sequence that was delivered; 0 for none. */
  get highest(): number {
    return this.#highest;
  }

  /**
   * From now on gaps are noticed on subjects without any event so far: the subscription has had all after `sequence`.
   */
  confirm(sequence: number): void {
    this.#base ??= sequence;
  }

  /** Whether a live event is not yet delivered. */
  isNew(subject: string, sequence: number): boolean {
    return sequence > (this.#lastBySubject.get(subject) ?? this.#floor);
  }

  /**
   * Whether an event that was read again is one that was missed. Stricter: what came before the interest is none of
   * ours.
   */
  wasMissed(subject: string, sequence: number): boolean {
    return sequence > (this.#lastBySubject.get(subject) ?? this.#base ?? this.startedAfter);
  }

  /** The sequence from which on events were missed, given the predecessor that a live event names; null for none. */
  gapStart(subject: string, previousSequence: number): number | null {
    const last = this.#lastBySubject.get(subject) ?? this.#base;
    return last !== null && previousSequence > last ? last + 1 : null;
  }

  /**
   * The event is being delivered.
   *
   * @param settled a sequence up to which everything has certainly arrived; asked when there are too many subjects
   */
  markDelivered(subject: string, sequence: number, lowWatermark: () => number): void {
    this.#lastBySubject.set(subject, sequence);
    this.#highest = Math.max(this.#highest, sequence);
    if (this.#lastBySubject.size > this.#subjectsMax) this.#compact(lowWatermark());
  }

  #compact(lowWatermark: number): void {
    for (const [subject, sequence] of this.#lastBySubject)
      if (sequence <= lowWatermark) this.#lastBySubject.delete(subject);
    this.#base = Math.max(this.#base ?? this.startedAfter, lowWatermark);
    this.#floor = Math.max(this.#floor, lowWatermark);
    // When many are in use at once, looking through them for every event would cost more than they do.
    this.#subjectsMax = Math.max(trackedSubjectsMax, this.#lastBySubject.size * 2);
  }
}
