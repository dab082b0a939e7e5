import { errorTexts, ListedEvent } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../http/input.js";
import { ok, type Route, route } from "../../http/route.js";
import type { ScheduledEventService } from "./service.js";

export function scheduledEventRoutes(events: ScheduledEventService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:id/events",
        tag: "scheduled events",
        summary: "List a server's coming events, the soonest first",
        caller: "account",
        params: z.object({ id: identifier }),
        success: ok(z.array(ListedEvent)),
        errors: { not_found: [errorTexts.server_not_found] },
      },
      ({ identity, params }) => events.list(identity.userId, params.id),
    ),
  ];
}
