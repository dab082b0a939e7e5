import { urlLengthMax } from "@parley/contracts";
import { Parser } from "htmlparser2";
import type { BackgroundQueue } from "../../load/background-queue.js";
import type { FetchedPage } from "./fetch-page.js";
import { descriptionLengthMax, parsedAtOnceBytes, siteNameLengthMax, titleLengthMax } from "./limits.js";
import type { PageMetadata } from "./page-metadata.js";

/** How far into a page its encoding is looked for, as browsers do. */
const encodingBytesMax = 1_024;

/**
 * Reads the metadata in the head of a page: Open Graph first, then Twitter cards, then HTML's own elements. A page is
 * parsed in pieces.
 *
 * @param queue runs the pieces
 */
export async function readMetadata(
  { url, contentType, bytes }: FetchedPage,
  queue: BackgroundQueue,
): Promise<PageMetadata> {
  const head = new HeadReader();
  const parser = new Parser(head, { decodeEntities: true, lowerCaseTags: true });
  const decoder = new TextDecoder(encodingOf(contentType, bytes));
  for (let at = 0; at < bytes.length && !head.isOver; at += parsedAtOnceBytes) {
    const piece = bytes.subarray(at, at + parsedAtOnceBytes);
    await queue.run(() => parser.write(decoder.decode(piece, { stream: true })));
  }
  return {
    title: shorten(head.first("og:title", "twitter:title") ?? head.title, titleLengthMax),
    description: shorten(head.first("og:description", "twitter:description", "description"), descriptionLengthMax),
    image: absolute(head.first("og:image:secure_url", "og:image", "og:image:url", "twitter:image"), url),
    site_name: shorten(head.first("og:site_name"), siteNameLengthMax),
  };
}

/** Collects the title and the `<meta>` elements of a head. */
class HeadReader {
  title = "";
  isOver = false;
  #inTitle = false;
  readonly #contents = new Map<string, string>();

  onopentag(name: string, attributes: Record<string, string>): void {
    if (name === "body") this.isOver = true;
    if (this.isOver) return;
    if (name === "title") this.#inTitle = this.title === "";
    if (name !== "meta") return;
    const key = (attributes.property ?? attributes.name ?? "").toLowerCase();
    const content = attributes.content?.trim() ?? "";
    if (key !== "" && content !== "" && !this.#contents.has(key)) this.#contents.set(key, content);
  }

  ontext(text: string): void {
    // More than enough for a title; an endless one is not collected.
    if (this.#inTitle && !this.isOver && this.title.length < titleLengthMax * 4) this.title += text;
  }

  onclosetag(name: string): void {
    if (name === "title") this.#inTitle = false;
    if (name === "head") this.isOver = true;
  }

  first(...keys: readonly string[]): string | undefined {
    const key = keys.find((each) => this.#contents.has(each));
    return key === undefined ? undefined : this.#contents.get(key);
  }
}

/** The encoding that the answer's header names, else the page itself, else UTF-8. */
function encodingOf(contentType: string, bytes: Buffer): string {
  const start = bytes.subarray(0, encodingBytesMax).toString("latin1");
  for (const text of [contentType, ...(start.match(/<meta[^>]*>/gi) ?? [])]) {
    const [, label] = /charset\s*=\s*["']?([\w.:-]+)/i.exec(text) ?? [];
    if (label !== undefined && isEncoding(label)) return label;
  }
  return "utf-8";
}

function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== "";
  } catch {
    return false;
  }
}

/** One line, without what cannot be stored, at most so many code points; null when nothing is left. */
function shorten(text: string | undefined, lengthMax: number): string | null {
  const line = (text ?? "").toWellFormed().replaceAll("\u0000", "").replace(/\s+/g, " ").trim();
  return Array.from(line).slice(0, lengthMax).join("").trim() || null;
}

function absolute(address: string | undefined, base: URL): string | null {
  if (address === undefined || !URL.canParse(address, base.href)) return null;
  const { protocol, href } = new URL(address, base);
  return /^https?:$/.test(protocol) && href.length <= urlLengthMax ? href : null;
}
