import type { FileUrls } from "@parley/auth";
import { createEvent, errorTexts, inEvent, type ListedEvent, notFound, type ScheduledEvent } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { deleteMessage } from "@parley/moderation";
import { type InChannel, located, requireChannel } from "../../access/may.js";
import { authorOrManager } from "../../access/needs.js";
import { requireWriting } from "../../access/safety.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import type { AutomodGate } from "../../rules/automod/gate.js";
import { requireEditContext } from "../messages/author.js";
import { editMessage } from "../messages/repository.js";
import { toMessage } from "../messages/resource.js";
import { eventContent, type UpdateEvent } from "../scheduled-events/schema.js";
import { type LocatedEvent, locateEvent, updateEvent } from "./repository.js";

/**
 * The right to change a scheduled event.
 *
 * @param refusal text of the 403
 */
export const mayChangeEvent = (refusal: string) =>
  located<{ event_id: string }, LocatedEvent>({
    missing: [errorTexts.event_not_found],
    async find(connection, userId, { event_id }) {
      const row = await locateEvent(connection, event_id);
      if (row === null) throw notFound(errorTexts.event_not_found);
      return { ...(await requireChannel(connection, row.channel_id, userId, errorTexts.event_not_found)), found: row };
    },
    needs: authorOrManager(refusal),
  });

export function createEventChanges(options: { database: Database; automod: AutomodGate; urls: FileUrls }) {
  const { database, automod, urls } = options;

  /** Changes the given fields. */
  const edit = async (may: InChannel<LocatedEvent>, eventId: string, changes: UpdateEvent): Promise<ListedEvent> => {
    const access = await may.access();
    const { found: place, userId } = access;
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
    const listed = await may.change(async ({ transaction, emit }) => {
      const text = content === null ? null : { content, ...mentions };
      const edited = await editMessage(transaction, { messageId: message_id, editorId: userId, authorVersion, text });
      const event = edited === null ? null : await updateEvent(transaction, eventId, changes);
      if (edited === null || event === null) return null;
      const message = inEvent(toMessage({ ...edited.row, event }, null, urls), { server_id, author: edited.author });
      // Automod judges only the author late, and a moderator's edit is not the author's text.
      const pending = edited.row.author_id === userId ? checked.pending : undefined;
      emit(createEvent("MESSAGE_UPDATE", { server_id, channel_id }, message, { automod: pending }));
      emit(createEvent("EVENT_UPDATE", { server_id, channel_id }, toListed(event, place)));
      return toListed(event, place);
    });
    // The message was deleted, or the editor's version has changed: starts over, with new checks.
    if (listed === null) return edit(may, eventId, changes);
    await automod.afterStored(checked, message_id);
    return listed;
  };

  return {
    edit,

    /** Deletes the event with its message. */
    delete(may: InChannel<LocatedEvent>): Promise<void> {
      return may.change(async ({ transaction, emit, access: { found } }) => {
        if (!(await deleteMessage(transaction, emit, found.message_id))) throw notFound(errorTexts.event_not_found);
      });
    },
  };
}

export type EventChanges = ReturnType<typeof createEventChanges>;

const toListed = (event: ScheduledEvent, { channel_id, message_id }: LocatedEvent): ListedEvent => ({
  ...event,
  channel_id,
  message_id,
});
