/**
 * The place in the gateway's events that a client has reached with a dispatch, and continues from
 * (docs/protocol/continuing.md#19.1).
 */
export interface Position {
  /** The cursor of the last event whose dispatches were all sent. */
  readonly cursor: string;
  /** While servers are being sent after READY: the last one that was, or empty before the first. */
  readonly serversAfter?: string;
  /** An event behind `cursor` of which only the first dispatches were sent. */
  readonly begun?: { readonly event: string; readonly dispatches: number };
}

/** A dispatch that is stored before it is sent. */
export interface SequenceRecord {
  readonly sequence: number;
  /** Null for one that moves nothing. */
  readonly position: Position | null;
  /** The interaction that it carries: a client that has it does not get it again. */
  readonly interaction?: string;
}

/** An event of the gateway, and the dispatches that it becomes. */
export interface Translated<Dispatch> {
  /** Distinguishes the event from others of the replay. */
  readonly key: string;
  /** Null for an event that is not durable. */
  readonly cursor: string | null;
  readonly interaction?: string;
  readonly dispatches: readonly Dispatch[];
}

/** Gives dispatches their sequence numbers, and returns the records to store before they are sent. */
export class Sequencer<Dispatch> {
  #position: Position;

  constructor(
    /** The sequence number of the last dispatch that the client has. */
    private last: number,
    position: Position,
  ) {
    this.#position = position;
  }

  get sequence(): number {
    return this.last;
  }

  get position(): Position {
    return this.#position;
  }

  /** A dispatch that no event of the gateway caused, with the position behind it. */
  append(position: Position | null): SequenceRecord {
    this.last += 1;
    this.#position = position ?? this.#position;
    return { sequence: this.last, position };
  }

  /** The client has more of the gateway's events than the last dispatch says. */
  move(position: Position): SequenceRecord {
    this.#position = position;
    return { sequence: this.last, position };
  }

  /** @returns `moved`: the position is another one, and no record says so */
  number(events: readonly Translated<Dispatch>[]): {
    sent: { sequence: number; dispatch: Dispatch }[];
    records: SequenceRecord[];
    moved: boolean;
  } {
    const sent: { sequence: number; dispatch: Dispatch }[] = [];
    const records: SequenceRecord[] = [];
    let moved = false;
    for (const { key, cursor, interaction, dispatches } of events) {
      const { begun } = this.#position;
      const isContinued = begun?.event === key && cursor !== null;
      const from = isContinued ? begun.dispatches : 0;
      for (let at = from; at < dispatches.length; at++) {
        const dispatch = dispatches[at] as Dispatch;
        this.last += 1;
        sent.push({ sequence: this.last, dispatch });
        const position = cursor === null ? null : this.#behind(key, cursor, at + 1, dispatches.length);
        if (position !== null || interaction !== undefined) {
          records.push({ sequence: this.last, position, ...(interaction === undefined ? {} : { interaction }) });
          moved = false;
        }
      }
      if (cursor === null) continue;
      // The begun event is another server's, and comes later in the replay.
      this.#position = begun === undefined || isContinued ? { cursor } : { cursor, begun };
      moved = from >= dispatches.length || moved;
    }
    return { sent, records, moved };
  }

  #behind(event: string, cursor: string, dispatches: number, all: number): Position {
    if (dispatches === all) {
      const { begun } = this.#position;
      return begun === undefined || begun.event === event ? { cursor } : { cursor, begun };
    }
    return { cursor: this.#position.cursor, begun: { event, dispatches } };
  }
}
