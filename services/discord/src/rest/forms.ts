import { File } from "node:buffer";
import busboy from "busboy";
import type { Request } from "express";
import { FormData } from "undici";
import { parseJson } from "../json.js";
import { filesBytesMax, filesMax, formFieldsMax, formsBytesMax, jsonBytesMax } from "../limits.js";
import { DiscordError, discordError, type Fault, invalidForm } from "./errors.js";

/** The body of a request that may have files: JSON, or a form with `payload_json` and `files[n]`. */
export interface BodyWithFiles {
  readonly body: unknown;
  readonly files: readonly File[];
}

/** Reads such a body. Files wait in memory, because libraries send the message's fields after them. */
export async function readBodyWithFiles(request: Request): Promise<BodyWithFiles> {
  if (typeof request.is("multipart/form-data") === "string") return readForm(request);
  return { body: readJson((await readBytes(request)).toString("utf8")), files: [] };
}

/** A body of at most so many bytes. @throws DiscordError 413 */
export async function readBytes(request: Request, bytesMax = jsonBytesMax): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const hold = holder(request);
  let length = 0;
  try {
    // A destroyed request could not be answered.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > bytesMax) throw discordError(40005);
      hold(chunk.length);
      chunks.push(chunk);
    }
  } finally {
    // Nobody reads the rest of the body.
    request.resume();
  }
  return Buffer.concat(chunks);
}

let formsBytes = 0;

/** Counts bytes of a form among those of the process, until its request was answered. @throws DiscordError 503 */
function holder(request: Request): (bytes: number) => void {
  let held = 0;
  request.res?.once("close", () => {
    formsBytes -= held;
  });
  return (bytes) => {
    if (formsBytes + bytes > formsBytesMax) {
      throw new DiscordError(503, 0, "503: Service Unavailable", undefined, { "Retry-After": "1" });
    }
    held += bytes;
    formsBytes += bytes;
  };
}

function readForm(request: Request): Promise<BodyWithFiles> {
  return new Promise((resolve, reject) => {
    const files: File[] = [];
    const fields: Record<string, unknown> = {};
    let payload: string | undefined;
    let length = 0;
    const hold = holder(request);
    const limits = { fieldSize: jsonBytesMax, files: filesMax, fields: formFieldsMax };
    const parser = parserOf(request, limits);
    /** Nobody reads the rest of the body. */
    const refuse = (error: unknown) => {
      request.unpipe(parser);
      request.resume();
      reject(error);
    };
    const take = (bytes: number) => {
      length += bytes;
      try {
        if (length > filesBytesMax) throw discordError(40005);
        hold(bytes);
        return true;
      } catch (error) {
        refuse(error);
        return false;
      }
    };
    parser.on("field", (name, value, { valueTruncated }) => {
      if (valueTruncated) refuse(discordError(40005));
      else if (!take(value.length)) return;
      else if (name === "payload_json") payload = value;
      else fields[name] = value;
    });
    parser.on("file", (_name, stream, { filename, mimeType }) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => {
        if (take(chunk.length)) chunks.push(chunk);
      });
      stream.on("end", () => files.push(new File(chunks, filename ?? "", { type: mimeType })));
    });
    parser.on("filesLimit", () => refuse(invalidForm([tooMany("files", filesMax)])));
    parser.on("fieldsLimit", () => refuse(invalidForm([tooMany("payload_json", formFieldsMax)])));
    parser.on("error", () => refuse(discordError(50109)));
    parser.on("close", () => {
      try {
        resolve({ body: payload === undefined ? fields : readJson(payload), files });
      } catch (error) {
        reject(error);
      }
    });
    request.on("error", reject);
    request.pipe(parser);
  });
}

function parserOf({ headers }: Request, limits: busboy.Limits): busboy.Busboy {
  try {
    return busboy({ headers, defParamCharset: "utf8", limits });
  } catch {
    throw discordError(50109);
  }
}

const tooMany = (key: string, max: number): Fault => ({
  path: [key],
  code: "BASE_TYPE_BAD_LENGTH",
  message: `Must be ${max} or fewer in length.`,
});

/** A body of JSON; {} without one. @throws DiscordError 50109 */
export function readJson(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return parseJson(text);
  } catch {
    throw discordError(50109);
  }
}

/** The form that the api takes: `payload_json` where there is one, then the files. */
export function filesForm(files: readonly File[], payload?: object): FormData {
  if (files.some(({ name }) => name === "")) {
    throw invalidForm([{ path: ["files"], code: "BASE_TYPE_REQUIRED", message: "A file needs a name" }]);
  }
  const form = new FormData();
  if (payload !== undefined) form.append("payload_json", JSON.stringify(payload));
  for (const file of files) form.append("files", file, file.name);
  return form;
}
