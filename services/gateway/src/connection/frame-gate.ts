import { floodCloseAfterMs, frameBytesMax, messageWindowMs } from "../limits.js";
import { MessageRate } from "./message-rate.js";

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/**
 * The result of one chunk of a client's bytes: *within* the rate, *excess* when some of its frames were dropped,
 * *flood* when this has continued for {@link floodCloseAfterMs}.
 */
export type GateVerdict = "within" | "excess" | "flood";

/** The longest header of a frame from a client: 2 bytes, 8 of length, 4 of mask. */
const headerBytesMax = 14;
/** As reading pauses for one window after an excess, a flood exceeds the rate again within this time. */
const excessGapMaxMs = 1.5 * messageWindowMs;

/**
 * Filters a client's bytes before the WebSocket parser (RFC 6455, 5.2): drops whole frames above the rate. Only headers
 * are read, so that a flood costs little.
 *
 * Messages, pings and pongs count. The further fragments of a message pass or are dropped with its first; the parser
 * checks their number. Close frames and violations of the protocol always pass, and nothing after a close frame does.
 */
export class FrameGate {
  readonly #rate = new MessageRate();
  /** The first bytes of a header that is not complete yet. */
  #header: Buffer | null = null;
  /** Bytes of the current frame that are not received yet. */
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

  /** Drops everything from now on. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * @param now milliseconds of a monotonic clock
   * @param pass called with the bytes for the parser, in order
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

  /** Reads the header of the frame at `position`; false when it is incomplete. */
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
