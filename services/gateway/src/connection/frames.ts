import { cursorSeparator } from "../cursors/cursor.js";

const finalTextFrame = 0x81;

const numberedEnd = Buffer.from('"}');

/** Distance from a numbered frame's end at which the session tag of the cursor, of that length, belongs. */
export const sessionTagFromEnd = (tagLength: number): number => tagLength + numberedEnd.length;

/**
 * One unmasked, unfragmented WebSocket text frame (RFC 6455, 5.2), ready for any number of sockets.
 *
 * @param payload UTF-8 bytes; copied, so they may be overwritten afterwards
 */
export function encodeTextFrame(payload: Uint8Array): Buffer {
  return joinTextFrame([payload]);
}

/** As {@link encodeTextFrame}, of a payload in pieces. */
export function joinTextFrame(pieces: readonly Uint8Array[]): Buffer {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  const frame = Buffer.allocUnsafe(textFrameLength(length));
  let at = writeTextFrameHeader(frame, 0, length);
  for (const piece of pieces) {
    frame.set(piece, at);
    at += piece.length;
  }
  return frame;
}

/** The header of a text frame with `length` bytes of payload. */
export function textFrameHeader(length: number): Buffer {
  const header = Buffer.allocUnsafe(headerLengthOf(length));
  writeTextFrameHeader(header, 0, length);
  return header;
}

/** The payload of a frame of {@link encodeTextFrame}: the same memory. */
export function payloadOf(frame: Buffer): Buffer {
  const length = frame.readUInt8(1);
  return frame.subarray(length < 126 ? 2 : length === 126 ? 4 : 10);
}

/** Bytes of a text frame with a payload of `length` bytes. */
export function textFrameLength(length: number): number {
  return headerLengthOf(length) + length;
}

function headerLengthOf(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10;
}

/** Writes what {@link textFrameHeader} returns into a buffer. @returns its length */
export function writeTextFrameHeader(target: Buffer, at: number, length: number): number {
  target[at] = finalTextFrame;
  if (length < 126) {
    target[at + 1] = length;
  } else if (length < 65_536) {
    target[at + 1] = 126;
    target.writeUInt16BE(length, at + 2);
  } else {
    target[at + 1] = 127;
    target.writeUInt32BE(Math.floor(length / 2 ** 32), at + 2);
    target.writeUInt32BE(length % 2 ** 32, at + 6);
  }
  return headerLengthOf(length);
}

/**
 * An envelope's frame with the additional key `s`, but for the session tag of the cursor: of one length the bytes are the
 * same for all connections, and each fills in its own part when it writes.
 *
 * @param frame of an envelope, a JSON object
 */
export function numberedFrame(frame: Buffer, position: string, tagLength: number): Buffer {
  const payload = payloadOf(frame);
  const key = Buffer.from(`,"s":"${position}${cursorSeparator}`);
  return joinTextFrame([payload.subarray(0, -1), key, Buffer.alloc(tagLength, " "), numberedEnd]);
}

/** Makes each frame once for all connections that get it with the same position, of one length of session tags. */
export class NumberedFrames {
  #latest: { frame: Buffer; position: string; numbered: Buffer } | null = null;

  constructor(private readonly tagLength: number) {}

  of(frame: Buffer, position: string): Buffer {
    if (this.#latest?.frame === frame && this.#latest.position === position) return this.#latest.numbered;
    const numbered = numberedFrame(frame, position, this.tagLength);
    this.#latest = { frame, position, numbered };
    return numbered;
  }
}

/** What a batch comes to when it is written. */
export interface BatchContents {
  readonly bytes: Buffer;
  readonly frameCount: number;
  /** Where in the bytes each connection fills in its own. */
  readonly patchOffsets: readonly number[];
}

/** What distinguishes a frame from one that is written as it is. */
export interface FrameKind {
  /** The user whose presence it is: it supersedes their earlier ones. */
  readonly presenceOf?: string;
  /** Distance from its end at which each connection fills in its own bytes. */
  readonly patchFromEnd?: number;
}

const plain: FrameKind = {};

/**
 * Frames that wait to be written to a connection: an immutable list that connections share. Of the presences of one
 * user only the latest is written.
 *
 * A frame is appended to all connections of an audience in one pass. Connections with the same waiting frames hold the
 * same node, so the pass creates one node for them, and the flush concatenates the bytes once, whatever their number.
 */
export class Batch {
  /**
   * The latest child. A pass appends one frame, so a child with another frame means that the previous pass has ended.
   */
  #next: Batch | null = null;
  #contents: BatchContents | null = null;

