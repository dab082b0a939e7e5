import { errorTexts, ListedEvent } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { findViewableChannels } from "../../access/repository.js";
import { requireMember } from "../../access/server-access.js";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { findComing } from "./repository.js";

export function scheduledEventRoutes(database: Database): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/servers/:id/events",
        name: "scheduledEvents.list",
        summary: "List a server's coming events, the soonest first",
        caller: "account",
        params: z.object({ id: identifier }),
        success: ok(z.array(ListedEvent)),
        errors: { not_found: [errorTexts.server_not_found] },
      },
      async ({ identity: { userId }, params: { id } }) => {
        await requireMember(database, id, userId);
        const channels = await findViewableChannels(database, id, userId);
        const ids = channels.map((channel) => channel.id);
        return findComing(database, ids);
      },
    ),
  ];
}
