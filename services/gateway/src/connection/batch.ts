/**
 * Frames that wait to be written to a connection: an immutable list that connections share.
 *
 * A frame goes to all connections of an audience in one pass. All that wait for the same frames hold the same node, so
 * the pass creates one node for them and the flush concatenates their bytes once, whatever their number.
 */
export class Batch {
  /** The child made last. One pass appends one frame, so a second child of this node means that the first is complete. */
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

  /** The batch without frames, from which all others grow. */
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

  /** All frames in order, in one buffer that every holder of this batch writes. */
  bytes(): Buffer {
    this.#bytes ??= this.#join();
    return this.#bytes;
  }

  /** Lets go of the children; call it when nobody waits any more, so that written frames can be freed. */
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

/** Nothing waits: the batch of every connection that has been written out. */
export const emptyBatch = Batch.empty();