  private constructor(
    readonly previous: Batch | null,
    readonly frame: Buffer | null,
    readonly kind: FrameKind,
    /** Number and bytes of all frames, superseded ones included. */
    readonly frameCount: number,
    readonly byteLength: number,
    /** When the event of the first frame arrived, by `performance.now()`. */
    readonly since: number,
  ) {}

  /** The batch without frames: the root of all others. */
  static empty(): Batch {
    return new Batch(null, null, plain, 0, 0, 0);
  }

  /**
   * This batch with one more frame.
   *
   * @param since when the frame's event arrived, by `performance.now()`
   */
  append(frame: Buffer, since: number, kind: FrameKind = plain): Batch {
    if (this.#next !== null && this.#next.frame === frame) return this.#next;
    const first = this.frameCount === 0 ? since : this.since;
    this.#next = new Batch(this, frame, kind, this.frameCount + 1, this.byteLength + frame.length, first);
    return this.#next;
  }

  /** What is to be written, in one buffer that all connections with this batch share. */
  contents(): BatchContents {
    this.#contents ??= this.#join();
    return this.#contents;
  }

  /** As {@link contents}, with the connection's own bytes at each patch offset. */
  contentsWith(own: Buffer): BatchContents {
    const contents = this.contents();
    if (contents.patchOffsets.length === 0) return contents;
    const bytes = Buffer.allocUnsafe(contents.bytes.length);
    bytes.set(contents.bytes);
    for (const offset of contents.patchOffsets) bytes.set(own, offset);
    return { ...contents, bytes };
  }

  /** The same without the frames that will not be written. */
  withoutSuperseded(): Batch {
    let batch: Batch = this;
    while (batch.previous !== null) batch = batch.previous;
    for (const { frame, kind } of this.#current()) {
      if (frame !== null) batch = batch.append(frame, this.since, kind);
    }
    return batch;
  }

  /**
   * Releases the latest child, so that written frames can be freed; to be called when no connection has frames
   * waiting.
   */
  forgetChildren(): void {
    this.#next = null;
  }

  #join(): BatchContents {
    const frames: Buffer[] = [];
    const patchOffsets: number[] = [];
    let end = 0;
    for (const { frame, kind } of this.#current()) {
      if (frame === null) continue;
      frames.push(frame);
      end += frame.length;
      if (kind.patchFromEnd !== undefined) patchOffsets.push(end - kind.patchFromEnd);
    }
    const [first] = frames;
    const bytes = frames.length === 1 && first !== undefined ? first : Buffer.concat(frames, end);
    return { bytes, frameCount: frames.length, patchOffsets };
  }

  /** The nodes of the frames that are to be written, in order. */
  #current(): Batch[] {
    const nodes: Batch[] = [];
    const users = new Set<string>();
    for (let batch: Batch | null = this; batch !== null && batch.frame !== null; batch = batch.previous) {
      const { presenceOf } = batch.kind;
      if (presenceOf !== undefined) {
        if (users.has(presenceOf)) continue;
        users.add(presenceOf);
      }
      nodes.push(batch);
    }
    return nodes.reverse();
  }
}

/** The batch of every connection without waiting frames. */
export const emptyBatch = Batch.empty();

/** The same for numbered connections, whose frames are others. */
export const emptyNumberedBatch = Batch.empty();

/** The same for those with `view`, whose session tags are longer. */
export const emptyNumberedViewBatch = Batch.empty();
