import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Bytes of an answer that wait to be read before its connection is not read any further (`highWaterMark`): few, because
 * each of them may be a chunk of its own, and those that wait have been parsed in one turn of the event loop.
 */
export const unreadBytesMax = 4 * 1024;
const startBytes = 64 * 1024;

/**
 * Reads bytes into one buffer: they may arrive in as many chunks as there are bytes, and each chunk would be an object.
 *
 * @returns null when there are more than `bytesMax`
 */
export async function readBytes(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Buffer | null> {
  let bytes = Buffer.allocUnsafe(Math.min(bytesMax, startBytes));
  let size = 0;
  for await (const chunk of chunks) {
    const needed = size + chunk.length;
    if (needed > bytesMax) return null;
    if (needed > bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(bytesMax, Math.max(needed, bytes.length * 2)));
      bytes.copy(larger, 0, 0, size);
      bytes = larger;
    }
    bytes.set(chunk, size);
    size = needed;
    // Otherwise all that has arrived is parsed in this turn of the event loop.
    await nextTurn();
  }
  return bytes.subarray(0, size);
}
