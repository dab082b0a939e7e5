import type { IncomingMessage } from "node:http";
import type { FileUrls } from "@parley/auth";
import {
  type Attachment,
  createEvent,
  errorTexts,
  type MessageAuthor,
  notFound,
  type OutgoingEvent,
  type SentDmMessage,
} from "@parley/contracts";
import { isForeignKeyViolation, type Session } from "@parley/database";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import type { SentFiles } from "../../platform/files/message-form.js";
import type { Reservations } from "../../platform/files/quotas/reservations.js";
import { sendWithFiles } from "../../platform/files/send-with-files.js";
import type { DeleteFiles } from "../../platform/files/storage/delete-files.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import type { May } from "../../platform/http/may.js";
import { parse } from "../../platform/http/route.js";
import { findNonceMessage, findRepeatedMessage } from "../../platform/nonces/repository.js";
import type { SendResult } from "../../platform/nonces/sent.js";
import type { StoredForward } from "../core/forwarded-repository.js";
import { nameMessages } from "../messages/attachment-repository.js";
import { idPlaceholder, timePlaceholder } from "../messages/event-placeholders.js";
import { directKind, directRouting, mayReadDirect, requireMayWrite } from "./kind.js";
import { findDmMessage } from "./message-repository.js";
import type { DirectMessages } from "./message-service.js";
import type { DirectAudience } from "./participants-repository.js";
import { findDmSendContext, insertDmMessage } from "./repository.js";
import { replyField } from "./resource.js";
import { sendFormPayload } from "./schema.js";

/** A direct message to be sent, with valid syntax. */
export interface DirectDraft {
  authorId: string;
  channelId: string;
  content: string;
  /** Message replied to. */
  replyTo?: string | null | undefined;
  /** Makes the request safe to repeat (docs/protocol/repetition.md#21). */
  nonce?: string | null | undefined;
  /** As in a `MessageDraft`. */
  hidesNonce?: boolean;
  /** The message that this one forwards; its files are `files`. */
  forwarded?: StoredForward | undefined;
  /** Attached to the message; without them, it has text. */
  files?: SentFiles | undefined;
}

/** Sender and channel, which are known before anything is read. */
type Place = Pick<DirectDraft, "authorId" | "channelId">;

/** Sends as the caller to the channel that the path names. */
export interface DirectSender {
  /** @throws ServiceError by the rights that sending needs */
  check(): Promise<unknown>;
  send(draft: Omit<DirectDraft, keyof Place>): Promise<SendResult<SentDmMessage>>;
  /** @param request its body is a form that is not read yet */
  sendForm(request: IncomingMessage): Promise<SendResult<SentDmMessage>>;
}

/** The right to send direct messages; the statement that reads the context of a message checks it. */
export type MaySendDirect = May<{ id: string }, DirectSender>;

