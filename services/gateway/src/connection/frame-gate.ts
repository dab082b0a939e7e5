import { floodCloseAfterMs, frameBytesMax, messageWindowMs } from "../limits.js";
import { MessageRate } from "./message-rate.js";

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/**
 * What a chunk of a client's bytes had to do with its rate: *excess* that some of its frames were dropped, *flood* that
 * this has gone on for {@link floodCloseAfterMs}.
 */
export type GateVerdict = "within" | "excess" | "flood";

/** The longest header of a frame from a client: 2 bytes, 8 of length, 4 of mask. */
const headerBytesMax = 14;
/** Who is read again after a window's pause and sends too much is so within this time, or was over the rate no longer. */
const excessGapMaxMs = 1.5 * messageWindowMs;

/**
 * Stands between a client's bytes and the WebSocket protocol (RFC 6455, 5.2): drops what is over the rate frame by frame,
 * unread but for the header, so that a flood costs next to nothing.
 *
 * Messages, pings and pongs count. The further fragments of a message share its fate; how many it may have is for the
 * protocol to check. Close frames and what breaks the protocol always pass, and nothing after a close frame does.
 */
export class FrameGate {
  readonly #rate = new MessageRate();
  /** The beginning of a header whose end has not come yet. */
  #header: Buffer | null = null;
  /** Bytes of the present frame that have not come yet. */
  #left = 0;
  #passes = true;
  #messagePasses = true;
  #isCloseFrame = false;
  #isClosed = false;
  #overSince = 0;
  #lastExcessAt = Number.NEGATIVE_INFINITY;
  /** Frames dropped so far. */
  dropped = 0;

  constructor(private readonly closeAfterMs = floodCloseAfterMs) {}

  /** Lets nothing through any more. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * @param now milliseconds of a clock that never goes back
   * @param pass gets what may be read, in order
   */
  take(bytes: Buffer, now: number, pass: (part: Buffer) => void): GateVerdict {
    const droppedBefore = this.dropped;
    const chunk = this.#header === null ? bytes : Buffer.concat([this.#header, bytes]);
    this.#header = null;
    let passedUpTo = 0;
    let position = 0;
    while (position < chunk.length && !this.#isClosed) {
      if (this.#left === 0 && !this.#begin(chunk, position, now)) {
        this.#header = Buffer.from(chunk.subarray(position));
        break;
      }
      const end = Math.min(position + this.#left, chunk.length);
      this.#left -= end - position;
      if (!this.#passes) {
        if (passedUpTo < position) pass(chunk.subarray(passedUpTo, position));
        passedUpTo = end;
      }
      position = end;
      if (this.#isCloseFrame && this.#left === 0) this.#isClosed = true;
    }
    if (passedUpTo < position) pass(chunk.subarray(passedUpTo, position));
    return this.dropped === droppedBefore ? "within" : this.#noteExcess(now);
  }

  /** Reads the header of the frame at `position`; false when a part of it is missing. */
  #begin(chunk: Buffer, position: number, now: number): boolean {
    const header = chunk.subarray(position, position + headerBytesMax);
    const [first, second] = header;
    if (first === undefined || second === undefined) return false;
    const short = second & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const headerLength = 2 + lengthBytes + (second & 0x80 ? 4 : 0);
    if (header.length < headerLength) return false;
    const length =
      lengthBytes === 0 ? short : lengthBytes === 2 ? header.readUInt16BE(2) : Number(header.readBigUInt64BE(2));
    this.#left = headerLength + length;
    const opcode = first & 0x0f;
    this.#isCloseFrame = opcode === opcodes.close;
    this.#passes = this.#admits(opcode, length, now);
    if (!this.#passes) this.dropped += 1;
    return true;
  }

  #admits(opcode: number, length: number, now: number): boolean {
    // Closes the connection (1009), whatever the rate.
    if (length > frameBytesMax) return true;
    switch (opcode) {
      case opcodes.continuation:
        return this.#messagePasses;
      case opcodes.text:
      case opcodes.binary:
        this.#messagePasses = this.#rate.admit(now);
        return this.#messagePasses;
      case opcodes.ping:
      case opcodes.pong:
        return this.#rate.admit(now);
      default:
        return true;
    }
  }

  #noteExcess(now: number): GateVerdict {
    if (now - this.#lastExcessAt > excessGapMaxMs) this.#overSince = now;
    this.#lastExcessAt = now;
    return now - this.#overSince >= this.closeAfterMs ? "flood" : "excess";
  }
}
