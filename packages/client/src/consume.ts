import type { GatewayEvent } from "./gateway-options.js";
import type { PositionStore } from "./position-store.js";

/** How {@link Gateway.consume} hands events out. */
export interface ConsumeOptions {
  /** Keeps the position between runs; without it every run begins with the events of its own time. */
  readonly store?: PositionStore;
  /** Most events handled at a time, 8 by default. */
  readonly concurrency?: number;
  /**
   * Events with the same key are handled one after another, in their order; null for an event that need not wait. By
   * default the key is the channel, and one for all events without a channel.
   */
  readonly keyOf?: (event: GatewayEvent) => string | null;
  /**
   * Called with the error of a handler. When it returns, the event counts as handled; without it, or when it throws,
   * too, `consume` ends with that error, and the event comes again in the next run.
   */
  readonly onError?: (error: unknown, event: GatewayEvent) => unknown;
  /**
   * Most events kept in memory, 10,000 by default. With more the client disconnects until half of them are handled; the
   * server then sends the events since, at most 5,000.
   */
  readonly backlogMax?: number;
  /** Ends it as {@link Gateway.close} does. */
  readonly signal?: AbortSignal;
}

/** The turn of a handler. */
export interface Turn {
  /**
   * Counts the event as handled while the handler still runs. A handler that waits for a later event of the same channel
   * calls this first: otherwise that event is not handled before this one.
   */
  release(): void;
}

/** Handles one event. */
export type EventHandler = (event: GatewayEvent, turn: Turn) => unknown;

/** An event that has not been accounted for in the stored position. */
interface Entry {
  readonly event: GatewayEvent;
  readonly key: string | null;
  isDone: boolean;
}

const concurrencyDefault = 8;
const backlogDefault = 10_000;

/**
 * Hands events out in order, a bounded number at a time, and stores the position up to which all are handled. READY waits
 * for all events before it, and those behind it wait for READY, as it begins a new history after events were missed.
 */
export class Consumer {
  /**
   * Rejects with the error that ended it; resolves after {@link Consumer.end} when the handlers of the moment are done.
   */
  readonly finished: Promise<void>;
  readonly #handler: EventHandler;
  readonly #options: ConsumeOptions;
  readonly #onFailure: () => void;
  readonly #concurrency: number;
  readonly #backlogMax: number;
  /** All since the stored position, in order of arrival. */
  #entries: Entry[] = [];
  /** Entries without a lane yet, because a READY before them is not handled, or waits for the entries before it. */
  #behind: Entry[] = [];
  /** By key: the entries behind the one that is running or ready. */
  readonly #lanes = new Map<string, Entry[]>();
  #ready: Entry[] = [];
  #inLanes = 0;
  #running = 0;
  #isAlone = false;
  #isEnding = false;
  #failure: { error: unknown } | null = null;
  #toStore: string | null = null;
  #isStoring = false;
  #onRoom: (() => void) | null = null;
  #settle: () => void = () => undefined;

  /** `onFailure` is called when a handler or the store ends it; {@link Consumer.end} is to follow. */
  constructor(handler: EventHandler, options: ConsumeOptions, onFailure: () => void) {
    this.#handler = handler;
    this.#options = options;
    this.#onFailure = onFailure;
    this.#concurrency = options.concurrency ?? concurrencyDefault;
    this.#backlogMax = options.backlogMax ?? backlogDefault;
    this.finished = new Promise((resolve, reject) => {
      this.#settle = () => {
        if (!this.#isEnding || this.#running > 0 || this.#isStoring) return;
        if (this.#failure === null) resolve();
        else reject(this.#failure.error);
      };
    });
    this.finished.catch(() => undefined);
  }

  /** Takes an event; returns when there is room for more, or null while there is. */
  push(event: GatewayEvent): Promise<void> | null {
    if (this.#isEnding) return null;
    const key = this.#options.keyOf === undefined ? channelOf(event) : this.#options.keyOf(event);
    const entry = { event, key, isDone: false };
    this.#entries.push(entry);
    this.#behind.push(entry);
    this.#begin();
    if (this.#entries.length < this.#backlogMax) return null;
    return new Promise((resolve) => {
      this.#onRoom = resolve;
    });
  }

  /** Begins no more events; `error` is the reason, null after `close`. */
  end(error: unknown): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (error !== null) this.#failure ??= { error };
    this.#onRoom?.();
    this.#settle();
  }

  /** Begins all events that may begin. */
  #begin(): void {
    while (!this.#isAlone) {
      const [next] = this.#behind;
      if (next === undefined) break;
      const isReady = next.event.name === "READY";
      if (isReady && this.#inLanes > 0) break;
      this.#isAlone = isReady;
      this.#behind.shift();
      this.#enter(next);
    }
    while (!this.#isEnding && this.#running < this.#concurrency) {
      const entry = this.#ready.shift();
      if (entry === undefined) return;
      this.#running += 1;
      void this.#handle(entry);
    }
  }

  #enter(entry: Entry): void {
    this.#inLanes += 1;
    const lane = entry.key === null ? undefined : this.#lanes.get(entry.key);
    if (lane !== undefined) {
      lane.push(entry);
      return;
    }
    if (entry.key !== null) this.#lanes.set(entry.key, []);
    this.#ready.push(entry);
  }

  #leave({ key, event }: Entry): void {
    this.#inLanes -= 1;
    this.#running -= 1;
    if (event.name === "READY") this.#isAlone = false;
    if (key === null) return;
    const next = this.#lanes.get(key)?.shift();
    if (next === undefined) this.#lanes.delete(key);
    else this.#ready.push(next);
  }

  async #handle(entry: Entry): Promise<void> {
    const { event } = entry;
    let hasTurn = true;
    const release = (isDone: boolean) => {
      if (!hasTurn) return;
      hasTurn = false;
      this.#leave(entry);
      entry.isDone = isDone;
      this.#account();
      this.#begin();
    };
    try {
      await this.#handler(event, { release: () => release(true) });
      release(true);
    } catch (error) {
      release(await this.#isForgiven(error, event));
    }
    this.#settle();
  }

  /** Whether an event whose handler failed counts as handled. */
  async #isForgiven(error: unknown, event: GatewayEvent): Promise<boolean> {
    const { onError } = this.#options;
    try {
      if (onError === undefined) throw error;
      await onError(error, event);
      // An event whose handling fails because the program ends comes again.
      return !this.#isEnding;
    } catch (thrown) {
      this.#fail(thrown);
      return false;
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#isEnding = true;
    this.#onFailure();
    this.#onRoom?.();
  }

  /** Moves the position on to the last event before which all are handled. */
  #account(): void {
    const open = this.#entries.findIndex(({ isDone }) => !isDone);
    const handled = this.#entries.splice(0, open === -1 ? this.#entries.length : open);
    this.#toStore = handled.findLast(({ event }) => event.position !== null)?.event.position ?? this.#toStore;
    if (this.#entries.length <= this.#backlogMax / 2) this.#onRoom?.();
    void this.#store();
  }

  /** One write at a time; then the newest position follows. */
  async #store(): Promise<void> {
    const { store } = this.#options;
    if (store === undefined || this.#isStoring) return;
    this.#isStoring = true;
    try {
      while (this.#toStore !== null) {
        const position = this.#toStore;
        this.#toStore = null;
        await store.write(position);
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#isStoring = false;
    this.#settle();
  }
}

function channelOf({ data }: GatewayEvent): string {
  return "channel_id" in data && typeof data.channel_id === "string" ? data.channel_id : "";
}
