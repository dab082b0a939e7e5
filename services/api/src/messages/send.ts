import { type Message, notFound } from "@parley/contracts";
import type { Database } from "@parley/database";
import type { AutomodGate } from "../automod/gate.js";
import { createRequireSendContext } from "./send-context.js";
import type { Draft, WriteMessage } from "./writer.js";

/** A message, thread reply or poll on its way in; its syntax is checked already. */
export interface Submission {
  userId: string;
  channelId: string;
  content: string;
  /** What the word filter reads, where that is not the content (docs/interface.md#7.5). */
  filteredTexts?: readonly string[];
  /** Message replied to. */
  replyTo?: string | null;
  /** Root message of the thread that this is a reply in. */
  threadId?: string | null;
}

/** Stores a message with its event and publishes the event. */
export type StoreMessage = (draft: Draft) => Promise<Message>;

/**
 * Sends a message.
 *
 * @param store another way to store it, for messages with more rows than their own
 * @throws ServiceError as docs/interface.md#7.1 and docs/interface.md#7.2 say, in the order of the send pipeline
 */
export type SendMessage = (submission: Submission, store?: StoreMessage) => Promise<Message>;

/** The send pipeline of docs/interface.md#7.1: the one way for messages, thread replies and polls into a channel. */
export function createSendMessage(options: {
  database: Database;
  write: WriteMessage;
  automod: AutomodGate;
}): SendMessage {
  const { database, write, automod } = options;
  const requireSendContext = createRequireSendContext({ database });

  return async (submission, store: StoreMessage = write) => {
    const { userId, channelId, content, filteredTexts, replyTo = null, threadId = null } = submission;
    const context = await requireSendContext({ userId, channelId, content, replyTo, threadId });
    const { serverId, mentionUserIds, mentionEveryone } = context;
    const { automod: settings, evidence } = context;
    const guarded = { settings, evidence, serverId, channelId, userId, content, filteredTexts };
    return automod.guard(guarded, async (pending) => {
      if (replyTo !== null && !context.replyTargetExists) throw notFound("Reply target message not found");
      return store({
        serverId,
        channelId,
        authorId: userId,
        content,
        replyTo,
        threadId,
        mentionUserIds,
        mentionEveryone,
        pending,
      });
    });
  };
}
