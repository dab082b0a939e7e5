const controlBit = 0x08;

/**
 * Counts the WebSocket frames of a server by their headers alone: the load side must cost less than what it measures.
 * Control frames are passed over; a frame counts when its last byte is there.
 */
export class FrameCounter {
  /** Complete data frames so far, of any length. */
  frames = 0;
  #payloadLeft = 0;
  /** Payload length of the data frame under way; -1 for a control frame. */
  #current = -1;
  /** The beginning of a header whose end is still to come. */
  #split: Buffer | null = null;

  /**
   * Reads what came from the socket.
   *
   * @param bytes may be overwritten afterwards
   * @param payloadBytes the payload length of the frames that are asked for
   * @returns how many of those are complete now
   */
  read(bytes: Buffer, payloadBytes: number): number {
    const chunk = this.#split === null ? bytes : Buffer.concat([this.#split, bytes]);
    this.#split = null;
    let found = 0;
    let at = 0;
    for (;;) {
      const step = Math.min(this.#payloadLeft, chunk.length - at);
      at += step;
      this.#payloadLeft -= step;
      if (this.#payloadLeft > 0) return found;
      if (this.#current >= 0) {
        this.frames += 1;
        if (this.#current === payloadBytes) found += 1;
        this.#current = -1;
      }
      const header = this.#readHeader(chunk, at);
      if (header === 0) return found;
      at += header;
    }
  }

  /** @returns the header's length; 0 when it is not complete */
  #readHeader(chunk: Buffer, at: number): number {
    const left = chunk.length - at;
    const short = (chunk[at + 1] ?? 0) & 0x7f;
    const length = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (left < 2 || left < length) {
      if (left > 0) this.#split = Buffer.from(chunk.subarray(at));
      return 0;
    }
    this.#payloadLeft =
      short < 126
        ? short
        : short === 126
          ? chunk.readUInt16BE(at + 2)
          : chunk.readUInt32BE(at + 2) * 2 ** 32 + chunk.readUInt32BE(at + 6);
    this.#current = ((chunk[at] ?? 0) & controlBit) === 0 ? this.#payloadLeft : -1;
    return length;
  }
}
