import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Bytes of files that may pass through the process before it collects the memory that they passed in. */
const bufferGarbageBytesMax = 4 * 1024 * 1024;

let passed = 0;
let collect: (() => void) | undefined;

/**
 * Triggers the collection of unused buffers early. Each chunk of a stream has memory outside of V8's heap, and V8 lets
 * such memory grow to twice its young generation, 32 MB, before it collects. A collection of the young generation takes
 * about a millisecond.
 *
 * @param bytes that have just passed through this process
 */
export function passBytes(bytes: number): void {
  passed += bytes;
  if (passed < bufferGarbageBytesMax) return;
  passed = 0;
  collect ??= youngCollection();
  collect();
}

/** A stream's bytes, counted by {@link passBytes}. */
export async function* counted(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    yield chunk;
    passBytes(chunk.length);
  }
}

function youngCollection(): () => void {
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  // Only the context created while the flag was set has the function.
  setFlagsFromString("--no-expose-gc");
  return typeof gc === "function" ? () => gc({ type: "minor" }) : () => undefined;
}
