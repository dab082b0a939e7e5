import { errorTexts } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { z } from "zod";
import { requireChannel } from "../../access/channel-access.js";
import { identifier } from "../../http/input.js";
import { noContent, type Route, route } from "../../http/route.js";
import { markRead } from "./repository.js";

export function readStateRoutes(database: Database): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/channels/:channel_id/ack",
        name: "channels.markRead",
        tag: "read state",
        summary: "Mark a channel as read",
        caller: "account",
        causes: ["READ_STATE_UPDATE"],
        params: z.object({ channel_id: identifier }),
        success: noContent(),
        errors: { not_found: [errorTexts.channel_not_found], forbidden: [errorTexts.view_channel_required] },
      },
      async ({ identity: { userId }, params: { channel_id } }) => {
        await requireChannel(database, channel_id, userId);
        await markRead(database, channel_id, userId);
      },
    ),
  ];
}
