import { invalidInput } from "@parley/contracts";
import express, { type Request, type Response } from "express";
import { jsonBodyBytesMax, jsonDepthMax } from "./limits.js";

// `strict: false` lets a bare string or number through to the schema, which refuses it with its own text.
const parse = express.json({ limit: jsonBodyBytesMax, strict: false, inflate: true });

/**
 * Reads the JSON body of a request. An empty body counts as `{}` (contract.md 1.3).
 *
 * @throws ServiceError 400 for malformed JSON, an unknown charset or encoding, and a body over the limits
 */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error: unknown) => (error === undefined ? resolve() : reject(bodyError(error))));
  });
  const body: unknown = request.body;
  if (body === undefined || body === "") return {};
  if (isDeeper(body, jsonDepthMax)) throw invalidInput("Request body is nested too deeply");
  return body;
}

/** What is nested without end is parsed without harm, but whoever walks it later runs out of stack. */
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
      return invalidInput("Malformed request body");
    default:
      // A body that is not compressed as it says: zlib's own error, marked as the sender's.
      return "status" in error && error.status === 400 ? invalidInput("Malformed request body") : error;
  }
}
