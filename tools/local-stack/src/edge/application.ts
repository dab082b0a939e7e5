import { readFile, realpath, stat } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { contentType } from "mime-types";
import Negotiator from "negotiator";
import send from "send";
import { answer, edgeAnswers } from "./error-answer.js";

/** The web application: its built files, and the headers of every answer with one of them. */
export interface Application {
  readonly folder: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Compressed forms that the build puts beside a file, in the order of preference. */
const compressedForms = [
  { encoding: "br", suffix: ".br" },
  { encoding: "gzip", suffix: ".gz" },
] as const;

/**
 * The application as a repository has it. The headers are those of nginx (deploy/nginx/application-headers.conf), so
 * that a policy which is too strict or too weak is noticed in development already.
 */
export async function readApplication(root: string): Promise<Application> {
  const text = await readFile(join(root, "deploy", "nginx", "application-headers.conf"), "utf8");
  const lines = [...text.matchAll(/^add_header (\S+) "([^"]*)" always;$/gm)];
  return {
    folder: join(root, "packages", "web", "dist"),
    headers: Object.fromEntries(lines.map(([, name = "", value = ""]) => [name, value])),
  };
}

/** The target of a request to the application; null for other requests. */
export type ApplicationRequest =
  | { readonly kind: "redirect" }
  | { readonly kind: "unknown" }
  | { readonly kind: "file"; readonly name: string };

/**
 * Recognises requests for the application: the root (GET and HEAD), `/app` and everything below. Paths with malformed
 * escapes, NUL or dot segments are none of them; browsers send no such paths.
 */
export function applicationRequest({ method, url = "/" }: IncomingMessage): ApplicationRequest | null {
  const reads = method === "GET" || method === "HEAD";
  const path = decodePath(url.split("?", 1)[0] ?? "/");
  if (path === "/") return reads ? { kind: "redirect" } : null;
  if (path !== "/app" && path?.startsWith("/app/") !== true) return null;
  if (!reads) return { kind: "unknown" };
  return path === "/app" ? { kind: "redirect" } : { kind: "file", name: path.slice("/app/".length) };
}

/** Answers a request of the application (docs/protocol/requests.md#1.1). */
export async function answerWithApplication(
  application: Application,
  asked: ApplicationRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (asked.kind === "unknown") {
    answer(response, edgeAnswers.notFound);
    return;
  }
  if (asked.kind === "redirect") {
    // Not 301 or 308, which browsers keep for good: the root may change with the installation.
    response.writeHead(302, { ...application.headers, location: "/app/", "content-length": "0" }).end();
    return;
  }
  const isAsset = asked.name.startsWith("assets/");
  // Every address that is no file is a route of the application.
  const name = (await isFile(application.folder, asked.name)) ? asked.name : isAsset ? null : "index.html";
  if (name === null) {
    answer(response, edgeAnswers.notFound);
    return;
  }
  const type = contentType(name.slice(name.lastIndexOf("/") + 1));
  if (type !== false) response.setHeader("content-type", type);
  response.setHeader("cache-control", isAsset ? "public, max-age=31536000, immutable" : "no-cache");
  response.setHeaders(new Map(Object.entries(application.headers)));
  const suffix = await chooseCompressedForm(application.folder, name, request, response);
  const options = { root: application.folder, cacheControl: false, acceptRanges: false, dotfiles: "allow" } as const;
  send(request, encodeURI(name + suffix), options)
    .on("error", () => {
      // Replaced by another build meanwhile.
      for (const header of response.getHeaderNames()) response.removeHeader(header);
      answer(response, edgeAnswers.notFound);
    })
    .pipe(response);
}

/** Chooses a precompressed form and sets `content-encoding`. @returns suffix of its file; "" for the plain file */
async function chooseCompressedForm(
  folder: string,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<string> {
  const accepted = new Negotiator(request).encodings(compressedForms.map(({ encoding }) => encoding));
  let chosen = "";
  for (const { encoding, suffix } of compressedForms) {
    if (!(await isFile(folder, name + suffix))) continue;
    response.setHeader("vary", "Accept-Encoding");
    if (chosen !== "" || !accepted.includes(encoding)) continue;
    response.setHeader("content-encoding", encoding);
    chosen = suffix;
  }
  return chosen;
}

function decodePath(path: string): string | null {
  try {
    const decoded = decodeURIComponent(path).replace(/\/{2,}/g, "/");
    return decoded.includes("\0") || decoded.split("/").some((segment) => /^\.{1,2}$/.test(segment)) ? null : decoded;
  } catch {
    return null;
  }
}

/** Whether the folder itself has such a file: a symbolic link, wherever it leads, is none. */
async function isFile(folder: string, name: string): Promise<boolean> {
  try {
    const path = join(await realpath(folder), name);
    return (await realpath(path)) === path && (await stat(path)).isFile();
  } catch {
    return false;
  }
}
