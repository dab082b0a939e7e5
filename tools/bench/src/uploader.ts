import { once } from "node:events";
import { request } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { serve } from "./program.js";

/** A process of its own, so that what it sends does not delay the requests that are measured. */
export type Uploader = typeof uploader;

const boundary = "bench";
const piece = Buffer.alloc(64 * 1024, "text ");

const uploader = {
  /** Sends a file of text as a form, as fast as it is taken. @returns the status of the answer */
  async upload({
    url,
    headers,
    bytes,
  }: {
    url: string;
    headers: Record<string, string>;
    bytes: number;
  }): Promise<number> {
    const call = request(url, {
      method: "POST",
      headers: { ...headers, "content-type": `multipart/form-data; boundary=${boundary}` },
    });
    const answered = once(call, "response");
    await pipeline(Readable.from(formOf(bytes)), call);
    const [answer] = await answered;
    answer.resume();
    await once(answer, "end");
    return answer.statusCode;
  },
};

function* formOf(bytes: number): Generator<Buffer> {
  const head = 'Content-Disposition: form-data; name="files"; filename="large.txt"';
  yield Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`);
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, Math.min(left, piece.length));
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

serve(uploader);
