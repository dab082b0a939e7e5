import { errorTexts, ListedEvent } from "@parley/contracts";
import { z } from "zod";
import { writingErrors } from "../../access/safety.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import { updateEventBody } from "../scheduled-events/schema.js";
import { type EventChanges, mayChangeEvent } from "./service.js";

const params = z.object({ event_id: identifier });
const path = "/events/:event_id";

export function eventChangeRoutes(events: EventChanges): Route[] {
  return [
    route(
      {
        method: "patch",
        path,
        name: "scheduledEvents.edit",
        summary: "Edit a scheduled event",
        caller: "account",
        causes: ["MESSAGE_UPDATE", "EVENT_UPDATE"],
        params,
        may: mayChangeEvent(errorTexts.cannot_edit_event),
        body: updateEventBody,
        success: ok(ListedEvent),
        errors: {
          invalid_input: [
            errorTexts.event_name_length,
            errorTexts.event_description_length,
            errorTexts.event_starts_at_invalid,
          ],
          forbidden: [
            errorTexts.timed_out,
            ...writingErrors,
            errorTexts.word_filtered,
            errorTexts.message_blocked_by_rule,
          ],
        },
      },
      ({ may, params, body }) => events.edit(may, params.event_id, body),
    ),
    route(
      {
        method: "delete",
        path,
        name: "scheduledEvents.delete",
        summary: "Delete a scheduled event with its message",
        caller: "account",
        causes: ["MESSAGE_DELETE", "EVENT_DELETE"],
        params,
        may: mayChangeEvent(errorTexts.cannot_delete_event),
        success: noContent(),
      },
      ({ may }) => events.delete(may),
    ),
  ];
}
