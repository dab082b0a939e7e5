const finalTextFrame = 0x81;

/**
 * One unmasked, unfragmented WebSocket text frame (RFC 6455, 5.2), ready for any number of sockets.
 *
 * @param payload UTF-8 bytes; copied, so they may be overwritten afterwards
 */
export function encodeTextFrame(payload: Uint8Array): Buffer {
  const { length } = payload;
  const headerLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerLength + length);
  frame[0] = finalTextFrame;
  if (headerLength === 2) {
    frame[1] = length;
  } else if (headerLength === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeUInt32BE(Math.floor(length / 2 ** 32), 2);
    frame.writeUInt32BE(length % 2 ** 32, 6);
  }
  frame.set(payload, headerLength);
  return frame;
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

  private constructor(
    readonly previous: Batch | null,
    readonly frame: Buffer | null,
    readonly frameCount: number,
    readonly byteLength: number,
    /** When the event of the first frame arrived, by `performance.now()`. */
    readonly since: number,
  ) {}

  /** The batch without frames: the root of all others. */
  static empty(): Batch {
    return new Batch(null, null, 0, 0, 0);
  }

  /**
   * This batch with one more frame.
   *
   * @param since when the frame's event arrived, by `performance.now()`
   */
  append(frame: Buffer, since: number): Batch {
    if (this.#next !== null && this.#next.frame === frame) return this.#next;
    const first = this.frameCount === 0 ? since : this.since;
    this.#next = new Batch(this, frame, this.frameCount + 1, this.byteLength + frame.length, first);
    return this.#next;
  }

  /** All frames in order, in one buffer that all connections with this batch share. */
  bytes(): Buffer {
    this.#bytes ??= this.#join();
    return this.#bytes;
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
