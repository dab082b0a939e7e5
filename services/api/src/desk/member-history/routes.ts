import { errorTexts, HistoryEntry } from "@parley/contracts";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, none, ok, type Route, route } from "../../platform/http/route.js";
import { historyQuery, noteBody } from "./schema.js";
import { anotherMember, type MemberHistory, moderate } from "./service.js";

const params = z.object({ server_id: identifier, user_id: identifier });
const path = "/servers/:server_id/members/:user_id/moderation";
const may = inServer(moderate, anotherMember);
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
        may,
        query: historyQuery,
        success: ok(z.array(HistoryEntry)),
        errors: { invalid_input: [errorTexts.before_invalid, errorTexts.limit_not_integer] },
      },
      async ({ may, params, query }) => {
        await may.access();
        return history.list(params, query);
      },
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
        may,
        body: noteBody,
        success: created(HistoryEntry),
        errors: {
          invalid_input: [errorTexts.note_text_length],
          not_found: [errorTexts.user_not_found],
        },
      },
      async ({ may, params, body }) => history.addNote((await may.access()).userId, params, body.text),
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
        may,
        success: noContent(),
        errors: {
          not_found: [errorTexts.note_not_found],
          forbidden: [errorTexts.note_author_only],
        },
      },
      async ({ may, params }) => history.deleteNote(await may.access(), params),
    ),
  ];
}
