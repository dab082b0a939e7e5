import { errorTexts, Gif, text } from "@parley/contracts";
import { z } from "zod";
import { clampedLimit } from "../../platform/http/page-limit.js";
import { ok, parse, type Route, route } from "../../platform/http/route.js";
import type { GifService } from "./service.js";

/** Default and largest number of results (docs/protocol/communities.md#18.3). */
const resultsDefault = 15;
const resultsMax = 25;

const searchQuery = z.object({
  q: z
    .string(errorTexts.gif_query_length)
    .transform((value) => value.trim())
    .pipe(text({ min: 1, max: 50, message: errorTexts.gif_query_length })),
  limit: clampedLimit({ fallback: resultsDefault, max: resultsMax }),
});
/** Without a key the query does not matter. */
const described = z.object({
  q: z.string().optional().catch(undefined).meta({ description: "1–50 characters" }),
  limit: z.string().optional().catch(undefined).meta({ type: "integer", default: resultsDefault }),
});

export function gifRoutes(gifs: GifService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/giphy/search",
        name: "gifs.search",
        summary: "Search GIFs",
        caller: "account",
        query: described,
        success: ok(z.array(Gif)),
        errors: {
          invalid_input: [errorTexts.gif_query_length, errorTexts.limit_not_integer],
          not_configured: [errorTexts.gif_search_not_configured],
          unavailable: [errorTexts.gif_search_unavailable],
        },
      },
      async ({ identity, query }) => {
        gifs.requireKey();
        return gifs.search(identity.userId, parse<typeof searchQuery>(searchQuery, query));
      },
    ),
  ];
}
