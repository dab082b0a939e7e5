import { subjects } from "@parley/contracts";
import { type Messaging, type ReceivedEvent, readStored, storedId, storedRange } from "@parley/messaging";
import { createBatcher } from "@parley/service-runtime";
import { laneReadEventsMax, laneReadsInFlightMax, sharedReadRestFactor, streamLookupsMax } from "../limits.js";
import { StreamWindow, sequenceOf } from "./stream-window.js";

/** The events of one server or user that a continuing connection may lack. */
export interface Lane {
  kind: "server" | "user";
  id: string;
  from: number;
}

/** Ends the reading of a lane with more events than a replay may have. */
class TooManyEvents extends Error {}

interface LaneReading {
  from: number;
  to: number;
  events: Promise<ReceivedEvent[] | null>;
}

/**
 * Where replayed events come from. Everything rejects when the stream cannot be read.
 *
 * @param options.highWatermark the highest sequence that this node has received
 */
export function createReplaySource(options: {
  messaging: Messaging;
  highWatermark: () => number;
  windowEventsMax?: number;
}) {
  const { messaging, highWatermark } = options;
  const window = new StreamWindow(messaging, highWatermark, options.windowEventsMax);
  /** Running readings of ranges that did not fit the window, shared by all connections that wait for them. */
  const readings = new Map<string, LaneReading>();

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
  const readLanes = createBatcher({
    work: async ([lane]: readonly (Lane & { to: number })[]) => [lane === undefined ? null : await readLane(lane)],
    batchMax: 1,
    inFlightMax: laneReadsInFlightMax,
  });

  async function readLane({ kind, id, from, to }: Lane & { to: number }): Promise<ReceivedEvent[] | null> {
    const filter = kind === "server" ? subjects.storedServer(id) : subjects.storedUser(id);
    const events: ReceivedEvent[] = [];
    try {
      await readStored(messaging, { filter, from, to }, (event) => {
        if (events.push(event) > laneReadEventsMax) throw new TooManyEvents();
      });
    } catch (error) {
      if (error instanceof TooManyEvents) return null;
      throw error;
    }
    return events;
  }

  async function readOutsideWindow(lane: Lane, to: number): Promise<ReceivedEvent[] | null> {
    const known = readings.get(lane.id);
    if (known !== undefined && known.from <= lane.from && known.to >= to) return within(await known.events, lane, to);
    const end = Math.max(to, highWatermark());
    const reading = { from: lane.from, to: end, events: readLanes({ ...lane, to: end }) };
    readings.set(lane.id, reading);
    try {
      return within(await reading.events, lane, to);
    } finally {
      if (readings.get(lane.id) === reading) readings.delete(lane.id);
    }
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
    /** The events of a lane up to `to`, in order; null when there are more than a replay may have. */
    async read(lane: Lane, to: number): Promise<ReceivedEvent[] | null> {
      if (lane.from > to) return [];
      if (window.covers(lane.from, to)) return window.eventsOf(lane.id, lane.from, to);
      return readOutsideWindow(lane, to);
    },
    /** The stream was lost or created anew. */
    clear(): void {
      window.clear();
      readings.clear();
    },
  };
}

export type ReplaySource = ReturnType<typeof createReplaySource>;

function within(events: ReceivedEvent[] | null, { from }: Lane, to: number): ReceivedEvent[] | null {
  if (events === null) return null;
  return events.filter((event) => sequenceOf(event) >= from && sequenceOf(event) <= to);
}
