const finalTextFrame = 0x81;

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
  const headerLength = headerLengthOf(length);
  const frame = Buffer.allocUnsafe(headerLength + length);
  writeHeader(frame, length);
  let at = headerLength;
  for (const piece of pieces) {
    frame.set(piece, at);
    at += piece.length;
  }
  return frame;
}

/** The header of a text frame with so many bytes of payload. */
export function textFrameHeader(length: number): Buffer {
  const header = Buffer.allocUnsafe(headerLengthOf(length));
  writeHeader(header, length);
  return header;
}

/** The payload of a frame of {@link encodeTextFrame}: the same memory. */
export function payloadOf(frame: Buffer): Buffer {
  const length = frame.readUInt8(1);
  return frame.subarray(length < 126 ? 2 : length === 126 ? 4 : 10);
}

function headerLengthOf(length: number): number {
  return length < 126 ? 2 : length < 65_536 ? 4 : 10;
}

function writeHeader(frame: Buffer, length: number): void {
  frame[0] = finalTextFrame;
  if (length < 126) {
    frame[1] = length;
  } else if (length < 65_536) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeUInt32BE(Math.floor(length / 2 ** 32), 2);
    frame.writeUInt32BE(length % 2 ** 32, 6);
  }
}

/**
 * Frames that wait to be written to a connection: an immutable list that connections share.
 *
 * A frame is appended to all connections of an audience in one pass. Connections with the same waiting frames hold the
 * same node, so the pass creates one node for them, and the flush concatenates the bytes once, whatever their number.
 */
export class Batch {
  /**
   * The latest child. A pass appends one frame, so a child with another frame means that the previous pass has ended.
   */
  #next: Batch | null = null;
  #bytes: Buffer | null = null;

  /** Whether any of the frames has a slot. */
  readonly hasSlots: boolean;

  private constructor(
    readonly previous: Batch | null,
    readonly frame: Buffer | null,
    /** Distance from the end of the frame at which each connection fills in its own bytes; 0 for none. */
    readonly slotFromEnd: number,
    readonly frameCount: number,
    readonly byteLength: number,
    /** When the event of the first frame arrived, by `performance.now()`. */
    readonly since: number,
  ) {
    this.hasSlots = slotFromEnd > 0 || previous?.hasSlots === true;
  }

  /** The batch without frames: the root of all others. */
  static empty(): Batch {
    return new Batch(null, null, 0, 0, 0, 0);
  }

  /**
   * This batch with one more frame.
   *
   * @param since when the frame's event arrived, by `performance.now()`
   * @param slotFromEnd where the bytes of {@link bytesWith} begin, counted from the end of the frame; 0 for nowhere
   */
  append(frame: Buffer, since: number, slotFromEnd = 0): Batch {
    if (this.#next !== null && this.#next.frame === frame) return this.#next;
    const first = this.frameCount === 0 ? since : this.since;
    this.#next = new Batch(this, frame, slotFromEnd, this.frameCount + 1, this.byteLength + frame.length, first);
    return this.#next;
  }

  /** All frames in order, in one buffer that all connections with this batch share. */
  bytes(): Buffer {
    this.#bytes ??= this.#join();
    return this.#bytes;
  }

  /** As {@link bytes}, with the connection's own bytes in each slot. */
  bytesWith(own: Buffer): Buffer {
    if (!this.hasSlots) return this.bytes();
    const bytes = Buffer.from(this.bytes());
    let end = bytes.length;
    for (let batch: Batch | null = this; batch !== null && batch.frame !== null; batch = batch.previous) {
      if (batch.slotFromEnd > 0) bytes.set(own, end - batch.slotFromEnd);
      end -= batch.frame.length;
    }
    return bytes;
  }

  /**
   * Releases the latest child, so that written frames can be freed; to be called when no connection has frames
   * waiting.
   */
  forgetChildren(): void {
    this.#next = null;
  }

  #join(): Buffer {
    if (this.frameCount === 1 && this.frame !== null) return this.frame;
    const frames: Buffer[] = [];
    for (let batch: Batch | null = this; batch !== null && batch.frame !== null; batch = batch.previous) {
      frames.push(batch.frame);
    }
    return Buffer.concat(frames.reverse(), this.byteLength);
  }
}

/** The batch of every connection without waiting frames. */
export const emptyBatch = Batch.empty();

/** The same for numbered connections, whose frames are others. */
export const emptyNumberedBatch = Batch.empty();
