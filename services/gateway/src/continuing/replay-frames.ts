import type { ReceivedEvent } from "@parley/messaging";
import { joinTextFrame } from "../connection/frames.js";
import { type Cursors, cursorSeparator, ownerLength, type Position } from "../cursors/cursor.js";
import { anchorOf } from "../cursors/positions.js";
import { replayBytesMax, replayChunkBytes, replayEventsMax } from "../limits.js";
import { sequenceOf } from "./stream-window.js";

/** An event that is sent again: the text of its envelope, for this user, and the position after it. */
export interface ReplayedEvent {
  envelope: Uint8Array;
  position: string;
}

const keyStart = ',"s":"';
const keyEnd = '"}';

/**
 * Gives each event of a replay the position after it, so that a connection that is cut in the middle continues there.
 *
 * @param start the position that the client came with
 */
export function createReplayPositions(cursors: Cursors): (start: Position, event: ReceivedEvent) => string {
  /** Beyond the start, positions are the same for everybody who comes with one of the same second. */
  const shared = new WeakMap<ReceivedEvent, { writtenAt: number; text: string }>();

  return (start, event) => {
    const sequence = sequenceOf(event);
    if (sequence <= start.highest) return write(cursors, passedUpTo(start, sequence));
    const known = shared.get(event);
    // What changed in presence since the start is told after the replay, so its time stays until then.
    const { writtenAt } = start;
    if (known?.writtenAt === writtenAt) return known.text;
    const text = write(cursors, { highest: sequence, anchor: anchorOf(event.id), writtenAt, pending: new Map() });
    shared.set(event, { writtenAt, text });
    return text;
  };
}

/** Whether a replay is longer than 19.3 allows. */
export function isTooLong(events: readonly ReplayedEvent[]): boolean {
  if (events.length > replayEventsMax) return true;
  let bytes = 0;
  for (const { envelope, position } of events) {
    bytes +=
      envelope.length - 1 + keyStart.length + position.length + cursorSeparator.length + ownerLength + keyEnd.length;
  }
  return bytes > replayBytesMax;
}

/**
 * The frames of a replay, about {@link replayChunkBytes} at a time, so that of a client that reads slowly only the
 * events are held, which others share.
 *
 * @param presences frames that follow the events
 */
export function* replayChunks(
  events: readonly ReplayedEvent[],
  owner: Buffer,
  presences: readonly Buffer[],
): Iterable<Buffer> {
  let frames: Buffer[] = [];
  let bytes = 0;
  for (const frame of replayedFrames(events, owner, presences)) {
    frames.push(frame);
    bytes += frame.length;
    if (bytes < replayChunkBytes) continue;
    yield Buffer.concat(frames);
    frames = [];
    bytes = 0;
  }
  if (frames.length > 0) yield Buffer.concat(frames);
}

function* replayedFrames(
  events: readonly ReplayedEvent[],
  owner: Buffer,
  presences: readonly Buffer[],
): Iterable<Buffer> {
  for (const { envelope, position } of events) {
    const key = Buffer.from(`${keyStart}${position}${cursorSeparator}${owner}${keyEnd}`);
    yield joinTextFrame([envelope.subarray(0, -1), key]);
  }
  yield* presences;
}

/** What was overtaken before the start is being made up for, in order. */
function passedUpTo({ highest, pending, ...rest }: Position, sequence: number): Position {
  const left = [...(pending ?? [])].flatMap(([subscription, from]): [number, number][] => {
    const next = Math.max(from, sequence + 1);
    return next <= highest ? [[subscription, next]] : [];
  });
  return { ...rest, highest, pending: new Map(left) };
}

function write(cursors: Cursors, position: Position): string {
  // A position has at most the pending subscriptions of one that was written before.
  return cursors.writePosition(position) ?? "";
}
