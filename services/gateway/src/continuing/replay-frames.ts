import type { ReceivedEvent } from "@parley/messaging";
import { textFrameLength, writeTextFrameHeader } from "../connection/frame-header.js";
import { type Cursors, cursorSeparator, type Position } from "../cursors/cursor.js";
import { anchorOf } from "../cursors/positions.js";
import { replayBytesMax, replayChunkBytes, replayEventsMax, replayPositionsMax } from "../limits.js";
import { sequenceOf } from "./source-events.js";

/** An event that is sent again: the text of its envelope, for this user, and the position after it. */
export interface ReplayedEvent {
  envelope: Uint8Array;
  position: string;
}

const keyStart = Buffer.from(',"s":"');
const keyEnd = '"}';
/** Bytes that a cursor adds to an envelope, without its position and session tag. */
const keyLength = keyStart.length + cursorSeparator.length + keyEnd.length;

/**
 * Computes the position after each event of a replay, from which the client continues if the connection breaks during
 * the replay.
 *
 * @returns a function that takes the position of the client's cursor
 */
export function createReplayPositions(cursors: Cursors): (start: Position) => (event: ReceivedEvent) => string {
  /** After the sequence of the client's position, positions are equal for all cursors written in the same second. */
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
    // Presences that changed since the cursor are sent after the events, so positions keep the cursor's time until
    // then.
    const { writtenAt } = start;
    const shared = sharedOf(writtenAt);
    return (event) => {
      const sequence = sequenceOf(event);
      if (sequence <= start.highest) return write(cursors, dispatchedUpTo(start, sequence));
      const known = shared.get(event);
      if (known !== undefined) return known;
      const text = write(cursors, { highest: sequence, anchor: anchorOf(event.id), writtenAt, pending: new Map() });
      shared.set(event, text);
      return text;
    };
  };
}

/** Bytes of a replay with that session tag; null when it is longer than 19.3 allows. */
export function replayBytes(events: readonly ReplayedEvent[], { length: tagLength }: Buffer): number | null {
  if (events.length > replayEventsMax) return null;
  let bytes = 0;
  for (const event of events) bytes += payloadLength(event, tagLength);
  return bytes > replayBytesMax ? null : bytes;
}

/**
 * The frames of a replay, about {@link replayChunkBytes} at a time, so that a client that reads slowly keeps only the
 * events in memory, which others share.
 *
 * @param presences frames that follow the events
 */
export function* replayChunks(
  events: readonly ReplayedEvent[],
  sessionTag: Buffer,
  presences: readonly Buffer[],
): Iterable<Buffer> {
  const cursorEnd = Buffer.from(`${cursorSeparator}${sessionTag}${keyEnd}`);
  let frames: (ReplayedEvent | Buffer)[] = [];
  let bytes = 0;
  for (const frame of [...events, ...presences]) {
    frames.push(frame);
    bytes += "position" in frame ? textFrameLength(payloadLength(frame, sessionTag.length)) : frame.length;
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
    at += writeTextFrameHeader(chunk, at, envelope.length - 1 + keyStart.length + position.length + cursorEnd.length);
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

function payloadLength({ envelope, position }: ReplayedEvent, tagLength: number): number {
  return envelope.length - 1 + keyLength + position.length + tagLength;
}

/** The position after an event that was pending in the client's position: earlier pending events have been sent. */
function dispatchedUpTo({ highest, pending, ...rest }: Position, sequence: number): Position {
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
