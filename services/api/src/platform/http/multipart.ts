import type { IncomingMessage } from "node:http";
import { errorTexts, invalidInput } from "@parley/contracts";
import { allowSlowBody } from "@parley/service-runtime";
import busboy from "busboy";
import { fieldBytesMax as defaultFieldBytesMax } from "./limits.js";
import { sentFilename } from "./sent-filename.js";
import { refuseTinyChunks } from "./tiny-chunks.js";

/** How long the rest of a refused form is skipped before its connection is closed. */
const lingerTimeoutMs = 30_000;

/** Parts of a multipart form. */
const partsMax = 100;

/** A file of a form as it arrives. */
export interface FilePart {
  /** Name of the field. */
  readonly name: string;
  /** The sender's name of the file without folders; undefined when it has none. */
  readonly filename: string | undefined;
  /** The bytes, to be read to their end or not at all. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Handlers of a form's parts, called one after the other, in the order sent. */
export interface PartHandlers {
  /** A rejection ends the reading. */
  onFile(part: FilePart): Promise<void>;
  /** A text longer than the form's fields may be arrives cut. */
  onField?(name: string, value: string): void;
}

/** A request with a form whose body is not read yet. */
export interface MultipartForm {
  /**
   * Reads the body in constant memory. When it resolves or rejects, no handler runs any more.
   *
   * @throws ServiceError 400 `Invalid multipart data`, also when the sender breaks off; or the error of a handler
   */
  read(handlers: PartHandlers): Promise<void>;
}

/**
 * Takes a request as a form.
 *
 * @param bytesMax largest body; a longer one is invalid
 * @param fieldBytesMax longest text field
 * @throws ServiceError 400 when its Content-Type is not a form's
 */
export function openMultipart(
  request: IncomingMessage,
  { bytesMax, fieldBytesMax = defaultFieldBytesMax }: { bytesMax: number; fieldBytesMax?: number },
): MultipartForm {
  const parser = createParser(request, fieldBytesMax);
  allowSlowBody(request);
  return { read: (handlers) => readParts({ request, parser, bytesMax, handlers }) };
}

/** Whether a request has a form, by its Content-Type. */
export function isMultipart({ headers }: IncomingMessage): boolean {
  return /^multipart\/form-data\s*(;|$)/i.test(headers["content-type"] ?? "");
}

function createParser({ headers }: IncomingMessage, fieldBytesMax: number): busboy.Busboy {
  if (!/^multipart\/form-data\s*;/i.test(headers["content-type"] ?? ""))
    throw invalidInput(errorTexts.invalid_multipart);
  try {
    return busboy({
      headers,
      defParamCharset: "utf8",
      // Its own way to leave out folders cuts names with a backslash.
      preservePath: true,
      limits: { parts: partsMax, fieldSize: fieldBytesMax },
    });
  } catch {
    // No boundary.
    throw invalidInput(errorTexts.invalid_multipart);
  }
}

async function readParts(reading: {
  request: IncomingMessage;
  parser: busboy.Busboy;
  bytesMax: number;
  handlers: PartHandlers;
}): Promise<void> {
  const { request, parser, bytesMax, handlers } = reading;
  let reads = true;
  // The parser may announce the next part while the handler of one that has arrived whole is still at work.
  let handling: Promise<void> = Promise.resolve();
  try {
    await new Promise<void>((resolve, reject) => {
      const rejectForm = () => reject(invalidInput(errorTexts.invalid_multipart));
      let bytes = 0;
      request.on("data", (chunk: Uint8Array) => {
        bytes += chunk.length;
        if (bytes > bytesMax) rejectForm();
      });
      request.on("error", rejectForm);
      request.on("close", () => {
        if (!request.complete) rejectForm();
      });
      parser.on("error", rejectForm);
      parser.on("partsLimit", rejectForm);
      parser.on("finish", resolve);
      parser.on("field", (name, value) => handlers.onField?.(name, value));
      parser.on("file", (name, stream, { filename }) => {
        // A form that breaks off also fails its open file, possibly before the file is read.
        stream.on("error", () => undefined);
        handling = handling.then(async () => {
          if (reads) await handlers.onFile({ name, filename: sentFilename(filename), content: partOf(stream) });
          stream.resume();
        });
        handling.catch(reject);
      });
      if (request.destroyed) rejectForm();
      else {
        request.pipe(parser);
        refuseTinyChunks(request);
      }
    });
    await handling;
  } catch (error) {
    reads = false;
    request.unpipe(parser);
    parser.destroy();
    skipRest(request);
    await handling.catch(() => undefined);
    throw error;
  }
}

/** The parser's errors about a truncated file are the sender's mistake (400). */
async function* partOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch {
    throw invalidInput(errorTexts.invalid_multipart);
  }
}

/**
 * Reads on for a limited time: closing at once would reset the connection of a client that is still sending, which then
 * loses the answer.
 */
function skipRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.resume();
  const timer = setTimeout(() => request.destroy(), lingerTimeoutMs);
  request.once("close", () => clearTimeout(timer));
}
