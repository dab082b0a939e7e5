import { errorTexts } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { noContent, type Route, route } from "../../platform/http/route.js";
import type { Kind, MessageAccess } from "../core/kind.js";
import { createMarkRead } from "./repository.js";
import { readOrUnread, readOrUnreadErrors } from "./schema.js";

const declared = {
  channel: { name: "channels.markRead", tag: "read state" },
  direct: { name: "directMessages.markRead", tag: undefined },
} as const;

export function readStateRoutes<F extends MessageAccess>(
  { name: kind, channel }: Kind<F>,
  { database, outbox }: { database: Database; outbox: Outbox<Transaction> },
): Route[] {
  const markRead = createMarkRead(kind, { database, outbox });
  return [
    route(
      {
        method: "post",
        path: `${channel.path}/ack`,
        ...declared[kind],
        summary: "Mark a channel as read, or as unread from a message on",
        caller: "account",
        causes: ["READ_STATE_UPDATE"],
        params: channel.params,
        may: channel.may,
        body: readOrUnread,
        success: noContent(),
        errors: { invalid_input: readOrUnreadErrors, not_found: [errorTexts.message_not_found] },
      },
      async ({ may, body }) => {
        const { userId: user_id, channel, serverId: server_id } = await may.access();
        await markRead({ user_id, channel_id: channel.id, server_id, read: body });
      },
    ),
  ];
}
