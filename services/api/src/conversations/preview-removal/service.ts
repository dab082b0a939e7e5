import { createEvent, errorTexts, notFound } from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { requirePermission } from "../../access/server-access.js";
import { endPreviewTask, removePreviews } from "../message-previews/repository.js";
import { requireMessage } from "../messages/require-message.js";

export function createPreviewRemoval({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }) {
  /** @throws ServiceError 403 for the message of another without MANAGE_MESSAGES */
  const requireMayRemove = async (connection: Queryable, userId: string, messageId: string) => {
    const { row, access } = await requireMessage(connection, userId, { id: messageId });
    if (row.author_id !== userId) requirePermission(access, "MANAGE_MESSAGES", errorTexts.cannot_remove_previews);
    return row;
  };

  return {
    /** Removes the link cards of a message for good, also those that are still to be made. */
    async remove(userId: string, message_id: string): Promise<void> {
      const place = await requireMayRemove(database, userId, message_id);
      const { server_id, channel_id } = place;
      await outbox.transaction([place], async (transaction, emit) => {
        // Repeated under the lock of the ordering key, as the right may have been lost while waiting for it.
        await requireMayRemove(transaction, userId, message_id);
        await endPreviewTask(transaction, message_id);
        const removed = await removePreviews(transaction, message_id);
        if (removed === null) throw notFound(errorTexts.message_not_found);
        if (removed === 0) return;
        emit(createEvent("MESSAGE_PREVIEWS", { server_id, channel_id }, { channel_id, message_id, previews: [] }));
      });
    },
  };
}

export type PreviewRemoval = ReturnType<typeof createPreviewRemoval>;
