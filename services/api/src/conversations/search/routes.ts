import { errorTexts, FoundPage, SearchPage } from "@parley/contracts";
import type { Request } from "express";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { mayReadDirect } from "../direct-messages/kind.js";
import type { SearchEverywhere } from "./everywhere.js";
import { directMatchesRankedMax, foundCountedMax, matchesCountedMax, matchesRankedMax } from "./limits.js";
import { authorTypes, directSearchQuery, everywhereQuery, searchQuery } from "./schema.js";
import type { SearchService } from "./service.js";

const finds = (where: string, rankedMax: number) =>
  `Finds messages that contain all words of \`q\` and pass its filters${where}. Of more than ${rankedMax} matches the newest are ranked and ` +
  `paged; \`total\` is exact up to ${matchesCountedMax} and no greater. While too many searches wait: 429 with Retry-After.`;

/** Errors of filters in and beside a query. */
const filterErrors = [errorTexts.invalid_identifier, errorTexts.nothing_called("x"), errorTexts.not_a_date("x")];

export function searchRoutes(search: SearchService, everywhere: SearchEverywhere): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/search",
        name: "search.find",
        summary: "Search everything that one may read",
        description:
          "Finds messages of servers, threads, direct messages and groups that have all words of `q` and pass the filters in it " +
          `and beside it. \`total\` is exact up to ${foundCountedMax} and no greater; \`relevant\` sorts the newest ${foundCountedMax}. ` +
          "While too many searches wait: 429 with Retry-After.",
        caller: "account",
        query: everywhereQuery,
        success: ok(FoundPage),
        errors: {
          invalid_input: [
            errorTexts.search_text_length,
            errorTexts.search_sort_invalid,
            errorTexts.search_offset_range,
            errorTexts.search_list_invalid(authorTypes.join(", ")),
            errorTexts.limit_range(100),
            errorTexts.before_invalid,
            ...filterErrors,
          ],
        },
      },
      ({ identity, query, request }) => everywhere(identity.userId, query, languageOf(request)),
    ),
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
            ...filterErrors,
          ],
        },
      },
      async ({ may, query, request }) => search.search(await may.access(), query, languageOf(request)),
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
          invalid_input: [
            errorTexts.search_query_length,
            errorTexts.limit_range(100),
            errorTexts.before_invalid,
            ...filterErrors,
          ],
        },
      },
      async ({ may, query, request }) => search.searchDirect(await may.access(), query, languageOf(request)),
    ),
  ];
}

/** The language that a request asks for first: the web application sends the one of its settings. */
function languageOf({ headers }: Request): string {
  return /^\s*([a-z]{2})\b/i.exec(headers["accept-language"] ?? "")?.[1]?.toLowerCase() ?? "en";
}
