import type { FileUrls } from "@parley/auth";
import {
  createEvent,
  errorTexts,
  inEvent,
  invalidInput,
  type ListedEvent,
  notFound,
  type ScheduledEvent,
} from "@parley/contracts";
import type { Database, Queryable } from "@parley/database/prisma";
import { deleteMessage } from "@parley/moderation";
import { type InChannel, located, requireChannel } from "../../access/may.js";
import { authorOrManager } from "../../access/needs.js";
import { requireWriting } from "../../access/safety.js";
import { isEmptyChange } from "../../platform/http/empty-change.js";
import type { AutomodGate } from "../../rules/automod/gate.js";
import { requireEditContext } from "../messages/author.js";
import { editMessage } from "../messages/repository.js";
import { toMessage } from "../messages/resource.js";
import { findInterests } from "../scheduled-events/repository.js";
import { endsAfterStart, eventContent, eventTexts, type UpdateEvent } from "../scheduled-events/schema.js";
import { requireVoiceOfEvent } from "../scheduled-events/voice.js";
import { type LocatedEvent, locateEvent, updateEvent } from "./repository.js";

const eventOfPath = {
  missing: [errorTexts.event_not_found],
  async find(connection: Queryable, userId: string, { event_id }: { event_id: string }) {
    const row = await locateEvent(connection, event_id);
    if (row === null) throw notFound(errorTexts.event_not_found);
    return { ...(await requireChannel(connection, row.channel_id, userId, errorTexts.event_not_found)), found: row };
  },
};

/** The right to see a scheduled event. */
export const maySeeEvent = located(eventOfPath);

/**
 * The right to change a scheduled event.
 *
 * @param refusal text of the 403
 */
export const mayChangeEvent = (refusal: string) => located({ ...eventOfPath, needs: authorOrManager(refusal) });

export function createEventChanges(options: { database: Database; automod: AutomodGate; urls: FileUrls }) {
  const { database, automod, urls } = options;

  /** Changes the given fields. */
  const edit = async (may: InChannel<LocatedEvent>, eventId: string, changes: UpdateEvent): Promise<ListedEvent> => {
    const access = await may.access();
    const { found: place, userId } = access;
    const { server_id, channel_id, message_id } = place;
    const { name, voice_channel_id: voiceChannelId } = changes;
    const answer = async (event: ScheduledEvent) =>
      (await findInterests(database, [event], userId))(toListed(event, place));
    if (isEmptyChange(changes)) return answer(place.event);
    requireEndAfterStart(place.event, changes);
    if (voiceChannelId != null) await requireVoiceOfEvent(database, { voiceChannelId, channelId: channel_id, userId });
    const content = name === undefined ? null : eventContent(name);
    const author = { userId, serverId: server_id, rights: access.rights, content: content ?? "" };
    const context = await requireEditContext(database, author);
    requireWriting(access);
    const { automod: settings, automodRules, authorVersion, ...mentions } = context;
    const texts = eventTexts(changes);
    const text = { server_id, channel_id, user_id: userId, content: content ?? texts[0] ?? "", texts };
    const guards = texts.length === 0 ? { automod: null, automodRules: null } : { automod: settings, automodRules };
    const checked = await automod.checkEdit(guards, text, { ...mentions, mimeTypes: [], files: 0 });
    const changed = await may.change(async ({ transaction, emit, access: { found } }) => {
      requireEndAfterStart(found.event, changes);
      const text = content === null ? null : { content, ...mentions };
      const edited = await editMessage(transaction, { messageId: message_id, editorId: userId, authorVersion, text });
      const event = edited === null ? null : await updateEvent(transaction, eventId, changes);
      if (edited === null || event === null) return null;
      const message = inEvent(toMessage({ ...edited.row, event }, null, urls), { server_id, author: edited.author });
      // Automod judges only the author late, and a moderator's edit is not the author's text.
      const pending = edited.row.author_id === userId ? checked.pending : undefined;
      emit(createEvent("MESSAGE_UPDATE", { server_id, channel_id }, message, { automod: pending }));
      emit(createEvent("EVENT_UPDATE", { server_id, channel_id }, toListed(event, place)));
      return event;
    });
    // The message was deleted, or the editor's version has changed: starts over, with new checks.
    if (changed === null) return edit(may, eventId, changes);
    await automod.afterStored(checked, message_id);
    return answer(changed);
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

function requireEndAfterStart(event: ScheduledEvent, { starts_at, ends_at }: UpdateEvent): void {
  const storedEnd = event.ends_at === undefined ? null : new Date(event.ends_at);
  if (!endsAfterStart(starts_at ?? new Date(event.starts_at), ends_at === undefined ? storedEnd : ends_at))
    throw invalidInput(errorTexts.event_ends_at_invalid);
}

/** A scheduled event as the list and its events have it. */
export const toListed = (
  event: ScheduledEvent,
  { channel_id, message_id }: Pick<LocatedEvent, "channel_id" | "message_id">,
): ListedEvent => ({ ...event, channel_id, message_id });
