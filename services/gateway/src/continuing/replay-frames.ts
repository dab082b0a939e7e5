import type { ReceivedEvent } from "@parley/messaging";
import { textFrameLength, writeTextFrameHeader } from "../connection/frames.js";
import { type Cursors, cursorSeparator, ownerLength, type Position } from "../cursors/cursor.js";
import { anchorOf } from "../cursors/positions.js";
import { replayBytesMax, replayChunkBytes, replayEventsMax, replayPositionsMax } from "../limits.js";
import { sequenceOf } from "./stream-window.js";

/** An event that is sent again: the text of its envelope, for this user, and the position after it. */
export interface ReplayedEvent {
  envelope: Uint8Array;
  position: string;
}

const keyStart = Buffer.from(',"s":"');
const keyEnd = '"}';
/** What a cursor adds to an envelope, but for its position. */
const keyLength = keyStart.length + cursorSeparator.length + ownerLength + keyEnd.length;

/**
 * Gives each event of a replay the position after it, so that a connection that is cut in the middle continues there.
 *
 * @returns takes the position that the client came with
 */
export function createReplayPositions(cursors: Cursors): (start: Position) => (event: ReceivedEvent) => string {
  /** Beyond the start, positions are the same for everybody who comes with one of the same second. */
  const bySecond = new Map<number, WeakMap<ReceivedEvent, string>>();

  function sharedOf(second: number): WeakMap<ReceivedEvent, string> {
    const shared = bySecond.get(second) ?? new WeakMap<ReceivedEvent, string>();
    bySecond.delete(second);
    bySecond.set(second, shared);
    const [oldest] = bySecond.keys();
    if (bySecond.size > replayPositionsMax && oldest !== undefined) bySecond.delete(oldest);
    return shared;
  }

  return (start) => {
    // What changed in presence since the start is told after the replay, so its time stays until then.
    const { writtenAt } = start;
    const shared = sharedOf(writtenAt);
    return (event) => {
      const sequence = sequenceOf(event);
      if (sequence <= start.highest) return write(cursors, passedUpTo(start, sequence));
      const known = shared.get(event);
      if (known !== undefined) return known;
      const text = write(cursors, { highest: sequence, anchor: anchorOf(event.id), writtenAt, pending: new Map() });
      shared.set(event, text);
      return text;
    };
  };
}

/** Whether a replay is longer than 19.3 allows. */
export function isTooLong(events: readonly ReplayedEvent[]): boolean {
  if (events.length > replayEventsMax) return true;
  let bytes = 0;
  for (const event of events) bytes += payloadLength(event);
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
  const cursorEnd = Buffer.from(`${cursorSeparator}${owner}${keyEnd}`);
  let frames: (ReplayedEvent | Buffer)[] = [];
  let bytes = 0;
  for (const frame of [...events, ...presences]) {
    frames.push(frame);
    bytes += "position" in frame ? textFrameLength(payloadLength(frame)) : frame.length;
    if (bytes < replayChunkBytes) continue;
    yield chunkOf(frames, bytes, cursorEnd);
    frames = [];
    bytes = 0;
  }
  if (frames.length > 0) yield chunkOf(frames, bytes, cursorEnd);
}

/** Written where they belong at once: a buffer for each frame would cost more than its bytes. */
function chunkOf(frames: readonly (ReplayedEvent | Buffer)[], bytes: number, cursorEnd: Buffer): Buffer {
  const chunk = Buffer.allocUnsafe(bytes);
  let at = 0;
  for (const frame of frames) {
    if (!("position" in frame)) {
      chunk.set(frame, at);
      at += frame.length;
      continue;
    }
    const { envelope, position } = frame;
    at += writeTextFrameHeader(chunk, at, payloadLength(frame));
    chunk.set(envelope, at);
    // In the place of the envelope's last brace.
    at += envelope.length - 1;
    chunk.set(keyStart, at);
    at += keyStart.length;
    at += chunk.write(position, at, "latin1");
    chunk.set(cursorEnd, at);
    at += cursorEnd.length;
  }
  return chunk;
}

function payloadLength({ envelope, position }: ReplayedEvent): number {
  return envelope.length - 1 + keyLength + position.length;
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
