import { invalidInput } from "@parley/contracts";
import express, { type Request, type Response } from "express";
import { jsonBodyBytesMax, jsonDepthMax } from "./limits.js";

/** Text of the 400 for a body of another media type (docs/interface.md#1.3). */
export const notJson = "Content-Type must be application/json";
const malformed = "Malformed request body";

const parse = express.json({
  limit: jsonBodyBytesMax,
  inflate: true,
  // A bare string or number passes, so that the schema refuses it with its own text.
  strict: false,
  // The type was checked before; the parser's own check refuses unknown parameters.
  type: () => true,
});

/**
 * Reads the JSON body of a request. No body, and an empty one, count as `{}` (docs/interface.md#1.3).
 *
 * @throws ServiceError 400 for a body of another media type, malformed JSON, an unknown charset or encoding, and a body
 * over the limits
 */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  if (!isJson(request)) {
    if (await hasBytes(request)) throw invalidInput(notJson);
    return {};
  }
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error: unknown) => (error === undefined ? resolve() : reject(bodyError(error))));
  });
  const body: unknown = request.body;
  if (body === undefined || body === "") return {};
  if (isDeeper(body, jsonDepthMax)) throw invalidInput("Request body is nested too deeply");
  return body;
}

/** Whatever its parameters: JSON is UTF-8, and the parser refuses another charset. */
function isJson({ headers }: Request): boolean {
  const [mediaType = ""] = (headers["content-type"] ?? "").split(";", 1);
  return mediaType.trim().toLowerCase() === "application/json";
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
    request.once("close", () => reject(invalidInput(malformed)));
  });
}

/** JSON.parse accepts any depth of nesting, but recursive code that walks the value would overflow the stack. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

function bodyError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  switch ("type" in error ? error.type : undefined) {
    case "entity.too.large":
      return invalidInput(`Request body must be at most ${jsonBodyBytesMax / 1024} KB`);
    case "entity.parse.failed":
      return invalidInput("Malformed JSON");
    case "request.aborted":
    case "request.size.invalid":
    case "charset.unsupported":
    case "encoding.unsupported":
      return invalidInput(malformed);
    default:
      // A body that does not match its Content-Encoding: an error of zlib, reported as the sender's mistake (400).
      return "status" in error && error.status === 400 ? invalidInput(malformed) : error;
  }
}
