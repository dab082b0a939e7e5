import { errorTexts } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { z } from "zod";
import { requireChannel } from "../../access/channel-access.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, type Route, route } from "../../platform/http/route.js";
import { createMarkRead } from "./repository.js";
import { readUpTo, readUpToErrors } from "./schema.js";

export function readStateRoutes(options: { database: Database; outbox: Outbox<Transaction> }): Route[] {
  const { database, outbox } = options;
  const markRead = createMarkRead({ database, outbox });
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
        body: readUpTo,
        success: noContent(),
        errors: {
          invalid_input: readUpToErrors,
          not_found: [errorTexts.channel_not_found, errorTexts.message_not_found],
          forbidden: [errorTexts.view_channel_required],
        },
      },
      async ({ identity: { userId }, params: { channel_id }, body: { message_id } }) => {
        const { serverId } = await requireChannel(database, channel_id, userId);
        await markRead({ user_id: userId, channel_id, server_id: serverId, message_id });
      },
    ),
  ];
}
