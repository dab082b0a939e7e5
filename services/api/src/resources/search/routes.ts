import { SearchPage } from "@parley/contracts";
import { z } from "zod";
import { accessErrors } from "../../access/error-texts.js";
import { identifier } from "../../http/input.js";
import { ok, type Route, route } from "../../http/route.js";
import { searchErrors } from "./error-texts.js";
import { matchesCountedMax, matchesRankedMax } from "./limits.js";
import { searchQuery } from "./schema.js";
import type { SearchService } from "./service.js";

export function searchRoutes(search: SearchService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:server_id/search",
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
            "Query must be 2-200 characters",
            "Limit must be 1-100",
            searchErrors.channelId,
            searchErrors.before,
          ],
          not_found: [accessErrors.serverNotFound],
        },
      },
      ({ identity, params, query }) => search.search(identity.userId, params.server_id, query),
    ),
  ];
}
