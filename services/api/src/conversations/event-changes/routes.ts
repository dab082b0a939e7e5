import { errorTexts, ListedEvent, Message } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { writingErrors } from "../../access/safety.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { sendForbidden, sendLimited } from "../messages/schema.js";
import type { MaySend } from "../messages/send-routes.js";
import { createEventBody, eventContent, eventErrors, updateEventBody } from "../scheduled-events/schema.js";
import { requireVoiceOfEvent } from "../scheduled-events/voice.js";
import { type EventChanges, mayChangeEvent } from "./service.js";

const params = z.object({ event_id: identifier });
const path = "/events/:event_id";

export function eventChangeRoutes(events: EventChanges, database: Database, maySend: MaySend): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/channels/:channel_id/events",
        name: "scheduledEvents.send",
        summary: "Send a message with a scheduled event",
        caller: "account",
        causes: ["MESSAGE_CREATE"],
        params: z.object({ channel_id: identifier }),
        may: maySend,
        body: createEventBody,
        success: created(Message),
        errors: { invalid_input: eventErrors, forbidden: sendForbidden, rate_limited: sendLimited },
      },
      async ({ may, body, params: { channel_id: channelId }, identity: { userId } }) => {
        const { voice_channel_id: voiceChannelId } = body;
        if (voiceChannelId != null) {
          await may.check();
          await requireVoiceOfEvent(database, { voiceChannelId, channelId, userId });
        }
        return (await may.send({ content: eventContent(body.name), event: body })).message;
      },
    ),
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
          invalid_input: eventErrors,
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
