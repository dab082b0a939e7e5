import { ListedEvent } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { findViewableChannels } from "../../access/repository.js";
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
        may: inServer(),
        success: ok(z.array(ListedEvent)),
      },
      async ({ may }) => {
        const { serverId, userId } = await may.access();
        const channels = await findViewableChannels(database, serverId, userId);
        const ids = channels.map((channel) => channel.id);
        return findComing(database, ids, userId);
      },
    ),
  ];
}
