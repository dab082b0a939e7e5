import { ListedEvent, Message } from "@parley/contracts";
import { z } from "zod";
import { accessErrors } from "../access/error-texts.js";
import { identifier } from "../http/input.js";
import { created, ok, type Route, route } from "../http/route.js";
import { sendForbidden } from "../messages/error-texts.js";
import type { SendMessage } from "../messages/send.js";
import { eventErrors } from "./error-texts.js";
import { createEventBody } from "./schema.js";
import type { ScheduledEventService } from "./service.js";

export function scheduledEventRoutes(events: ScheduledEventService, send: SendMessage): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/channels/:channel_id/events",
        tag: "scheduled events",
        summary: "Send a message with a scheduled event",
        caller: "account",
        params: z.object({ channel_id: identifier }),
        body: createEventBody,
        success: created(Message),
        errors: {
          invalid_input: [eventErrors.name, eventErrors.description, eventErrors.startsAt],
          not_found: [accessErrors.channelNotFound],
          forbidden: sendForbidden,
        },
      },
      async ({ identity, params, body }) => {
        const { message } = await send({
          authorId: identity.userId,
          channelId: params.channel_id,
          content: `📅 ${body.name}`,
          event: body,
        });
        return message;
      },
    ),
    route(
      {
        method: "get",
        path: "/servers/:id/events",
        tag: "scheduled events",
        summary: "List a server's coming events, the soonest first",
        caller: "account",
        params: z.object({ id: identifier }),
        success: ok(z.array(ListedEvent)),
        errors: { not_found: [accessErrors.serverNotFound] },
      },
      ({ identity, params }) => events.list(identity.userId, params.id),
    ),
  ];
}
