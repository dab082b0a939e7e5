import { trackedSubjectsMax } from "../limits.js";

/**
 * The position of one subscription (the subjects of a server or a user) in the stream EVENTS.
 *
 * The stream republishes each event with its sequence and that of the preceding event on the same subject. The former
 * identifies duplicates; a missing event is detected when its successor arrives (docs/processes/gateway.md#gaps).
 */
export class StreamPosition {
  /** Sequence of the last delivered event of each subject. */
  readonly #lastBySubject = new Map<string, number>();
  /**
   * For subjects without an entry above: events up to here were delivered or precede the subscription; null: unknown.
   */
  #base: number | null;
  /** For subjects without an entry above: live events up to here are duplicates. */
  #floor = 0;
  #subjectsMax = trackedSubjectsMax;
  #highest = 0;

  /**
   * @param startedAfter the high watermark when the subscription was made
   * @param base the sequence after which every event belongs to the subscription; null until it is known
   */
  constructor(
    private readonly startedAfter: number,
    base: number | null = null,
  ) {
    this.#base = base;
  }

  /** The highest delivered sequence; 0 if none. */
  get highest(): number {
    return this.#highest;
  }

  /**
   * The subscription receives every event after `sequence`. From now on gaps are also detected on subjects that have
   * not had an event yet.
   */
  confirm(sequence: number): void {
    this.#base ??= sequence;
  }

  /** Whether a live event has not been delivered yet. */
  isNew(subject: string, sequence: number): boolean {
    return sequence > (this.#lastBySubject.get(subject) ?? this.#floor);
  }

  /**
   * Whether an event that was read from the stream was missed. Stricter than {@link isNew}: events that precede the
   * subscription are excluded.
   */
  wasMissed(subject: string, sequence: number): boolean {
    return sequence > (this.#lastBySubject.get(subject) ?? this.#base ?? this.startedAfter);
  }

  /** First sequence that may be missing, given the predecessor that a live event names; null if none is. */
  gapStart(subject: string, previousSequence: number): number | null {
    const last = this.#lastBySubject.get(subject) ?? this.#base;
    return last !== null && previousSequence > last ? last + 1 : null;
  }

  /**
   * Records the delivery of an event.
   *
   * @param lowWatermark a sequence up to which every event has certainly been received; only called when more subjects
   *   are tracked than the limit
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
    // With many active subjects the limit grows: scanning them at every event would cost more than keeping them.
    this.#subjectsMax = Math.max(trackedSubjectsMax, this.#lastBySubject.size * 2);
  }
}
