import { urlLengthMax } from "@parley/contracts";
import type { BackgroundQueue } from "../../platform/load/background-queue.js";
import type { FetchedPage } from "./fetch-public.js";
import { descriptionLengthMax, siteNameLengthMax, titleLengthMax } from "./limits.js";
import { PageHead } from "./page-head.js";
import type { PageMetadata } from "./page-metadata.js";

/** How long all pieces of a page may take; the largest pages of tags only take a tenth of it. */
export const parsingMsMax = 500;

/** Bytes of HTML that are parsed before others have their turn: of a page of tags only, about a millisecond. */
export const parsedAtOnceBytes = 16 * 1024;

/** Bytes of a page in which the api looks for its encoding, as browsers do. */
const encodingBytesMax = 1_024;

/** Names of the `<meta>` elements that each text is taken from, the best first. */
const sources = {
  title: ["og:title", "twitter:title"],
  description: ["og:description", "twitter:description", "description"],
  image: ["og:image:secure_url", "og:image", "og:image:url", "twitter:image"],
  site_name: ["og:site_name"],
} as const;

interface ReadingOptions {
  readonly queue: BackgroundQueue;
  readonly signal: AbortSignal;
  /** Milliseconds of a clock that measures the work. */
  readonly now?: () => number;
}

/**
 * Reads the metadata in the head of a page: Open Graph first, then Twitter cards, then HTML's own elements. It parses a
 * page in pieces, and stops after {@link parsingMsMax} of work.
 *
 * @param options.queue runs the pieces
 * @param options.signal ends the parsing: the promise then rejects with its reason
 */
export async function readMetadata(
  { url, contentType, bytes }: FetchedPage,
  { queue, signal, now = () => performance.now() }: ReadingOptions,
): Promise<PageMetadata> {
  const head = new PageHead(Object.values(sources).flat());
  const decoder = new TextDecoder(encodingOf(contentType, bytes));
  let tookMs = 0;
  for (let at = 0; at < bytes.length && !head.isOver && tookMs < parsingMsMax; at += parsedAtOnceBytes) {
    const piece = bytes.subarray(at, at + parsedAtOnceBytes);
    tookMs += await queue.run(() => timeOf(() => head.write(decoder.decode(piece, { stream: true })), now), signal);
  }
  return {
    title: shorten(head.first(...sources.title) ?? head.title, titleLengthMax),
    description: shorten(head.first(...sources.description), descriptionLengthMax),
    image: absolute(head.first(...sources.image), url),
    site_name: shorten(head.first(...sources.site_name), siteNameLengthMax),
  };
}

function timeOf(work: () => void, now: () => number): number {
  const startedAt = now();
  work();
  return now() - startedAt;
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

/** One line, without characters that cannot be stored, at most so many code points; null when nothing is left. */
function shorten(text: string | undefined, lengthMax: number): string | null {
  const line = (text ?? "").toWellFormed().replaceAll("\u0000", "").replace(/\s+/g, " ").trim();
  return Array.from(line).slice(0, lengthMax).join("").trim() || null;
}

function absolute(address: string | undefined, base: URL): string | null {
  if (address === undefined || !URL.canParse(address, base.href)) return null;
  const { protocol, href } = new URL(address, base);
  return /^https?:$/.test(protocol) && href.length <= urlLengthMax ? href : null;
}
