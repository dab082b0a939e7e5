import { pipeline } from "node:stream/promises";
import { errorBody, errorTexts, notFound } from "@parley/contracts";
import type { Request, Response } from "express";
import { answerJson } from "../http/route.js";
import { untilSent } from "../http/until-sent.js";
import { parseRange } from "./byte-range.js";
import { counted } from "./storage/buffer-garbage.js";
import type { FileStorage } from "./storage/storage.js";

/** A stored file as a row of the database describes it. */
export interface StoredBytes {
  key: string;
  size: number;
  mimeType: string;
}

/**
 * Answers with the bytes of a file, or the part that the request asks for.
 *
 * @param answer.headers further headers of a success
 * @param answer.missing text of the 404 when the storage does not have the file
 */
export async function sendStored(
  { request, response, storage }: { request: Request; response: Response; storage: FileStorage },
  { file, headers, missing }: { file: StoredBytes; headers: Record<string, string>; missing: string },
): Promise<void> {
  // Files have no validator (ETag, Last-Modified) to compare with, so a conditional range gets the whole file.
  const header = request.headers["if-range"] === undefined ? request.headers.range : undefined;
  const range = request.method === "GET" ? parseRange(header, file.size) : "all";
  response.setHeader("Accept-Ranges", "bytes");
  if (range === "unsatisfiable") {
    response.setHeader("Content-Range", `bytes */${file.size}`);
    answerJson(response, 416, errorBody(errorTexts.range_not_satisfiable));
    return;
  }
  const { start, end } = range === "all" ? { start: 0, end: file.size - 1 } : range;
  const head = { ...headers, "Content-Type": file.mimeType, "Content-Length": end - start + 1 };
  if (request.method === "HEAD") {
    response.writeHead(200, head).end();
    return;
  }
  const content = await storage.get(file.key, range === "all" ? undefined : range);
  if (content === null) {
    request.state.log.error({ key: file.key, request_id: request.state.id }, "a stored file is missing");
    throw notFound(missing);
  }
  if (range !== "all") response.setHeader("Content-Range", `bytes ${start}-${end}/${file.size}`);
  response.writeHead(range === "all" ? 200 : 206, head);
  await untilSent(pipeline(content, counted, response));
}
