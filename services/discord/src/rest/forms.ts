import busboy from "busboy";
import type { Request } from "express";
import { filesBytesMax, jsonBytesMax } from "../limits.js";
import { RawBody } from "./api.js";
import { DiscordError, discordError, invalidForm } from "./errors.js";

/** A file of a form, read whole. */
export interface FormFile {
  readonly filename: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** The body of a request that may have files: JSON, or a form with `payload_json` and `files[n]`. */
export interface BodyWithFiles {
  readonly body: unknown;
  readonly files: readonly FormFile[];
}

/** Reads such a body. Files wait in memory, as libraries send what the message says after them. */
export async function readBodyWithFiles(request: Request): Promise<BodyWithFiles> {
  const isForm = request.is("multipart/form-data") !== false;
  return isForm ? readForm(request) : { body: parseJson(await readText(request)), files: [] };
}

async function readText(request: Request): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > jsonBytesMax) throw new DiscordError(413, 40005, "Request entity too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function readForm(request: Request): Promise<BodyWithFiles> {
  return new Promise((resolve, reject) => {
    const files: FormFile[] = [];
    const fields: Record<string, unknown> = {};
    let payload: string | undefined;
    let length = 0;
    const parser = busboy({ headers: request.headers, defParamCharset: "utf8", limits: { fieldSize: jsonBytesMax } });
    parser.on("field", (name, value) => {
      if (name === "payload_json") payload = value;
      else fields[name] = value;
    });
    parser.on("file", (_name, stream, { filename, mimeType }) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => {
        length += chunk.length;
        if (length <= filesBytesMax) chunks.push(chunk);
      });
      stream.on("end", () => files.push({ filename: filename ?? "", type: mimeType, bytes: Buffer.concat(chunks) }));
    });
    parser.on("error", () => reject(discordError(50109)));
    parser.on("close", () => {
      if (length > filesBytesMax) {
        reject(new DiscordError(413, 40005, "Request entity too large"));
        return;
      }
      try {
        resolve({ body: payload === undefined ? fields : parseJson(payload), files });
      } catch (error) {
        reject(error);
      }
    });
    request.on("error", reject);
    request.pipe(parser);
  });
}

function parseJson(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw discordError(50109);
  }
}

const boundary = "parley-message-form";
const quoted = (name: string) => name.replace(/["\r\n]/g, (sign) => encodeURIComponent(sign));

/** The form that the api takes: `payload_json` where there is one, then the files. */
export function filesForm(files: readonly FormFile[], payload?: object): RawBody {
  if (files.some(({ filename }) => filename === "")) {
    throw invalidForm([{ path: ["files"], code: "BASE_TYPE_REQUIRED", message: "A file needs a name" }]);
  }
  const head =
    payload === undefined
      ? []
      : [`--${boundary}\r\nContent-Disposition: form-data; name="payload_json"\r\n\r\n${JSON.stringify(payload)}\r\n`];
  const parts = files.flatMap(({ filename, type, bytes }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${quoted(filename)}"\r\nContent-Type: ${type}\r\n\r\n`,
    bytes,
    "\r\n",
  ]);
  const all = [...head, ...parts, `--${boundary}--\r\n`].map((part) =>
    typeof part === "string" ? Buffer.from(part) : part,
  );
  return new RawBody(`multipart/form-data; boundary=${boundary}`, Buffer.concat(all));
}
