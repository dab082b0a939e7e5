import { errorTexts } from "@parley/contracts";
import { z } from "zod";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { deleteMessagesBody } from "./schema.js";
import { deleteMany, mayDeleteMany } from "./service.js";

/** Deletion of many messages, which channels of servers only have. */
export function bulkDeletionRoutes(): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/channels/:channel_id/messages/bulk-delete",
        name: "messages.deleteMany",
        summary: "Delete many messages of a channel",
        caller: "account",
        causes: ["MESSAGE_DELETE", "MESSAGE_DELETE_BULK", "EVENT_DELETE", "AUDIT_LOG_ENTRY_CREATE"],
        params: z.object({ channel_id: identifier }),
        may: mayDeleteMany,
        body: deleteMessagesBody,
        success: ok(z.object({ deleted: z.int() })),
        errors: { invalid_input: [errorTexts.message_ids_count] },
      },
      async ({ may, body }) => ({ deleted: await deleteMany(may, body.message_ids) }),
    ),
  ];
}
