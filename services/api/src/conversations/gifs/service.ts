import { errorTexts, type Gif, ServiceError } from "@parley/contracts";
import { Agent, type Dispatcher, request } from "undici";
import { z } from "zod";
import type { JsonBounds } from "../../platform/http/json-text.js";
import { exceededBound } from "../../platform/http/json-text.js";
import { FairQueue } from "../../platform/load/fair-queue.js";
import { readBytes, unreadBytesMax } from "../../platform/load/read-bytes.js";
import { searchQueue } from "./limits.js";

/** Bounds of an answer; 25 pictures in all the sizes of the provider are about 250 KB with 8,000 values. */
const answerBounds: JsonBounds = { levelsMax: 16, valuesMax: 20_000, namesMax: 2_000 };

/** Most bytes of the provider's answer. */
const answerBytesMax = 512 * 1024;

/** How long the provider may take. */
const searchTimeoutMs = 5_000;

/** Public error texts of the search of GIFs (docs/protocol/communities.md#18.3). */

const side = z.coerce.number().int().min(0);
const Picture = z.object({ url: z.string(), width: side, height: side });
const Found = z.object({
  title: z.string().default(""),
  images: z.object({ original: Picture, fixed_width: Picture.optional() }),
});
const ProviderAnswer = z.object({ data: z.array(z.unknown()) });

/**
 * Searches the provider's pictures.
 *
 * @param options.apiKey absent: the search answers 503
 */
export function createGifService({ apiKey, apiUrl }: { apiKey: string | undefined; apiUrl: string }) {
  const queue = new FairQueue(searchQueue);
  const agent = new Agent();

  const requireKey = (): string => {
    if (apiKey === undefined) throw new ServiceError("not_configured", errorTexts.gif_search_not_configured);
    return apiKey;
  };

  return {
    /** @throws ServiceError 503 without a key */
    requireKey,

    /** @throws ServiceError 503 without a key, and when the provider does not answer as it should */
    async search(userId: string, { q, limit }: { q: string; limit: number }): Promise<Gif[]> {
      const query = new URLSearchParams({ api_key: requireKey(), q, limit: String(limit), rating: "pg-13" });
      return queue.run(userId, async () => {
        try {
          const answer = await request(`${apiUrl.replace(/\/+$/, "")}/v1/gifs/search?${query}`, {
            dispatcher: agent,
            highWaterMark: unreadBytesMax,
            signal: AbortSignal.timeout(searchTimeoutMs),
          });
          if (answer.statusCode !== 200) {
            await answer.body.dump();
            throw new Error(`The provider of GIFs answered ${answer.statusCode}`);
          }
          const { data } = ProviderAnswer.parse(await readJson(answer.body));
          return data.slice(0, limit).flatMap(toGif);
        } catch (cause) {
          throw new ServiceError("unavailable", errorTexts.gif_search_unavailable, { cause });
        }
      });
    },
  };
}

async function readJson(body: Dispatcher.ResponseData["body"]): Promise<unknown> {
  const bytes = await readBytes(body, answerBytesMax);
  const text = bytes?.toString() ?? "";
  if (bytes === null || exceededBound(text, answerBounds) !== null) {
    throw new Error("The answer of the provider of GIFs exceeds its bounds");
  }
  return JSON.parse(text);
}

export type GifService = ReturnType<typeof createGifService>;

/** None for an entry of another form: the rest is still of use. */
function toGif(entry: unknown): Gif[] {
  const { data } = Found.safeParse(entry);
  if (data === undefined) return [];
  const { original, fixed_width: small = original } = data.images;
  return [
    { url: original.url, preview_url: small.url, title: data.title, width: original.width, height: original.height },
  ];
}
