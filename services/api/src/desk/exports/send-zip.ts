import type { ServerResponse } from "node:http";
import { untilSent } from "../../platform/http/until-sent.js";
import { requirePace } from "./receiver-pace.js";
import { writeZip } from "./write-zip.js";
import type { ZipPart } from "./zip-part.js";

/**
 * Answers with an export as a zip archive (docs/protocol/communities.md#18.3). When the client leaves, or takes it too slowly
 * or for too long, reading ends.
 *
 * @param options.timeoutMs how long a client may take in all
 * @param options.pace another one than usual, for tests
 */
export async function sendZip(
  response: ServerResponse,
  parts: Iterable<ZipPart> | AsyncIterable<ZipPart>,
  { timeoutMs, pace }: { timeoutMs: number; pace?: Parameters<typeof requirePace>[1] },
): Promise<void> {
  const endPace = requirePace(response, pace);
  try {
    await untilSent(writeZip(response, parts, AbortSignal.timeout(timeoutMs)));
  } finally {
    endPace();
  }
}
