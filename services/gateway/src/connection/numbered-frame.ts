import { cursorSeparator, ownerLength } from "../cursors/cursor.js";
import { joinTextFrame, payloadOf } from "./frames.js";

const slot = Buffer.alloc(ownerLength, " ");
const end = Buffer.from('"}');

/** Distance from a numbered frame's end at which the owner's part of the cursor belongs. */
export const ownerFromEnd = ownerLength + end.length;

/**
 * An envelope's frame with the additional key `s`, but for the owner's part of the cursor: its length is constant, so
 * the bytes are the same for all connections, and each fills in its own part when it writes.
 *
 * @param frame of an envelope, a JSON object
 */
export function numberedFrame(frame: Buffer, position: string): Buffer {
  const payload = payloadOf(frame);
  const key = Buffer.from(`,"s":"${position}${cursorSeparator}`);
  return joinTextFrame([payload.subarray(0, -1), key, slot, end]);
}

/** Makes each frame once for all connections that get it with the same position. */
export class NumberedFrames {
  #latest: { frame: Buffer; position: string; numbered: Buffer } | null = null;

  of(frame: Buffer, position: string): Buffer {
    if (this.#latest?.frame === frame && this.#latest.position === position) return this.#latest.numbered;
    const numbered = numberedFrame(frame, position);
    this.#latest = { frame, position, numbered };
    return numbered;
  }
}
