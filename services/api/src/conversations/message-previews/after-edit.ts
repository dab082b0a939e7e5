import { createEvent } from "@parley/contracts";
import type { Transaction } from "@parley/database/prisma";
import type { Emit } from "@parley/outbox";
import { previewedLinks } from "./links.js";
import { endPreviewTask, findPreviews, notePreviewTask, storePreviews } from "./repository.js";

/** The fields of an edited message that its previews depend on. */
interface MessageEdit {
  id: string;
  server_id: string;
  channel_id: string;
  content: string;
}

/**
 * Updates the link cards of a message after its edit, in the transaction of the edit (docs/protocol/messages.md#28.11):
 * the cards of links that are gone are removed at once, and those of new links are made later.
 */
export async function followEdit(transaction: Transaction, emit: Emit, edited: MessageEdit): Promise<void> {
  const { id: message_id, server_id, channel_id, content } = edited;
  const links = previewedLinks(content);
  const known = await findPreviews(transaction, message_id);
  if (known?.length === 0) return;
  const previews = (known ?? []).filter(({ url }) => links.includes(url));
  if (known !== null && previews.length < known.length && (await storePreviews(transaction, message_id, previews))) {
    emit(createEvent("MESSAGE_PREVIEWS", { server_id, channel_id }, { channel_id, message_id, previews }));
  }
  if (links.length > previews.length) await notePreviewTask(transaction, message_id);
  else await endPreviewTask(transaction, message_id);
}
