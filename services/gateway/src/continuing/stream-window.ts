import { type Messaging, type ReceivedEvent, readStored } from "@parley/messaging";
import { createBatcher } from "@parley/service-runtime";
import { sharedReadRestFactor, windowBytesMax, windowEventsMax, windowIdleMs, windowLeadEvents } from "../limits.js";
import { placeOf, type SequenceRange, SourceEvents, sequenceOf } from "./source-events.js";

/**
 * The newest events of the stream, of all servers and users, read once for all connections that continue at about the
 * same time: after the death of a node thousands of clients reconnect with cursors from the last seconds.
 */
export class StreamWindow {
  #events: ReceivedEvent[] = [];
  #bySource = new Map<string, SourceEvents>();
  #bytes = 0;
  /** First and last sequence that the window covers. */
  #from = 1;
  #to = 0;
  /** How often it was cleared. */
  #clears = 0;
  #idleTimer: NodeJS.Timeout | null = null;

  constructor(
    private readonly messaging: Messaging,
    private readonly lastSequence: () => number,
    private readonly eventsMax: number = windowEventsMax,
  ) {}

  /** The first read of a batch usually covers the others; each is tried, because its own range may be too long. */
  readonly #read = createBatcher({
    work: async (ranges: readonly SequenceRange[]) => {
      for (const range of ranges) await this.#cover(range);
      return ranges;
    },
    batchMax: Number.MAX_SAFE_INTEGER,
    inFlightMax: 1,
    restFactor: sharedReadRestFactor,
  });

  /**
   * Makes the window cover a range, if it is not too long.
   *
   * @throws when the stream cannot be read
   */
  async cover(from: number, to: number): Promise<void> {
    this.#restartIdleTimer();
    if (!this.covers(from, to)) await this.#read({ from, to });
  }

  covers(from: number, to: number): boolean {
    return from >= this.#from && to <= this.#to;
  }

  /** All events of a server or user that the window has; undefined when it has none. */
  eventsOf(sourceId: string): SourceEvents | undefined {
    return this.#bySource.get(sourceId);
  }

  /** The id of the event with that sequence; undefined when the window does not have it. */
  idOf(sequence: number): string | null | undefined {
    const found = this.#events[placeOf(this.#events, sequence)];
    return found !== undefined && sequenceOf(found) === sequence ? found.id : undefined;
  }

  /** Drops all events, as the stream was lost or replaced. A running read fails. */
  clear(): void {
    this.#clears += 1;
    this.#empty();
  }

  #empty(): void {
    this.#events = [];
    this.#bySource = new Map();
    this.#bytes = 0;
    this.#from = 1;
    this.#to = 0;
  }

  async #cover({ from, to }: SequenceRange): Promise<void> {
    const end = Math.max(to, this.lastSequence());
    if (this.covers(from, to) || end - from >= this.eventsMax) return;
    const isExtension = from >= this.#from && end - this.#to < this.eventsMax;
    if (!isExtension) {
      this.#empty();
      // Other clients of the same lost node have somewhat older cursors.
      const lead = Math.min(windowLeadEvents, Math.floor((this.eventsMax - (end - from)) / 2));
      this.#from = Math.max(1, from - lead);
      this.#to = this.#from - 1;
    }
    const clears = this.#clears;
    const ensureKept = () => {
      if (this.#clears !== clears) throw new Error("what was read of the stream was dropped meanwhile");
    };
    await readStored(this.messaging, { from: this.#to + 1, to: end }, (event) => {
      ensureKept();
      this.#add(event);
    });
    ensureKept();
    this.#to = end;
  }

  #add(event: ReceivedEvent): void {
    const { scope } = event.address;
    const sourceId = scope.kind === "server" ? scope.serverId : scope.userId;
    const events = this.#bySource.get(sourceId) ?? new SourceEvents();
    this.#bySource.set(sourceId, events);
    events.add(event);
    this.#events.push(event);
    this.#bytes += event.body.length;
    // A failed reading is repeated from behind the last event that it handed over.
    this.#to = sequenceOf(event);
    if (this.#bytes > windowBytesMax || this.#events.length > this.eventsMax) this.#dropOlderHalf();
  }

  #dropOlderHalf(): void {
    const kept = this.#events.slice(Math.floor(this.#events.length / 2));
    const [first] = kept;
    const to = this.#to;
    this.#empty();
    this.#from = first === undefined ? to + 1 : sequenceOf(first);
    for (const event of kept) this.#add(event);
    this.#to = to;
  }

  #restartIdleTimer(): void {
    if (this.#idleTimer !== null) {
      this.#idleTimer.refresh();
      return;
    }
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = null;
      this.clear();
    }, windowIdleMs);
    this.#idleTimer.unref();
  }
}
