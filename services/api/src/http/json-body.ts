import { invalidInput } from "@parley/contracts";
import express, { type Request, type Response } from "express";
import { jsonBodyBytesMax } from "./limits.js";

// `strict: false` lets a bare string or number through to the schema, which refuses it with its own text.
const parse = express.json({ limit: jsonBodyBytesMax, strict: false, inflate: true });

/**
 * Reads the JSON body of a request. An empty body counts as `{}` (contract.md 1.3).
 *
 * @throws ServiceError 400 for malformed JSON, an unknown charset or encoding, and a body over the limit
 */
export async function readJsonBody(request: Request, response: Response): Promise<unknown> {
  await new Promise<void>((resolve, reject) => {
    parse(request, response, (error: unknown) => (error === undefined ? resolve() : reject(bodyError(error))));
  });
  const body: unknown = request.body;
  return body === undefined || body === "" ? {} : body;
}

function bodyError(error: unknown): unknown {
  if (!(error instanceof Error) || !("type" in error)) return error;
  switch (error.type) {
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
      return error;
  }
}
