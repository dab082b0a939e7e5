import { createEvent, errorTexts, type ListedEvent, notFound, type ScheduledEvent } from "@parley/contracts";
import type { Database, Queryable, Transaction } from "@parley/database/prisma";
import { deleteMessage } from "@parley/moderation";
import type { Outbox } from "@parley/outbox";
import { requireChannel } from "../../access/channel-access.js";
import type { ChannelAccess } from "../../access/repository.js";
import { requireWriting } from "../../access/safety.js";
import { requirePermission } from "../../access/server-access.js";
import type { FileUrls } from "../../platform/files/signed-urls.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import type { AutomodGate } from "../../rules/automod/gate.js";
import { requireEditContext } from "../messages/author.js";
import { editMessage } from "../messages/repository.js";
import { toMessage } from "../messages/resource.js";
import { eventContent, type UpdateEvent } from "../scheduled-events/schema.js";
import { type LocatedEvent, locateEvent, updateEvent } from "./repository.js";

export interface EventChanges {
  /** Changes what is given. */
  edit(userId: string, eventId: string, changes: UpdateEvent): Promise<ListedEvent>;
  /** Deletes the event with its message. */
  delete(userId: string, eventId: string): Promise<void>;
}

export function createEventChanges(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  automod: AutomodGate;
  urls: FileUrls;
}): EventChanges {
  const { database, outbox, automod, urls } = options;

  const edit = async (userId: string, eventId: string, changes: UpdateEvent): Promise<ListedEvent> => {
    const { place, access } = await requireOwn(database, { userId, eventId, refusal: errorTexts.cannot_edit_event });
    const { server_id, channel_id, message_id } = place;
    const { name, description } = changes;
    if (isEmptyChange(changes)) return toListed(place.event, place);
    const content = name === undefined ? null : eventContent(name);
    const author = { userId, serverId: server_id, rights: access.rights, content: content ?? "" };
    const context = await requireEditContext(database, author);
    requireWriting(access);
    const { automod: settings, automodRules, authorVersion, ...mentions } = context;
    const texts = [name, description].flatMap((text) => text ?? []);
    const text = { server_id, channel_id, user_id: userId, content: content ?? description ?? "", texts };
    const guards = texts.length === 0 ? { automod: null, automodRules: null } : { automod: settings, automodRules };
    const checked = await automod.checkEdit(guards, text, { ...mentions, mimeTypes: [], files: 0 });
    const listed = await outbox.transaction([place], async (transaction, emit) => {
      // Repeated under the lock of the ordering key, as the right may have been lost while waiting for it.
      await requireOwn(transaction, { userId, eventId, refusal: errorTexts.cannot_edit_event });
      const text = content === null ? null : { content, ...mentions };
      const edited = await editMessage(transaction, { messageId: message_id, editorId: userId, authorVersion, text });
      const event = edited === null ? null : await updateEvent(transaction, eventId, changes);
      if (edited === null || event === null) return null;
      const message = { ...toMessage({ ...edited.row, event }, null, urls), server_id, author: edited.author };
      // Who is judged late is the author, who has not written what a moderator did.
      const pending = edited.row.author_id === userId ? checked.pending : undefined;
      emit(createEvent("MESSAGE_UPDATE", { server_id, channel_id }, message, { automod: pending }));
      emit(createEvent("EVENT_UPDATE", { server_id, channel_id }, toListed(event, place)));
      return toListed(event, place);
    });
    // The message was deleted, or the version of whoever edits has changed: starts over, with new checks.
    if (listed === null) return edit(userId, eventId, changes);
    await automod.afterStored(checked, message_id);
    return listed;
  };

  return {
    edit,

    async delete(userId, eventId) {
      const caller = { userId, eventId, refusal: errorTexts.cannot_delete_event };
      const { place } = await requireOwn(database, caller);
      await outbox.transaction([place], async (transaction, emit) => {
        // As above.
        await requireOwn(transaction, caller);
        if (!(await deleteMessage(transaction, emit, place.message_id))) throw notFound(errorTexts.event_not_found);
      });
    },
  };
}

const toListed = (event: ScheduledEvent, { channel_id, message_id }: LocatedEvent): ListedEvent => ({
  ...event,
  channel_id,
  message_id,
});

/**
 * @param options.refusal text of the 403
 * @throws ServiceError 404 for an event that is missing, and for non-members; 403 without VIEW_CHANNEL, and for the
 * event of another without MANAGE_MESSAGES
 */
async function requireOwn(
  connection: Queryable,
  { userId, eventId, refusal }: { userId: string; eventId: string; refusal: string },
): Promise<{ place: LocatedEvent; access: ChannelAccess }> {
  const place = await locateEvent(connection, eventId);
  if (place === null) throw notFound(errorTexts.event_not_found);
  const access = await requireChannel(connection, place.channel_id, userId, errorTexts.event_not_found);
  if (place.author_id !== userId) requirePermission(access, "MANAGE_MESSAGES", refusal);
  return { place, access };
}
