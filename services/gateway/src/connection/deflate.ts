import { constants, deflateRawSync } from "node:zlib";
import { deflateMemoryLevel, deflateVariantsMax } from "../limits.js";
import { payloadOf, textFrameLength, writeTextFrameHeader } from "./frame-header.js";

/** RSV1: the payload is compressed (RFC 7692, 6). */
const compressed = 0x40;
/** A stored block without bytes, with which a flush of zlib ends; without its length as messages end (RFC 7692, 7.2.1). */
const emptyBlock = Buffer.of(0);
const emptyBlockLength = 4;
/** In no text, so nothing that is compressed later refers to it. */
const noText = 0xff;

/** Bytes behind a connection's own ones in a compressed frame. */
export const deflatedEndLength = emptyBlock.length;

/**
 * A frame for clients that negotiated permessage-deflate, compressed once for all of them.
 *
 * A client's window consists of the compressed frames that it received (RFC 7692, 7.2.3.2), and a frame refers only to
 * the one before it. So all connections with the same last compressed frame get the same bytes. Where connections
 * differ, in the session tag of a cursor, the bytes are stored instead of compressed, and no later frame refers to
 * them.
 */
export class DeflatableFrame {
  readonly #text: Buffer;
  /** The bytes that each connection fills in, and those behind them. */
  readonly #stored: Buffer;
  #independent: Buffer | null = null;
  readonly #following = new WeakMap<DeflatableFrame, Buffer>();
  #variants = 0;

  /**
   * @param frame of an envelope
   * @param patchFromEnd distance from its end at which each connection fills in its own bytes; 0 for none
   */
  constructor(frame: Buffer, patchFromEnd: number) {
    const payload = payloadOf(frame);
    this.#text = payload.subarray(0, payload.length - patchFromEnd);
    this.#stored = payload.subarray(payload.length - patchFromEnd);
  }

  /**
   * The frame that this one refers to on a connection: the last compressed frame, or null when connections came from so
   * many different frames that another compression is not worth it.
   */
  reference(previous: DeflatableFrame | null): DeflatableFrame | null {
    if (previous === null || this.#following.has(previous)) return previous;
    return this.#variants < deflateVariantsMax ? previous : null;
  }

  /** The frame's bytes behind a {@link reference}. */
  after(reference: DeflatableFrame | null): Buffer {
    const known = reference === null ? this.#independent : this.#following.get(reference);
    if (known != null) return known;
    const bytes = this.#compress(reference);
    if (reference === null) {
      this.#independent = bytes;
    } else {
      this.#following.set(reference, bytes);
      this.#variants += 1;
    }
    return bytes;
  }

  /** The end of a client's window after this frame. */
  get #window(): Buffer {
    return Buffer.concat([this.#text, Buffer.alloc(this.#stored.length, noText)]);
  }

  #compress(reference: DeflatableFrame | null): Buffer {
    const flushed = deflateRawSync(this.#text, {
      finishFlush: constants.Z_SYNC_FLUSH,
      memLevel: deflateMemoryLevel,
      ...(reference === null ? {} : { dictionary: reference.#window }),
    });
    // It ends with a stored block without bytes, whose length is left out or becomes that of ours.
    const pieces: Buffer[] = [flushed.subarray(0, -emptyBlockLength)];
    const { length } = this.#stored;
    if (length > 0) {
      const lengths = Buffer.of(length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff);
      pieces.push(lengths, this.#stored, emptyBlock);
    }
    const size = pieces.reduce((sum, piece) => sum + piece.length, 0);
    const header = Buffer.alloc(textFrameLength(size) - size);
    writeTextFrameHeader(header, 0, size);
    header.writeUInt8(header.readUInt8(0) | compressed, 0);
    return Buffer.concat([header, ...pieces]);
  }
}

const known = new WeakMap<Buffer, DeflatableFrame>();

/** The same for all connections that get a frame. */
export function deflatableOf(frame: Buffer, patchFromEnd = 0): DeflatableFrame {
  const deflatable = known.get(frame) ?? new DeflatableFrame(frame, patchFromEnd);
  known.set(frame, deflatable);
  return deflatable;
}
