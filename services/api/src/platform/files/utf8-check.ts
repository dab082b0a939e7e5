import { isUtf8 } from "node:buffer";

/** Most bytes of a character that the next chunk may have to complete. */
const unfinishedBytesMax = 3;

/** Whether bytes that arrive in chunks are text: UTF-8 without NUL (docs/protocol/messages.md#7.6). */
export class Utf8Check {
  #unfinished: Uint8Array = new Uint8Array();

  /** Looks at the next chunk; false as soon as the whole cannot be text. */
  add(chunk: Uint8Array): boolean {
    if (chunk.includes(0)) return false;
    const bytes = this.#unfinished.length === 0 ? chunk : Buffer.concat([this.#unfinished, chunk]);
    const end = endOfLastCharacter(bytes);
    this.#unfinished = Uint8Array.from(bytes.subarray(end));
    return isUtf8(bytes.subarray(0, end));
  }

  /** Whether the bytes end with a whole character. */
  end(): boolean {
    return this.#unfinished.length === 0;
  }
}

/** Where the bytes are to be cut so that none of a character that goes on in the next chunk comes before. */
function endOfLastCharacter(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(unfinishedBytesMax, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (!isContinuation) return characterLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function characterLength(leadByte: number): number {
  if (leadByte >= 0xf0) return 4;
  if (leadByte >= 0xe0) return 3;
  return leadByte >= 0xc0 ? 2 : 1;
}
