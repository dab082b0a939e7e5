import { TextDecoder } from "node:util";
import { errorTexts, invalidInput } from "@parley/contracts";
import express, { type Request, type RequestHandler, type Response } from "express";
import { exceededBound } from "./json-text.js";
import { jsonBodyBytesMax } from "./limits.js";
import { refuseTinyChunks } from "./tiny-chunks.js";

/** Members of its objects and elements of its arrays, of all together; the largest that an endpoint accepts has dozens. */
const jsonValuesMax = 10_000;

/** Members of one of its objects; the largest that an endpoint accepts has a thousand. */
const jsonNamesMax = 2_000;

/** Levels of objects and arrays in a JSON body. */
const jsonDepthMax = 16;

/** The bytes only: the parser's own checks of the type refuse unknown parameters and labels of encodings. */
const readBytes = bytesReader(jsonBodyBytesMax);
const bounds = { levelsMax: jsonDepthMax, valuesMax: jsonValuesMax, namesMax: jsonNamesMax };
const exceeded = { levelsMax: errorTexts.body_too_deep, valuesMax: errorTexts.body_too_many_values };

/**
 * Reads the JSON body of a request. No body, and an empty one, count as `{}` (docs/protocol/requests.md#1.3).
 *
 * @throws ServiceError 400 for a body of another media type, malformed JSON, an unknown charset or encoding, and a body
 * over the limits
 */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  if (!isJson(request)) {
    if (await hasBytes(request)) throw invalidInput(errorTexts.content_type_not_json);
    return {};
  }
  const decoder = decoderOf(request);
  // JSON has no other encodings (RFC 8259).
  if (!decoder.encoding.startsWith("utf-")) throw invalidInput(errorTexts.body_malformed);
  return parseJson(await readText(readBytes, request, response, decoder));
}

/** Reads a body of at most so many bytes. */
export interface BytesReader {
  readonly bytesMax: number;
  readonly read: RequestHandler;
}

/** Reads bodies of at most so many bytes, whatever their type. */
export function bytesReader(bytesMax: number): BytesReader {
  return { bytesMax, read: express.raw({ limit: bytesMax, inflate: true, type: () => true }) };
}

/**
 * A body as text, in the charset that it names.
 *
 * @throws ServiceError 400 for an unknown charset or encoding and a body over the limit
 */
export async function readText(
  { read, bytesMax }: BytesReader,
  request: Request,
  response: Response,
  decoder = decoderOf(request),
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    read(request, response, (error: unknown) => (error === undefined ? resolve() : reject(bodyError(error, bytesMax))));
    refuseTinyChunks(request);
  });
  const bytes: unknown = request.body;
  return bytes instanceof Uint8Array ? decoder.decode(bytes) : "";
}

/**
 * Parses JSON that stands in a field of a form, with the bounds of a body of JSON.
 *
 * @throws ServiceError 400
 */
export function parseJsonField(text: string): unknown {
  if (Buffer.byteLength(text) > jsonBodyBytesMax) throw tooLarge(jsonBodyBytesMax);
  return parseJson(text);
}

/**
 * Parses the text of a body. No text, and an empty one, count as `{}`.
 *
 * @throws ServiceError 400 for malformed JSON, and for a text over the limits of levels and values
 */
export function parseJson(text: string): unknown {
  if (text === "") return {};
  const bound = exceededBound(text, bounds);
  if (bound !== null) throw invalidInput(exceeded[bound]);
  try {
    return JSON.parse(text);
  } catch {
    throw invalidInput(errorTexts.malformed_json);
  }
}

/** Whatever its parameters. */
function isJson(request: Request): boolean {
  return mediaTypeOf(request) === "application/json";
}

/** The type of a body, without its parameters. */
export function mediaTypeOf({ headers }: Request): string {
  const [mediaType = ""] = (headers["content-type"] ?? "").split(";", 1);
  return mediaType.trim().toLowerCase();
}

/**
 * Decodes the charset of a request, named by any label of the WHATWG Encoding standard.
 *
 * @throws ServiceError 400 for an unknown label
 */
function decoderOf({ headers }: Request): TextDecoder {
  const [, quoted, plain] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;"]*))/i.exec(headers["content-type"] ?? "") ?? [];
  try {
    return new TextDecoder(quoted || plain || "utf-8");
  } catch {
    throw invalidInput(errorTexts.body_malformed);
  }
}

/**
 * Whether a request has a body: for chunked encoding that is known only at its first byte or its end. The rest is skipped.
 *
 * @throws ServiceError 400 when the sender breaks off before either
 */
function hasBytes(request: Request): Promise<boolean> {
  const { "transfer-encoding": chunked, "content-length": length = 0 } = request.headers;
  if (chunked === undefined) return Promise.resolve(Number(length) > 0);
  return new Promise((resolve, reject) => {
    request.once("data", () => resolve(true));
    request.once("end", () => resolve(false));
    request.once("close", () => reject(invalidInput(errorTexts.body_malformed)));
  });
}

const tooLarge = (bytesMax: number) => invalidInput(errorTexts.body_too_large(bytesMax / 1024));

function bodyError(error: unknown, bytesMax: number): unknown {
  if (!(error instanceof Error)) return error;
  switch ("type" in error ? error.type : undefined) {
    case "entity.too.large":
      return tooLarge(bytesMax);
    case "request.aborted":
    case "request.size.invalid":
    case "charset.unsupported":
    case "encoding.unsupported":
      return invalidInput(errorTexts.body_malformed);
    default:
      // A body that does not match its Content-Encoding: an error of zlib, reported as the sender's mistake (400).
      return "status" in error && error.status === 400 ? invalidInput(errorTexts.body_malformed) : error;
  }
}
