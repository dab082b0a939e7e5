import { errorTexts, invalidInput } from "@parley/contracts";
import { createPublicConnector, type NameResolver, RefusedAddressError } from "@parley/egress";
import { Agent, type Dispatcher, request } from "undici";
import { readBytes, unreadBytesMax } from "../../platform/load/read-bytes.js";

/** Most bytes of an answer's headers. */
const pageHeadersBytesMax = 16 * 1024;

/** How long dialling one address may take. */
const pageConnectTimeoutMs = 4_000;
const redirectsMax = 5;

/** From the first lookup to the last byte, all redirects included. */
const pageTimeoutMs = 8_000;

/** The kind of file to fetch, and the words in which the 400 says that it is too large. */
export interface FetchLimits {
  accept: string;
  type: RegExp;
  bytesMax: number;
  tooLarge: string;
}

/** Pages of HTML (docs/protocol/communities.md#18.3). */
export const pages: FetchLimits = {
  accept: "text/html, application/xhtml+xml",
  type: /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i,
  bytesMax: 1024 * 1024,
  tooLarge: errorTexts.preview_too_large,
};

/** A page or a picture as it came. */
export interface FetchedPage {
  /** Its own address, after redirects. */
  url: URL;
  contentType: string;
  bytes: Buffer;
}

/**
 * Fetches a page or a picture of a stranger, until the signal aborts.
 *
 * @throws ServiceError 400 for an address that may not be dialled, for an answer that is too large, of another type, no
 * success, or too slow, for too many redirects, and when the signal aborts
 */
export type FetchPublic = (url: URL, signal: AbortSignal) => Promise<FetchedPage>;

const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * @param options.allows whether an address may be dialled; called for every address of every redirect
 * @param options.names looks up the hosts; all who fetch in this process share one
 */
export function createFetchPublic(options: {
  allows: (address: string) => boolean;
  names: NameResolver;
  wanted: FetchLimits;
}): FetchPublic {
  const { allows, names, wanted } = options;
  const connect = createPublicConnector({ allows, timeoutMs: pageConnectTimeoutMs, lookup: names.lookup });
  return async (url, signal) => {
    // One agent for each page: connections that a server leaves open end with it.
    const dispatcher = new Agent({ connect, pipelining: 1, maxHeaderSize: pageHeadersBytesMax });
    try {
      const inTime = AbortSignal.timeout(pageTimeoutMs);
      return await follow(url, wanted, { dispatcher, signal: AbortSignal.any([signal, inTime]) });
    } catch (error) {
      if (error instanceof RefusedAddressError) throw invalidInput(errorTexts.preview_address_refused);
      if (error instanceof PageError) throw invalidInput(error.message);
      throw invalidInput(errorTexts.preview_failed);
    } finally {
      await dispatcher.destroy();
    }
  };
}

/** Why a page has no preview, in the words of the 400. */
class PageError extends Error {
  override readonly name = "PageError";
}

async function follow(
  start: URL,
  { accept, type, bytesMax, tooLarge }: FetchLimits,
  options: { dispatcher: Dispatcher; signal: AbortSignal },
): Promise<FetchedPage> {
  let url = start;
  for (let hops = 0; hops <= redirectsMax; hops += 1) {
    const { origin, pathname, search } = url;
    const { statusCode, headers, body } = await request(`${origin}${pathname}${search}`, {
      ...options,
      highWaterMark: unreadBytesMax,
      headers: {
        accept,
        "accept-encoding": "identity",
        "user-agent": "Parley-LinkPreview/1.0 (bot)",
      },
    });
    const [contentType, location] = [first(headers["content-type"]), first(headers.location)];
    if (redirects.has(statusCode) && location !== undefined) {
      body.on("error", () => undefined).destroy();
      url = new URL(location, url);
      if (!/^https?:$/.test(url.protocol)) break;
      continue;
    }
    const isPlain = /^(?:identity)?$/i.test(first(headers["content-encoding"]) ?? "");
    if (statusCode < 200 || statusCode > 299 || !isPlain || !type.test(contentType ?? "")) break;
    if (Number(first(headers["content-length"])) > bytesMax) throw new PageError(tooLarge);
    const bytes = await readBytes(body, bytesMax);
    if (bytes === null) throw new PageError(tooLarge);
    return { url, contentType: contentType ?? "", bytes };
  }
  throw new PageError(errorTexts.preview_failed);
}

function first(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : header?.[0];
}
