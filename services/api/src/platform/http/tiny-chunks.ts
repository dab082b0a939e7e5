import type { IncomingMessage } from "node:http";

/** … and bytes that the chunks of a body with more have to have on average. */
const chunkBytesMin = 16;

/** Chunks of a body that may have any size … */
const chunksFreeMax = 1_024;

/**
 * Closes the connection of a request whose body arrives in tiny chunks: Node.js reads up to 2 MB of a connection in one
 * turn of the event loop, and each byte may be a chunk of its own.
 *
 * @param request whose body others begin to read in this turn
 */
export function refuseTinyChunks(request: IncomingMessage): void {
  let chunks = 0;
  let bytes = 0;
  request.on("data", (chunk: Uint8Array) => {
    chunks += 1;
    bytes += chunk.length;
    if (chunks > chunksFreeMax && bytes < chunks * chunkBytesMin) request.destroy();
  });
}
