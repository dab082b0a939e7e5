import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import type { ZipPart } from "./zip-part.js";

/** zlib's quickest: text shrinks nearly as well, at a third of the processor time. */
const compressionLevel = 1;

/**
 * Writes a zip archive, with zip64 where sizes need it. The next part is made when the receiver has taken those before it.
 *
 * @param signal ends it
 */
export async function writeZip(
  output: Writable,
  parts: Iterable<ZipPart> | AsyncIterable<ZipPart>,
  signal: AbortSignal,
): Promise<void> {
  const zip = new ZipFile();
  const failed = new AbortController();
  let reading: Readable | undefined;
  zip.on("error", (error) => failed.abort(error));

  const add = ({ name, content }: ZipPart) =>
    new Promise<void>((resolve) => {
      if (typeof content === "string") {
        zip.addBuffer(Buffer.from(content), name, { compressionLevel });
        resolve();
        return;
      }
      zip.addReadStreamLazy(name, { compressionLevel }, (callback) => {
        reading = Readable.from(content(), { highWaterMark: 1 });
        reading.once("close", resolve);
        // Nobody else listens: it would end the process.
        reading.once("error", (error) => failed.abort(error));
        callback(null, reading);
      });
    });
  const addAll = async () => {
    for await (const part of parts) await add(part);
    zip.end();
  };
  addAll().catch((error: unknown) => failed.abort(error));

  try {
    await pipeline(zip.outputStream, output, { signal: AbortSignal.any([failed.signal, signal]) });
  } catch (error) {
    throw failed.signal.aborted ? failed.signal.reason : error;
  } finally {
    reading?.destroy();
  }
}
