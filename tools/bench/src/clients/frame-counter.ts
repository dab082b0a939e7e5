const controlBit = 0x08;
const opcodeBits = 0x0f;
const pongOpcode = 0x0a;
/** Instead of the payload length of a data frame. */
const [pong, otherControl] = [-2, -1];

/**
 * Counts the WebSocket frames of a server by their headers alone: the load side must cost less than the measured
 * server. Of control frames only pongs count; a frame counts when its last byte is there.
 */
export class FrameCounter {
  /** Complete data frames so far, of any length. */
  frames = 0;
  /** Complete pongs so far. */
  pongs = 0;
  #payloadLeft = 0;
  /** Payload length of the data frame under way; negative for a control frame. */
  #current = otherControl;
  /** The beginning of a header whose end is still to come. */
  #split: Buffer | null = null;
  /** The parts of the current payload from earlier reads, when payloads are wanted. */
  #pieces: Buffer[] = [];

  /** @param onPayload gets the payload of each complete data frame: a range of bytes that may be overwritten afterwards */
  constructor(private readonly onPayload?: ((bytes: Buffer, start: number, end: number) => void) | undefined) {}

  /**
   * Reads bytes from the socket.
   *
   * @param bytes may be overwritten afterwards
   * @param payloadBytes the payload length of the wanted frames; "all" for data frames of any length
   * @returns how many of those are complete now
   */
  read(bytes: Buffer, payloadBytes: number | "all"): number {
    const chunk = this.#split === null ? bytes : Buffer.concat([this.#split, bytes]);
    this.#split = null;
    let found = 0;
    let at = 0;
    for (;;) {
      const step = Math.min(this.#payloadLeft, chunk.length - at);
      at += step;
      this.#payloadLeft -= step;
      if (this.#payloadLeft > 0) {
        this.#keepPiece(chunk.subarray(at - step, at));
        return found;
      }
      if (this.#current >= 0) {
        this.#handOver(chunk, at - step, at);
        this.frames += 1;
        if (payloadBytes === "all" || this.#current === payloadBytes) found += 1;
      } else if (this.#current === pong) {
        this.pongs += 1;
      }
      this.#current = otherControl;
      const header = this.#readHeader(chunk, at);
      if (header === 0) return found;
      at += header;
    }
  }

  #keepPiece(bytes: Buffer): void {
    if (this.onPayload !== undefined && this.#current >= 0) this.#pieces.push(Buffer.from(bytes));
  }

  #handOver(bytes: Buffer, start: number, end: number): void {
    if (this.onPayload === undefined) return;
    if (this.#pieces.length === 0) {
      this.onPayload(bytes, start, end);
      return;
    }
    const payload = Buffer.concat([...this.#pieces, bytes.subarray(start, end)]);
    this.#pieces = [];
    this.onPayload(payload, 0, payload.length);
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
    const opcode = (chunk[at] ?? 0) & opcodeBits;
    this.#current = (opcode & controlBit) === 0 ? this.#payloadLeft : opcode === pongOpcode ? pong : otherControl;
    return length;
  }
}
