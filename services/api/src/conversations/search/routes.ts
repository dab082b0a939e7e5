import { errorTexts, SearchPage } from "@parley/contracts";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { mayReadDirect } from "../direct-messages/kind.js";
import { directMatchesRankedMax, matchesCountedMax, matchesRankedMax } from "./limits.js";
import { directSearchQuery, searchQuery } from "./schema.js";
import type { SearchService } from "./service.js";

const finds = (where: string, rankedMax: number) =>
  `Finds messages that contain all words of \`q\`${where}. Of more than ${rankedMax} matches the newest are ranked and ` +
  `paged; \`total\` is exact up to ${matchesCountedMax} and no greater. While too many searches wait: 429 with Retry-After.`;

export function searchRoutes(search: SearchService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:server_id/search",
        name: "messages.search",
        tag: "search",
        summary: "Search a server's messages",
        description: finds(", in the channels that the caller may view", matchesRankedMax),
        caller: "account",
        params: z.object({ server_id: identifier }),
        may: inServer(),
        query: searchQuery,
        success: ok(SearchPage),
        errors: {
          invalid_input: [
            errorTexts.search_query_length,
            errorTexts.limit_range(100),
            errorTexts.channel_id_invalid,
            errorTexts.before_invalid,
          ],
        },
      },
      async ({ may, query }) => search.search(await may.access(), query),
    ),
    route(
      {
        method: "get",
        path: "/dm-channels/:id/search",
        name: "directMessages.search",
        tag: "search",
        summary: "Search the direct messages of a channel",
        description: finds("", directMatchesRankedMax),
        caller: "account",
        params: z.object({ id: identifier }),
        may: mayReadDirect,
        query: directSearchQuery,
        success: ok(SearchPage),
        errors: {
          invalid_input: [errorTexts.search_query_length, errorTexts.limit_range(100), errorTexts.before_invalid],
        },
      },
      async ({ may, query }) => search.searchDirect(await may.access(), query),
    ),
  ];
}
