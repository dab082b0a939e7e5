import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { untilSent } from "../../platform/http/until-sent.js";
import { requirePace } from "./receiver-pace.js";
import type { ServerExport } from "./service.js";

/** zlib's quickest: text shrinks nearly as well, at a third of the processor time. */
const compressionLevel = 1;

/** How long a client may take in all. */
const exportTimeoutMs = 3_600_000;

/** Makes the text of a file, piece by piece. */
type Pieces = () => AsyncGenerator<string>;

/**
 * Answers with an export as a zip archive (docs/protocol/communities.md#18.3). A file is read when the client has taken those before
 * it, page by page; when the client leaves, or takes it too slowly or for too long, reading ends.
 *
 * @param pace another one than usual, for tests
 */
export async function sendZip(
  response: ServerResponse,
  content: ServerExport,
  pace?: Parameters<typeof requirePace>[1],
): Promise<void> {
  const zip = new ZipFile();
  const failed = new AbortController();
  let reading: Readable | undefined;
  zip.on("error", (error) => failed.abort(error));
  const add = (name: string, pieces: Pieces) => {
    zip.addReadStreamLazy(name, { compressionLevel }, (callback) => {
      reading = Readable.from(pieces(), { highWaterMark: 1 });
      callback(null, reading);
    });
  };
  const { server, channels, roles } = content;
  for (const [name, value] of Object.entries({ server, channels, roles })) {
    zip.addBuffer(Buffer.from(JSON.stringify(value)), `${name}.json`, { compressionLevel });
  }
  add("members.json", () => asArray(content.members()));
  for (const { id } of channels) add(`messages/${id}.jsonl`, () => asLines(content.messages(id)));
  zip.end();
  const endPace = requirePace(response, pace);
  try {
    const signal = AbortSignal.any([failed.signal, AbortSignal.timeout(exportTimeoutMs)]);
    await untilSent(pipeline(zip.outputStream, response, { signal }));
  } finally {
    endPace();
    reading?.destroy();
  }
}

async function* asArray(pages: AsyncGenerator<string[]>): AsyncGenerator<string> {
  let start = "[";
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield start + page.join(",");
    start = ",";
  }
  yield start === "[" ? "[]" : "]";
}

async function* asLines(pages: AsyncGenerator<string[]>): AsyncGenerator<string> {
  for await (const page of pages) if (page.length > 0) yield `${page.join("\n")}\n`;
}
