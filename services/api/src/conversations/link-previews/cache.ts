import { createHash } from "node:crypto";
import { defineScript, type RedisConnection } from "@parley/redis";
import { z } from "zod";
import { PageMetadata } from "./page-metadata.js";

/** Previews kept; those that end first are dropped for new ones. */
const cachedPreviewsMax = 10_000;

/** … and how long it is that a page could not be previewed. */
const failureTtlMs = 60_000;

/** How long a preview is kept … */
const previewTtlMs = 24 * 3_600_000;

/** The result for a page: its metadata, or the text of the 400 for it. */
const CachedPreview = z.union([
  z.object({ metadata: PageMetadata, expires_at: z.number() }),
  z.object({ error: z.string(), expires_at: z.number() }),
]);

/** The result of reading a page. */
export type PreviewResult = { metadata: PageMetadata } | { error: string };

const values = "{link-previews}";
const ends = "{link-previews}:ends";

/** Drops expired entries, and then those that expire first; a few at a time, because each call adds one. */
const putScript = defineScript({
  name: "link_preview_put",
  keyCount: 2,
  lua: `
local field, value, now, ends, max, ttl = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6]
redis.call('HSET', KEYS[1], field, value)
redis.call('ZADD', KEYS[2], ends, field)
for _ = 1, 10 do
  local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
  if tonumber(first[2]) > now and redis.call('ZCARD', KEYS[2]) <= max then break end
  redis.call('ZREM', KEYS[2], first[1])
  redis.call('HDEL', KEYS[1], first[1])
end
redis.call('PEXPIRE', KEYS[1], ttl)
redis.call('PEXPIRE', KEYS[2], ttl)`,
  reply: () => undefined,
});

/**
 * Previews shared by all processes, bounded in number. Without Redis nothing is found and nothing is kept.
 */
export function createPreviewCache({ redis }: { redis: RedisConnection }) {
  return {
    async get(url: URL): Promise<PreviewResult | null> {
      const text = await redis.client.hget(values, fieldOf(url)).catch(() => null);
      if (text === null) return null;
      const found = CachedPreview.safeParse(JSON.parse(text)).data;
      return found !== undefined && found.expires_at > Date.now() ? found : null;
    },

    async put(url: URL, finding: PreviewResult): Promise<void> {
      const now = Date.now();
      const expires_at = now + ("error" in finding ? failureTtlMs : previewTtlMs);
      const value = JSON.stringify({ ...finding, expires_at });
      const settings = [now, expires_at, cachedPreviewsMax, previewTtlMs];
      await redis.run(putScript, [values, ends], [fieldOf(url), value, ...settings]).catch(() => undefined);
    },
  };
}

/** The fragment is the reader's own business: the same page answers. */
function fieldOf({ origin, pathname, search }: URL): string {
  return createHash("sha256").update(`${origin}${pathname}${search}`).digest("base64url");
}
