import { errorTexts, SearchPage } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { matchesCountedMax, matchesRankedMax } from "./limits.js";
import { searchQuery } from "./schema.js";
import type { SearchService } from "./service.js";

export function searchRoutes(search: SearchService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:server_id/search",
        name: "messages.search",
        tag: "search",
        summary: "Search a server's messages",
        description:
          "Finds messages that contain all words of `q`, in the channels that the caller may view. Of more than " +
          `${matchesRankedMax} matches the newest are ranked and paged; \`total\` is exact up to ${matchesCountedMax} and no ` +
          "greater. While too many searches wait: 429 with Retry-After.",
        caller: "account",
        params: z.object({ server_id: identifier }),
        query: searchQuery,
        success: ok(SearchPage),
        errors: {
          invalid_input: [
            errorTexts.search_query_length,
            errorTexts.limit_range(100),
            errorTexts.channel_id_invalid,
            errorTexts.before_invalid,
          ],
          not_found: [errorTexts.server_not_found],
        },
      },
      ({ identity, params, query }) => search.search(identity.userId, params.server_id, query),
    ),
  ];
}
