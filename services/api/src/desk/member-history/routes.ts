import { errorTexts, HistoryEntry } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, none, ok, type Route, route } from "../../platform/http/route.js";
import { historyQuery, noteBody } from "./schema.js";
import type { MemberHistory } from "./service.js";

const params = z.object({ server_id: identifier, user_id: identifier });
const path = "/servers/:server_id/members/:user_id/moderation";
const not_found = [errorTexts.server_not_found];
const forbidden = [errorTexts.missing_permission];
const causes = none("a history has no event: it is read when it is looked at");

export function memberHistoryRoutes(history: MemberHistory): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "moderation.history",
        summary: "Read what was done about a user in a server, newest first",
        description: "Also of somebody who left; never one's own.",
        caller: "account",
        params,
        query: historyQuery,
        success: ok(z.array(HistoryEntry)),
        errors: { invalid_input: [errorTexts.before_invalid, errorTexts.limit_not_integer], not_found, forbidden },
      },
      ({ identity, params, query }) => history.list(identity.userId, params, query),
    ),
    route(
      {
        method: "post",
        path: `${path}/notes`,
        name: "moderation.addNote",
        summary: "Note something about a user for the other moderators",
        caller: "account",
        causes,
        params,
        body: noteBody,
        success: created(HistoryEntry),
        errors: {
          invalid_input: [errorTexts.note_text_length],
          not_found: [...not_found, errorTexts.user_not_found],
          forbidden,
        },
      },
      ({ identity, params, body }) => history.addNote(identity.userId, params, body.text),
    ),
    route(
      {
        method: "delete",
        path: `${path}/notes/:note_id`,
        name: "moderation.deleteNote",
        summary: "Delete a note",
        caller: "account",
        causes,
        params: params.extend({ note_id: identifier }),
        success: noContent(),
        errors: {
          not_found: [...not_found, errorTexts.note_not_found],
          forbidden: [...forbidden, errorTexts.note_author_only],
        },
      },
      ({ identity, params }) => history.deleteNote(identity.userId, params),
    ),
  ];
}