/** Creates {@link MaySendDirect}. */
export function createMaySendDirect(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  urls: FileUrls;
  details: DirectMessages["details"];
  storage: FileStorage;
  deleteFiles: DeleteFiles;
  reservations: Reservations;
}): MaySendDirect {
  const { database, outbox, urls, details, storage, deleteFiles, reservations } = options;
  const files = { storage, deleteFiles, reservations, folder: directKind.attaching.folder };

  /**
   * The participants of the channel, and the author as messages show them.
   *
   * @throws ServiceError 404 for an author who is not in the channel
   */
  const requireContext = async ({ authorId, channelId }: Place, connection: Pick<Session, "query"> = database) => {
    const context = await findDmSendContext(connection, channelId, authorId);
    if (context === null) throw notFound(errorTexts.dm_channel_not_found);
    return context;
  };

  /** @throws ServiceError 404 for a message that is gone, or in another channel */
  const requireReplyTarget = async ({ replyTo, channelId }: DirectDraft) => {
    if (!replyTo) return;
    const target = await findDmMessage(database, replyTo);
    if (target?.channel_id !== channelId) throw notFound(errorTexts.reply_target_not_found);
  };

  /** @returns null when another message has the nonce */
  const store = async (
    draft: DirectDraft,
    before: { audience: DirectAudience; author: MessageAuthor },
  ): Promise<SentDmMessage | null> => {
    const eventsOf = ({ nonce, ...message }: SentDmMessage, { audience, author }: typeof before): OutgoingEvent[] => {
      const routing = directRouting(audience, draft.channelId);
      return audience.participants.map((user_id) =>
        createEvent("DM_MESSAGE_CREATE", { user_id }, { ...message, author, nonce }, routing),
      );
    };
    const { received = [] } = draft.files ?? {};
    try {
      return await outbox.write({ dm_channel_id: draft.channelId }, async (session) => {
        // Checked here, because the message may have waited for its turn: the author's conditions, and the members of a
        // group, which change only under the same lock.
        const context = before.audience.isGroup ? await requireContext(draft, session) : before;
        await requireMayWrite(session, draft.authorId, context.audience);
        const isNamed = received.length > 0 || draft.forwarded !== undefined;
        const [named = null] = isNamed ? await nameMessages(session, [received], urls) : [];
        const message = newDirectMessage(draft, named?.attachments);
        const stored = await insertDmMessage(
          session,
          { message, named, forwarded: draft.forwarded },
          eventsOf(message, context),
        );
        if (stored === null) return { result: null, rows: [] };
        return { result: { ...message, id: stored.id, created_at: stored.time }, rows: stored.rows };
      });
    } catch (error) {
      throw isForeignKeyViolation(error) ? notFound(errorTexts.dm_channel_not_found) : error;
    }
  };

  /** The message of an earlier request in its present state; a deleted one without its text. */
  const sentBefore = async (draft: DirectDraft, id: string): Promise<SendResult<SentDmMessage>> => {
    const { authorId, nonce, files, forwarded } = draft;
    const row = await findDmMessage(database, id);
    const hasFiles = files !== undefined && forwarded === undefined;
    const wanted = { viewerId: authorId, include: hasFiles ? ["attachments" as const] : [] };
    const [found] = row === null ? [] : await details([row], wanted);
    const deleted = {
      ...newDirectMessage({ ...draft, content: "", forwarded: undefined }),
      id,
      created_at: timeOf(id),
    };
    return { message: { ...(found ?? deleted), nonce: nonce ?? undefined }, isNew: false };
  };

  /**
   * Sends a message, unless the author sent one with its nonce.
   *
   * @throws ServiceError by docs/protocol/conversations.md#8, then by docs/protocol/messages.md#7.6
   */
  const send = async (draft: DirectDraft): Promise<SendResult<SentDmMessage>> => {
    const context = await requireContext(draft);
    // A repeated request skips checks whose result may have changed since the first one.
    if (draft.replyTo || draft.files !== undefined) {
      await requireMayWrite(database, draft.authorId, context.audience);
      const earlier = await findRepeatedMessage(database, draft);
      if (earlier !== null) return sentBefore(draft, earlier);
    }
    await requireReplyTarget(draft);
    if (draft.files !== undefined && draft.files.rejection !== null) throw draft.files.rejection;
    const message = await store(draft, context);
    if (message !== null) return { message, isNew: true };
    const earlier = await findNonceMessage(database, draft);
    if (earlier === null) throw notFound(errorTexts.dm_channel_not_found);
    return sentBefore(draft, earlier);
  };

  /** Sends a message with its files, unless one with its nonce exists: all of it, or nothing. */
  const sendForm = (place: Place, request: IncomingMessage) =>
    sendWithFiles<SentDmMessage>(request, files, {
      by: place,
      async mayAttach() {
        await requireContext(place);
        return true;
      },
      send(payload, received) {
        const { reply_to: replyTo, ...content } = parse<typeof sendFormPayload>(sendFormPayload, payload);
        return send({ ...place, ...content, replyTo, files: received });
      },
    });

  return {
    ...mayReadDirect,
    ask(_stores, { userId: authorId, params: { id: channelId } }) {
      const place = { authorId, channelId };
      return {
        async check() {
          const { audience } = await requireContext(place);
          await requireMayWrite(database, authorId, audience);
        },
        send: (draft) => send({ ...place, ...draft }),
        sendForm: (request) => sendForm(place, request),
      };
    },
  };
}
/** A message that is not stored yet, with placeholders for its id and time. */
function newDirectMessage(
  { authorId, channelId, content, replyTo, nonce, hidesNonce, forwarded }: DirectDraft,
  attachments: Attachment[] = [],
): SentDmMessage {
  return {
    id: idPlaceholder,
    channel_id: channelId,
    author_id: authorId,
    content,
    ...replyField(replyTo),
    edited_at: null,
    created_at: timePlaceholder,
    ...(attachments.length > 0 && forwarded === undefined && { attachments }),
    ...(forwarded !== undefined && { forwarded: { ...forwarded, attachments } }),
    nonce: hidesNonce ? undefined : (nonce ?? undefined),
  };
}

/** The time in an id of the service (docs/protocol/requests.md#1.2). */
const timeOf = (id: string) => new Date(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toISOString();
