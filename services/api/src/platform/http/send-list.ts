import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Response } from "express";
import { listChunkMax } from "./limits.js";
import { untilSent } from "./until-sent.js";

const contentType = "application/json; charset=utf-8";

/** Answers with a list of items whose JSON is written already. */
export const sendList = (response: Response, items: readonly string[]): void =>
  sendText(response, `[${items.join(",")}]`);

/**
 * Answers with JSON that is written already.
 *
 * @throws ServiceError 429 when the reader has not taken the answers before
 */
export function sendText(response: Response, text: string): void {
  const bytes = Buffer.byteLength(text);
  response.req.state.unreadAnswers.requireRoom(response.req, bytes);
  response.setHeader("Content-Type", contentType);
  response.setHeader("Content-Length", bytes);
  response.end(text);
}

/**
 * Answers with a long list as it is read: the next chunk is read when the client has taken the one before, so that no
 * more than one chunk of each list is in memory.
 *
 * @param chunks of `chunkMax` items' JSON; at least one, the last one shorter than the others
 * @throws the error of the first chunk; a later failure ends the answer early
 */
export async function sendLongList(
  response: Response,
  chunks: AsyncGenerator<string[]>,
  chunkMax = listChunkMax,
): Promise<void> {
  const { value: first = [] } = await chunks.next();
  if (first.length < chunkMax) return sendList(response, first);
  response.setHeader("Content-Type", contentType);
  const whole = async function* () {
    yield `[${first.join(",")}`;
    for await (const items of chunks) if (items.length > 0) yield `,${items.join(",")}`;
    yield "]";
  };
  await untilSent(pipeline(Readable.from(whole(), { highWaterMark: 1 }), response));
}
