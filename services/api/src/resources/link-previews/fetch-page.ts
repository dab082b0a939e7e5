import { lookup } from "node:dns";
import { errorTexts, invalidInput } from "@parley/contracts";
import { createPublicConnector, type Lookup, RefusedAddressError } from "@parley/egress";
import { Semaphore } from "@parley/service-runtime";
import { Agent, type Dispatcher, request } from "undici";
import { readBytes, unreadBytesMax } from "../../load/read-bytes.js";

/** Lookups of names at a time: each occupies one of the process's four threads for as long as a name server hangs. */
const lookupsMax = 2;

/** Most bytes of an answer's headers. */
const pageHeadersBytesMax = 16 * 1024;

/** How long dialling one address may take. */
const pageConnectTimeoutMs = 4_000;
const redirectsMax = 5;

/** From the first lookup to the last byte, all redirects included. */
const pageTimeoutMs = 8_000;

/** Most bytes of a page (docs/interface.md#18.3). */
const pageBytesMax = 1024 * 1024;

/** A page of HTML as it came. */
export interface FetchedPage {
  /** Its own address, after redirects. */
  url: URL;
  contentType: string;
  bytes: Buffer;
}

/**
 * Fetches a page, until the signal aborts.
 *
 * @throws ServiceError 400 for an address that may not be dialled, for what is too large, no HTML, no success, or too
 * slow, for too many redirects, and when the signal aborts
 */
export type FetchPage = (url: URL, signal: AbortSignal) => Promise<FetchedPage>;

const redirects = new Set([301, 302, 303, 307, 308]);
const html = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

/** @param options.allows whether an address may be dialled; called for every address of every redirect */
export function createFetchPage({ allows }: { allows: (address: string) => boolean }): FetchPage {
  const connect = createPublicConnector({ allows, timeoutMs: pageConnectTimeoutMs, lookup: createLookup() });
  return async (url, signal) => {
    // One agent for each page: whatever a server leaves open ends with it.
    const dispatcher = new Agent({ connect, pipelining: 1, maxHeaderSize: pageHeadersBytesMax });
    try {
      const inTime = AbortSignal.timeout(pageTimeoutMs);
      return await follow(url, { dispatcher, signal: AbortSignal.any([signal, inTime]) });
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

async function follow(start: URL, options: { dispatcher: Dispatcher; signal: AbortSignal }): Promise<FetchedPage> {
  let url = start;
  for (let hops = 0; hops <= redirectsMax; hops += 1) {
    const { origin, pathname, search } = url;
    const { statusCode, headers, body } = await request(`${origin}${pathname}${search}`, {
      ...options,
      highWaterMark: unreadBytesMax,
      headers: {
        accept: "text/html, application/xhtml+xml",
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
    if (statusCode < 200 || statusCode > 299 || !isPlain || !html.test(contentType ?? "")) break;
    if (Number(first(headers["content-length"])) > pageBytesMax) throw new PageError(errorTexts.preview_too_large);
    const bytes = await readBytes(body, pageBytesMax);
    if (bytes === null) throw new PageError(errorTexts.preview_too_large);
    return { url, contentType: contentType ?? "", bytes };
  }
  throw new PageError(errorTexts.preview_failed);
}

function first(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? header : header?.[0];
}

/** The system's lookup, few at a time. */
function createLookup(): Lookup {
  const slots = new Semaphore(lookupsMax);
  return (hostname, options, callback) => {
    void slots.acquire().then((leave) => {
      lookup(hostname, options, (error, addresses) => {
        leave();
        callback(error, addresses);
      });
    });
  };
}
