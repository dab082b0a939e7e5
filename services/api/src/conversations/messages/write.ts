import type { FileUrls } from "@parley/auth";
import { createEvent, type NewMessage, type PendingJudgement, type SentMessage } from "@parley/contracts";
import { isForeignKeyViolation, type Session } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { nameMessages } from "./attachment-repository.js";
import type { MessageDraft } from "./draft.js";
import { storedParts } from "./embeds.js";
import { withMessageId } from "./event-placeholders.js";
import {
  type Event,
  insertMessages,
  missingReference,
  type NamedEvent,
  type Outcome,
  type RareParts,
} from "./insert-repository.js";
import { interactionOf, type MessageContext, newMessage, sentMessage, withAttachments } from "./new-message.js";
import type { SendContext } from "./send-context.js";

/** Most messages that one statement stores. */
const writeBatchMax = 100;

/** Concurrent statements that store messages; messages that arrive meanwhile share the next one. */
const writesInFlightMax = 2;

type Context = MessageContext & Pick<SendContext, "authorVersion" | "answeredAuthorId">;

/**
 * Messages that arrive while earlier ones are being stored share one statement: a statement for each row costs four
 * times as much (measured in docs/processes/api.md#api).
 */
export function createWriteMessage({ outbox, urls }: { outbox: Outbox<Transaction>; urls: FileUrls }) {
  const writes = outbox.batch({
    async write(session, events: readonly Event[]) {
      const results = await insertEach(session, await nameEach(session, events, urls));
      const rows = events.flatMap(({ subject, headers }, index) => {
        const outcome = results[index];
        if (outcome?.status !== "fulfilled" || outcome.value === null) return [];
        const { event_id, id, payload } = outcome.value;
        return [{ id: event_id, subject, body: payload, headers: withMessageId(headers, id) }];
      });
      return { results, rows };
    },
    batchMax: writeBatchMax,
    inFlightMax: writesInFlightMax,
  });

  /**
   * Stores a message, with its poll, scheduled event or files if it has any, and publishes its event. Id and time come from
   * the database, so that one clock orders messages (docs/processes/api.md#api).
   *
   * @param pending rules that have not judged the message yet; its event lists them
   * @returns null when another message has the nonce, or the author's membership or timeout has changed since the check
   * @throws ServiceError 404 when the channel, the reply target or the thread's root is gone by now
   */
  return async (
    draft: MessageDraft,
    context: Context,
    pending: PendingJudgement | undefined,
  ): Promise<SentMessage | null> => {
    const message = newMessage(draft, context, urls);
    const eventOf = (payload: NewMessage) =>
      createEvent(
        payload.thread_id === null ? "MESSAGE_CREATE" : "THREAD_MESSAGE_CREATE",
        { server_id: context.serverId, channel_id: draft.channelId },
        payload,
        { poll_id: payload.poll?.id, automod: pending, answers: context.answeredAuthorId || undefined },
      );
    const outcome = await writes.add({
      ...eventOf(message),
      authorVersion: context.authorVersion,
      files: draft.files?.received ?? [],
      rare: rareOf(draft, context),
      withAttachments: (attachments) => eventOf(withAttachments(message, attachments, { draft, urls })),
    });
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value && sentMessage(outcome.value.message, outcome.value);
  };
}

function rareOf({ webhook, interaction, forwarded, ...draft }: MessageDraft, context: Context): RareParts | null {
  const parts = storedParts(draft);
  const { mentionRoleIds: mention_role_ids, mentionHere: mention_here } = context;
  const isOfApp =
    parts.embeds !== null || parts.components !== null || webhook !== undefined || interaction !== undefined;
  if (!isOfApp && forwarded === undefined && mention_role_ids.length === 0 && !mention_here) return null;
  const groups = { mention_role_ids, mention_here };
  // Search finds the text that is forwarded, and pushes show it where there is no other.
  const texts = forwarded === undefined ? {} : { embed_texts: forwarded.content || null };
  const answer = { interaction: interactionOf({ interaction }), expected: interaction?.expected };
  return { ...parts, ...texts, ...groups, webhook, forwarded, ...answer };
}

/** Gives ids to all messages of a statement when some of them have files, and adds the attachments to the events. */
async function nameEach(session: Session, events: readonly Event[], urls: FileUrls): Promise<NamedEvent[]> {
  if (events.every(({ files }) => files.length === 0)) return events.map((event) => ({ ...event, named: null }));
  const names = await nameMessages(
    session,
    events.map(({ files }) => files),
    urls,
  );
  return events.map((event, index) => {
    const named = names[index] ?? null;
    if (named === null || named.attachments.length === 0) return { ...event, named };
    // The headers name the request of the message, which is not the one under way here.
    return { ...event, ...event.withAttachments(named.attachments), headers: event.headers, named };
  });
}

/** After a violated foreign key, stores each message alone, so that only the one whose channel is gone fails. */
async function insertEach(session: Session, events: readonly NamedEvent[]): Promise<Outcome[]> {
  try {
    return await insertMessages(session, events);
  } catch (error) {
    if (events.length === 1) return [{ status: "rejected", reason: missingReference(error) }];
    if (!isForeignKeyViolation(error)) throw error;
    return (await Promise.all(events.map((event) => insertEach(session, [event])))).flat();
  }
}
