import { createEvent, type DmMessage, errorTexts, forbidden, notFound } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import { directAttachmentKey } from "../../platform/files/storage/keys.js";
import type { HistoryQuery, Include } from "../messages/schema.js";
import type { ChangeDirectMessage } from "./change.js";
import type { DirectDetails } from "./details.js";
import { editDmMessage, findDmPage, removeDmMessage } from "./message-repository.js";
import { requireDirectMessage, requireParticipants } from "./participants.js";
import { toDmMessage } from "./resource.js";

/** What is done with direct messages that were sent. */
export function createDirectMessages(options: {
  database: Database;
  change: ChangeDirectMessage;
  details: DirectDetails;
  deleteFiles: DeleteFiles;
}) {
  const { database, change, details, deleteFiles } = options;
  return {
    /** A page of a channel's history, newest first. */
    async list(userId: string, channelId: string, { include, ...page }: HistoryQuery): Promise<DmMessage[]> {
      await requireParticipants(database, channelId, userId);
      return details(await findDmPage(database, { channelId, ...page }), { viewerId: userId, include });
    },

    /** One message of a channel. */
    async get(
      userId: string,
      { id: channelId, message_id }: { id: string; message_id: string },
      include: Include,
    ): Promise<DmMessage> {
      await requireParticipants(database, channelId, userId);
      const { row } = await requireDirectMessage(database, message_id, userId);
      const [message] = row.channel_id === channelId ? await details([row], { viewerId: userId, include }) : [];
      if (message === undefined) throw notFound(errorTexts.message_not_found);
      return message;
    },

    /** Replaces the text of a message of the caller. */
    edit(userId: string, messageId: string, content: string): Promise<DmMessage> {
      return change(messageId, userId, async ({ transaction, row, requireMayWrite, tell }) => {
        if (row.author_id !== userId) throw forbidden(errorTexts.edit_author_only);
        await requireMayWrite();
        const edited = await editDmMessage(transaction, messageId, content);
        if (edited === undefined) throw notFound(errorTexts.message_not_found);
        const message = toDmMessage(edited);
        tell((user, routing) => createEvent("DM_MESSAGE_UPDATE", user, { ...message, author: edited.author }, routing));
        return message;
      });
    },

    /** Removes a message of the caller for both, with its reactions and files. */
    async delete(userId: string, messageId: string): Promise<void> {
      const files = await change(messageId, userId, async ({ transaction, row, tell }) => {
        if (row.author_id !== userId) throw forbidden(errorTexts.delete_author_only);
        const removed = await removeDmMessage(transaction, messageId);
        const { id, channel_id } = row;
        tell((user, routing) => createEvent("DM_MESSAGE_DELETE", user, { id, channel_id }, routing));
        return removed;
      });
      await deleteFiles(files.map(directAttachmentKey));
    },
  };
}

export type DirectMessages = ReturnType<typeof createDirectMessages>;
