import { createEvent, errorTexts, notFound } from "@parley/contracts";
import { type InChannel, located } from "../../access/may.js";
import { authorOrManager } from "../../access/needs.js";
import { endPreviewTask, removePreviews } from "../message-previews/repository.js";
import type { MessageRow } from "../messages/repository.js";
import { requireMessage } from "../messages/require-message.js";

/** The right to remove the link cards of a message. */
export const mayRemovePreviews = located<{ message_id: string }, MessageRow>({
  missing: [errorTexts.message_not_found],
  find: (connection, userId, { message_id: id }) => requireMessage(connection, userId, { id }),
  needs: authorOrManager(errorTexts.cannot_remove_previews),
});

/** Removes the link cards of a message for good, also those that are still to be made. */
export function removeMessagePreviews(may: InChannel<MessageRow>): Promise<void> {
  return may.change(async ({ transaction, emit, access: { found } }) => {
    const { id: message_id, server_id, channel_id } = found;
    await endPreviewTask(transaction, message_id);
    const removed = await removePreviews(transaction, message_id);
    if (removed === null) throw notFound(errorTexts.message_not_found);
    if (removed === 0) return;
    emit(createEvent("MESSAGE_PREVIEWS", { server_id, channel_id }, { channel_id, message_id, previews: [] }));
  });
}
