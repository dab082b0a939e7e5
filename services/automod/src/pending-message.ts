import { Message, type PendingJudgement, parsePendingJudgement, parseSubject, routingHeaders } from "@parley/contracts";
import type { StoredMessage } from "@parley/messaging";
import { z } from "zod";

/** A stored message whose event names rules that have not judged it yet. */
export interface PendingMessage extends PendingJudgement {
  serverId: string;
  messageId: string;
  channelId: string;
  userId: string;
  content: string;
  /** What the word filter reads. */
  texts: string[];
  /** When the text was sent, or edited. */
  writtenAtMs: number;
  /** The event, to be settled. */
  event: StoredMessage;
}

const Frame = z.object({ d: Message });

/**
 * Reads a message event.
 *
 * @returns null when nothing is to be judged, as for most events; these lack the header, and their body is not parsed
 */
export function readPendingMessage(event: StoredMessage): PendingMessage | null {
  const header = event.header(routingHeaders.automod);
  const pending = header === null ? null : parsePendingJudgement(header);
  const address = parseSubject(event.subject);
  if (pending === null || address?.scope.kind !== "server") return null;
  const { d: message } = Frame.parse(JSON.parse(Buffer.from(event.body).toString()));
  // The account is deleted.
  if (message.author_id === null) return null;
  // An edit changes the content and nothing else.
  const poll = address.event === "MESSAGE_UPDATE" ? null : message.poll;
  return {
    ...pending,
    serverId: address.scope.serverId,
    messageId: message.id,
    channelId: message.channel_id,
    userId: message.author_id,
    content: message.content,
    texts: poll === null ? [message.content] : [poll.question, ...poll.options.map(({ text }) => text)],
    writtenAtMs: Date.parse(message.edited_at ?? message.created_at),
    event,
  };
}
