import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { deleteMessagesBody } from "./schema.js";
import type { MessageService } from "./service.js";

/** Deletion of many messages, which channels of servers only have. */
export function bulkDeletionRoutes(messages: MessageService): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/channels/:channel_id/messages/bulk-delete",
        name: "messages.deleteMany",
        summary: "Delete many messages of a channel",
        caller: "account",
        causes: ["MESSAGE_DELETE", "MESSAGE_DELETE_BULK", "EVENT_DELETE"],
        params: z.object({ channel_id: identifier }),
        body: deleteMessagesBody,
        success: ok(z.object({ deleted: z.int() })),
        errors: {
          invalid_input: [errorTexts.message_ids_count],
          not_found: [errorTexts.channel_not_found],
          forbidden: [errorTexts.view_channel_required, errorTexts.missing_permission],
        },
      },
      async ({ identity, params, body }) => ({
        deleted: await messages.deleteMany(identity.userId, params.channel_id, body.message_ids),
      }),
    ),
  ];
}
