import { errorTexts, invalidInput, type LinkPreview, ServiceError } from "@parley/contracts";
import { createAddressTest, type NameResolver } from "@parley/egress";
import type { RedisConnection } from "@parley/redis";
import type { Config } from "../../config.js";
import { BackgroundQueue } from "../../platform/load/background-queue.js";
import { FairQueue } from "../../platform/load/fair-queue.js";
import { createPreviewCache, type PreviewResult } from "./cache.js";
import { createFetchPublic, pages } from "./fetch-public.js";
import { pageQueue } from "./limits.js";
import { readMetadata } from "./read-metadata.js";
import { SharedFetch } from "./shared-fetch.js";

/** How long a page may wait for its pieces to be parsed, from its last byte on. */
const parsingTimeoutMs = 8_000;

/** @param options.allowedNetworks non-public networks whose pages may be previewed all the same */
export function createLinkPreviewService(options: {
  redis: RedisConnection;
  names: NameResolver;
  allowedNetworks: Config["LINK_PREVIEW_ALLOWED_NETWORKS"];
}) {
  const { redis, names, allowedNetworks } = options;
  const fetchPage = createFetchPublic({
    allows: createAddressTest({ allowPrivate: false, allowedNetworks }),
    names,
    wanted: pages,
  });
  const cache = createPreviewCache({ redis });
  const queue = new FairQueue(pageQueue);
  /** Parses all pages, because requests are more urgent. */
  const parsing = new BackgroundQueue();
  /** A message with a link makes all its readers ask at the same moment: the page is fetched once. */
  const underWay = new Map<string, { fetch: SharedFetch<PreviewResult>; finding: Promise<PreviewResult> }>();

  const inspect = async (url: URL, abandoned: AbortSignal): Promise<PreviewResult> => {
    try {
      const page = await fetchPage(url, abandoned);
      const signal = AbortSignal.any([abandoned, AbortSignal.timeout(parsingTimeoutMs)]);
      return { metadata: await readMetadata(page, { queue: parsing, signal }) };
    } catch (error) {
      // Then the failure is none of the page.
      abandoned.throwIfAborted();
      if (error instanceof ServiceError && error.kind === "invalid_input") return { error: error.message };
      if (error instanceof DOMException && error.name === "TimeoutError") return { error: errorTexts.preview_failed };
      throw error;
    }
  };

  const begin = (url: URL) => {
    const fetch = new SharedFetch(queue, (abandoned) => inspect(url, abandoned));
    const keep = async (found: PreviewResult) => {
      await cache.put(url, found);
      return found;
    };
    const finding = fetch.result.then(keep).finally(() => {
      if (underWay.get(url.href) === page) underWay.delete(url.href);
    });
    const page = { fetch, finding };
    underWay.set(url.href, page);
    return page;
  };

  const find = async (userId: string, url: URL, left: AbortSignal): Promise<PreviewResult> => {
    const known = await cache.get(url);
    if (known !== null) return known;
    left.throwIfAborted();
    const other = underWay.get(url.href);
    const page = other === undefined || other.fetch.isAbandoned ? begin(url) : other;
    page.fetch.join(userId, left);
    return page.finding;
  };

  return {
    /**
     * @param left aborts when the caller does not wait for the preview any more; the promise may then reject with its
     * reason
     * @throws ServiceError 400 when the page has no preview, 429 when too many wait for theirs
     */
    async preview(userId: string, asked: string, left: AbortSignal): Promise<LinkPreview> {
      const url = new URL(asked);
      url.hash = "";
      const found = await find(userId, url, left);
      if ("error" in found) throw invalidInput(found.error);
      return { url: asked, ...found.metadata };
    },
  };
}

export type LinkPreviewService = ReturnType<typeof createLinkPreviewService>;
