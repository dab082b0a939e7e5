import { errorTexts, PlannedMessage, ScheduledMessage, ScheduledMessageList } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route, type Success } from "../../platform/http/route.js";
import { updatePlannedBody } from "./schema.js";
import type { PlannedMessages } from "./service.js";

/** The answer to a message with a time. */
export const planned: Success = {
  status: 202,
  description: "It is sent at its time; the same nonce gives the same plan",
  schema: PlannedMessage,
};

const path = "/users/@me/scheduled-messages";
const params = z.object({ id: identifier });
const errors = { not_found: [errorTexts.scheduled_message_not_found] };

export function plannedRoutes(messages: PlannedMessages): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "scheduledMessages.list",
        summary: "List the messages that one has planned, the next one first",
        caller: "account",
        success: ok(ScheduledMessageList),
      },
      ({ identity }) => messages.list(identity.userId),
    ),
    route(
      {
        method: "patch",
        path: `${path}/:id`,
        name: "scheduledMessages.update",
        summary: "Change text or time of a planned message",
        description: "One that was refused waits again; one that is being sent at the moment is not found.",
        caller: "account",
        causes: ["SCHEDULED_MESSAGE_UPDATE"],
        params,
        body: updatePlannedBody,
        success: ok(ScheduledMessage),
        errors: { ...errors, invalid_input: [errorTexts.message_content_length, errorTexts.send_at_range] },
      },
      ({ identity, params, body }) => messages.change(identity.userId, params.id, body),
    ),
    route(
      {
        method: "delete",
        path: `${path}/:id`,
        name: "scheduledMessages.delete",
        summary: "Delete a planned message",
        caller: "account",
        causes: ["SCHEDULED_MESSAGE_UPDATE"],
        params,
        success: noContent("Deleted"),
        errors,
      },
      ({ identity, params }) => messages.delete(identity.userId, params.id),
    ),
  ];
}
