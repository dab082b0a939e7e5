import { cursorSeparator } from "../cursors/cursor.js";
import { type DeflatableFrame, deflatableOf, deflatedEndLength } from "./deflate.js";
import { payloadOf, textFrameLength, writeTextFrameHeader } from "./frame-header.js";

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

/** The bytes of a written batch, and its counts. */
export interface BatchContents {
  readonly bytes: Buffer;
  readonly frameCount: number;
  /** Where in the bytes each connection fills in its own. */
  readonly patchOffsets: readonly number[];
}

/** The same, compressed. */
interface DeflatedContents extends BatchContents {
  /** The frame that the first compressed frame refers to. */
  readonly reference: DeflatableFrame | null;
  /** By how much the bytes are fewer than those of {@link Batch.contents}. */
  readonly savedBytes: number;
  /** The last compressed frame; null when none is. */
  readonly last: DeflatableFrame | null;
}

/** How a frame differs from one that the gateway writes unchanged. */
export interface FrameKind {
  /** The user whose presence it is: it supersedes their earlier ones. */
  readonly presenceOf?: string;
  /** Distance from its end at which each connection fills in its own bytes. */
  readonly patchFromEnd?: number;
  /** Whether so many connections get it that it is worth compressing. */
  readonly isCompressible?: boolean;
}

const plain: FrameKind = {};

/**
 * Frames that wait to be written to a connection: an immutable list that connections share. Of the presences of one
 * user only the latest is written.
 *
 * A frame is appended to all connections of an audience in one pass. Connections with the same waiting frames share a
 * node, so the pass creates one node for them, and the flush concatenates the bytes once, whatever their number.
 */
export class Batch {
  /**
   * The latest child. A pass appends one frame, so a child with another frame means that the previous pass has ended.
   */
  #next: Batch | null = null;
  #nodes: readonly Batch[] | null = null;
  #contents: BatchContents | null = null;
  /** One for each frame that the first compressed one refers to. */
  #deflated: DeflatedContents[] = [];

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

  /** The bytes to write, in one buffer that all connections with this batch share. */
  contents(): BatchContents {
    this.#contents ??= this.#join(({ frame }) => frame);
    return this.#contents;
  }

  /**
   * As {@link contents}, for a connection with compression.
   *
   * @param previous the last compressed frame of the connection
   */
  deflated(previous: DeflatableFrame | null): DeflatedContents {
    const first = this.#written().find(({ kind }) => kind.isCompressible);
    const firstDeflatable = first === undefined ? null : first.#deflatable;
    const reference = firstDeflatable === null ? null : firstDeflatable.reference(previous);
    const known = this.#deflated.find((contents) => contents.reference === reference);
    if (known !== undefined) return known;
    let last: DeflatableFrame | null = null;
    const contents = this.#join((node) => {
      const deflatable = node.#deflatable;
      if (deflatable === null) return node.frame;
      const bytes = deflatable.after(deflatable.reference(last ?? reference));
      last = deflatable;
      return bytes;
    });
    const plainBytes = this.#written().reduce((sum, { frame }) => sum + (frame?.length ?? 0), 0);
    const savedBytes = plainBytes - contents.bytes.length;
    const deflated = { ...contents, reference, last, savedBytes };
    this.#deflated.push(deflated);
    return deflated;
  }

  /** The same without the frames that will not be written. */
  withoutSuperseded(): Batch {
    let batch: Batch = this;
    while (batch.previous !== null) batch = batch.previous;
    for (const { frame, kind } of this.#written()) {
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

  /** In the form for connections with compression; null for one that is not compressed. */
  get #deflatable(): DeflatableFrame | null {
    if (this.frame === null || this.kind.isCompressible !== true) return null;
    return deflatableOf(this.frame, this.kind.patchFromEnd);
  }

  #join(bytesOf: (node: Batch) => Buffer | null): BatchContents {
    const frames: Buffer[] = [];
    const patchOffsets: number[] = [];
    let end = 0;
    for (const node of this.#written()) {
      const frame = bytesOf(node);
      if (frame === null) continue;
      frames.push(frame);
      end += frame.length;
      if (node.kind.patchFromEnd === undefined) continue;
      patchOffsets.push(end - node.kind.patchFromEnd - (frame === node.frame ? 0 : deflatedEndLength));
    }
    const [first] = frames;
    const bytes = frames.length === 1 && first !== undefined ? first : Buffer.concat(frames, end);
    return { bytes, frameCount: frames.length, patchOffsets };
  }

  /** The nodes of the frames that are to be written, in order. */
  #written(): readonly Batch[] {
    this.#nodes ??= this.#current();
    return this.#nodes;
  }

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

/** Bytes of a batch with a connection's own ones at each patch offset. */
export function withOwn({ bytes, patchOffsets }: BatchContents, own: Buffer): Buffer {
  if (patchOffsets.length === 0) return bytes;
  const patched = Buffer.allocUnsafe(bytes.length);
  patched.set(bytes);
  for (const offset of patchOffsets) patched.set(own, offset);
  return patched;
}

/** The batch of every connection without waiting frames. */
export const emptyBatch = Batch.empty();

/** The same for numbered connections, whose frames are others. */
export const emptyNumberedBatch = Batch.empty();

/** The same for those with `view`, whose session tags are longer. */
export const emptyNumberedViewBatch = Batch.empty();
