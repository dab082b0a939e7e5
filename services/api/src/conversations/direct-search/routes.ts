import { errorTexts, SearchPage } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { directMatchesRankedMax, matchesCountedMax } from "../search/limits.js";
import { directSearchQuery } from "../search/schema.js";
import type { DirectSearch } from "./service.js";

export function directSearchRoutes(search: DirectSearch): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/dm-channels/:id/search",
        name: "directMessages.search",
        tag: "search",
        summary: "Search the direct messages of a channel",
        description:
          `Finds messages that contain all words of \`q\`. Of more than ${directMatchesRankedMax} matches the newest are ` +
          `ranked and paged; \`total\` is exact up to ${matchesCountedMax} and no greater. While too many searches wait: ` +
          "429 with Retry-After.",
        caller: "account",
        params: z.object({ id: identifier }),
        query: directSearchQuery,
        success: ok(SearchPage),
        errors: {
          invalid_input: [errorTexts.search_query_length, errorTexts.limit_range(100), errorTexts.before_invalid],
          not_found: [errorTexts.dm_channel_not_found],
        },
      },
      ({ identity, params, query }) => search.search(identity.userId, params.id, query),
    ),
  ];
}
