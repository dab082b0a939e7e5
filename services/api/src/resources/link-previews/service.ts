import { invalidInput, type LinkPreview, ServiceError } from "@parley/contracts";
import type { RedisConnection } from "@parley/redis";
import { BackgroundQueue } from "../../load/background-queue.js";
import { FairQueue } from "../../load/fair-queue.js";
import { createPreviewCache, type Finding } from "./cache.js";
import type { FetchPage } from "./fetch-page.js";
import { pageQueue } from "./limits.js";
import { readMetadata } from "./read-metadata.js";
import { SharedFetch } from "./shared-fetch.js";

export function createLinkPreviewService({ redis, fetchPage }: { redis: RedisConnection; fetchPage: FetchPage }) {
  const cache = createPreviewCache({ redis });
  const queue = new FairQueue(pageQueue);
  /** Parses all pages, because requests are more urgent. */
  const parsing = new BackgroundQueue();
  /** A message with a link makes all its readers ask at the same moment: the page is fetched once. */
  const underWay = new Map<string, { join(userId: string): void; finding: Promise<Finding> }>();

  const inspect = async (url: URL): Promise<Finding> => {
    try {
      return { metadata: await readMetadata(await fetchPage(url), parsing) };
    } catch (error) {
      if (error instanceof ServiceError && error.code === "invalid_input") return { error: error.message };
      throw error;
    }
  };

  const begin = (url: URL) => {
    const fetch = new SharedFetch(queue, () => inspect(url));
    const keep = async (found: Finding) => {
      await cache.put(url, found);
      return found;
    };
    const finding = fetch.result.then(keep).finally(() => underWay.delete(url.href));
    const page = { join: (userId: string) => fetch.join(userId), finding };
    underWay.set(url.href, page);
    return page;
  };

  const find = async (userId: string, url: URL): Promise<Finding> => {
    const known = await cache.get(url);
    if (known !== null) return known;
    const page = underWay.get(url.href) ?? begin(url);
    page.join(userId);
    return page.finding;
  };

  return {
    /** @throws ServiceError 400 when the page has no preview, 429 when too many wait for theirs */
    async preview(userId: string, asked: string): Promise<LinkPreview> {
      const url = new URL(asked);
      url.hash = "";
      const found = await find(userId, url);
      if ("error" in found) throw invalidInput(found.error);
      return { url: asked, ...found.metadata };
    },
  };
}

export type LinkPreviewService = ReturnType<typeof createLinkPreviewService>;
