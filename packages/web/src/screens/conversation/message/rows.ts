import type { Message } from "@parley/client";
import type { PendingMessage } from "../../../state/app-state.js";

/** A row of a conversation. */
export type Row =
  | {
      kind: "message";
      key: string;
      message: Message;
      /** Whether it is shown with picture and name: the first of a group of messages of one author. */
      isHead: boolean;
      /** The day that begins here. */
      day: string | null;
      /** Whether the unread messages begin here. */
      isFirstNew: boolean;
    }
  | { kind: "pending"; key: string; pending: PendingMessage; isHead: boolean };

/** Consecutive messages of an author within this time form a group under one name. */
const groupMs = 7 * 60_000;

/** The rows of a history, followed by the messages that are being sent. */
export function conversationRows(
  messages: readonly Message[],
  pending: readonly PendingMessage[],
  firstNewId: string | null,
  myId: string,
): Row[] {
  const rows: Row[] = [];
  let before: Message | null = null;
  for (const message of messages) {
    const day = new Date(message.created_at).toDateString();
    const isNewDay: boolean = before === null || new Date(before.created_at).toDateString() !== day;
    const isFirstNew = message.id === firstNewId;
    rows.push({
      kind: "message",
      key: message.id,
      message,
      isHead: isNewDay || isFirstNew || message.reply_to !== null || !belongTogether(before, message),
      day: isNewDay ? message.created_at : null,
      isFirstNew,
    });
    before = message;
  }
  const last = messages.at(-1);
  for (const [index, sent] of pending.entries()) {
    const isHead = index === 0 && (last === undefined || last.author_id !== myId || sent.replyTo !== null);
    rows.push({ kind: "pending", key: sent.nonce, pending: sent, isHead });
  }
  return rows;
}

function belongTogether(before: Message | null, message: Message): boolean {
  return (
    before !== null &&
    before.author_id !== null &&
    before.author_id === message.author_id &&
    // A webhook may give every message another name.
    before.webhook?.name === message.webhook?.name &&
    Date.parse(message.created_at) - Date.parse(before.created_at) < groupMs
  );
}
