import { subjects } from "@parley/contracts";
import { type Messaging, readStored, storedId, storedRange } from "@parley/messaging";
import { createBatcher } from "@parley/service-runtime";
import { sharedReadRestFactor, sourceReadEventsMax, sourceReadsInFlightMax, streamLookupsMax } from "../limits.js";
import { SourceEvents, type StoredEvents } from "./source-events.js";
import { StreamWindow } from "./stream-window.js";

/** The events of one server or user that a continuing connection may lack. */
export interface EventSource {
  kind: "server" | "user";
  id: string;
  from: number;
}

/** Ends the reading of a source with more events than a replay may have. */
class TooManyEvents extends Error {}

interface RunningRead {
  from: number;
  to: number;
  events: Promise<SourceEvents | null>;
}

/**
 * Where replayed events come from. Everything rejects when the stream cannot be read.
 *
 * @param options.highWatermark the highest sequence that this node has received
 */
export function createReplayReader(options: {
  messaging: Messaging;
  highWatermark: () => number;
  windowEventsMax?: number;
}) {
  const { messaging, highWatermark } = options;
  const window = new StreamWindow(messaging, highWatermark, options.windowEventsMax);
  /** Running readings of ranges that did not fit the window, shared by all connections that wait for them. */
  const readings = new Map<string, RunningRead>();

  const firstSequence = createBatcher({
    work: async (callers: readonly undefined[]) => {
      const range = await storedRange(messaging);
      return callers.map(() => range.firstSequence);
    },
    batchMax: Number.MAX_SAFE_INTEGER,
    inFlightMax: 1,
    restFactor: sharedReadRestFactor,
  });
  const idOf = createBatcher({
    work: async (sequences: readonly number[]) => {
      const ids = new Map<number, string | null | undefined>();
      for (const sequence of new Set(sequences)) ids.set(sequence, await storedId(messaging, sequence));
      return sequences.map((sequence) => ids.get(sequence));
    },
    batchMax: streamLookupsMax,
    inFlightMax: 2,
  });
  const readSources = createBatcher({
    work: async ([source]: readonly (EventSource & { to: number })[]) => [
      source === undefined ? null : await readSource(source),
    ],
    batchMax: 1,
    inFlightMax: sourceReadsInFlightMax,
  });

  async function readSource({ kind, id, from, to }: EventSource & { to: number }): Promise<SourceEvents | null> {
    const filter = kind === "server" ? subjects.storedServer(id) : subjects.storedUser(id);
    const events = new SourceEvents();
    try {
      await readStored(messaging, { filter, from, to }, (event) => {
        events.add(event);
        if (events.size > sourceReadEventsMax) throw new TooManyEvents();
      });
    } catch (error) {
      if (error instanceof TooManyEvents) return null;
      throw error;
    }
    return events;
  }

  function readOutsideWindow(source: EventSource, to: number): Promise<SourceEvents | null> {
    const known = readings.get(source.id);
    if (known !== undefined && known.from <= source.from && known.to >= to) return known.events;
    const end = Math.max(to, highWatermark());
    const reading = { from: source.from, to: end, events: readSources({ ...source, to: end }) };
    readings.set(source.id, reading);
    const forget = () => {
      if (readings.get(source.id) === reading) readings.delete(source.id);
    };
    reading.events.then(forget, forget);
    return reading.events;
  }

  /** Events of a source, those from `source.from` up to `to` among them; null when there are more than a replay may have. */
  async function find(source: EventSource, to: number): Promise<SourceEvents | null> {
    if (source.from > to) return noEvents;
    if (window.covers(source.from, to)) return window.eventsOf(source.id) ?? noEvents;
    return await readOutsideWindow(source, to);
  }

  return {
    /** The oldest sequence that the stream still has; its next one for an empty stream. */
    firstSequence: () => firstSequence(undefined),
    /** The id of the event with that sequence, as `storedId` returns it. */
    async idOf(sequence: number): Promise<string | null | undefined> {
      const known = window.idOf(sequence);
      return known === undefined ? idOf(sequence) : known;
    },
    /** Makes `read` quick for a range, if it is not too long. */
    async prepare(from: number, to: number): Promise<void> {
      await window.cover(from, to);
    },
    /** The events of a source up to `to`, in order; null when there are more than a replay may have. */
    async read(source: EventSource, to: number): Promise<StoredEvents | null> {
      const events = await find(source, to);
      return events === null ? null : events.between({ from: source.from, to });
    },
    /** The stream was lost or created anew. */
    clear(): void {
      window.clear();
      readings.clear();
    },
  };
}

export type ReplayReader = ReturnType<typeof createReplayReader>;

const noEvents = new SourceEvents();
