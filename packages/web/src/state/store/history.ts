import type { Message } from "@parley/client";

/** A window of consecutive messages of a channel. */
export interface History {
  /** Oldest first. Ids sort by the time of creation. */
  messages: readonly Message[];
  hasOlder: boolean;
  hasNewer: boolean;
  /** Whether events may have been missed: the messages may be shown, but have to be read again. */
  isStale: boolean;
}

/** Most messages that the store keeps of a window that is not shown; older ones are read again when they are needed. */
export const keptMax = 200;

/** A window from one page of the API, which is newest first. */
export function windowOf(page: readonly Message[], edges: { hasOlder: boolean; hasNewer: boolean }): History {
  return { messages: page.toReversed(), ...edges, isStale: false };
}

/** Puts a window of older messages before another. */
export function withOlder(history: History, older: History): History {
  const oldest = history.messages[0];
  const added = older.messages.filter((message) => oldest === undefined || message.id < oldest.id);
  return { ...history, messages: [...added, ...history.messages], hasOlder: older.hasOlder };
}

/** Puts a window of newer messages behind another. */
export function withNewer(history: History, newer: History): History {
  const newest = history.messages.at(-1);
  const added = newer.messages.filter((message) => newest === undefined || message.id > newest.id);
  return { ...history, messages: [...history.messages, ...added], hasNewer: newer.hasNewer };
}

/** Adds a message that was just sent; a window that does not reach to the newest message stays without it. */
export function withSent(history: History, message: Message): History {
  if (history.hasNewer) return history;
  const position = history.messages.findLastIndex(({ id }) => id <= message.id);
  if (history.messages[position]?.id === message.id) return history;
  return { ...history, messages: history.messages.toSpliced(position + 1, 0, message) };
}

/** Changes one message of the window; a window without it stays the same object. */
export function withChanged(history: History, id: string, change: (message: Message) => Message): History {
  const position = history.messages.findIndex((message) => message.id === id);
  const message = history.messages[position];
  return message === undefined ? history : { ...history, messages: history.messages.with(position, change(message)) };
}

/** Takes one message out of the window; a window without it stays the same object. */
export function withoutMessage(history: History, id: string): History {
  const messages = history.messages.filter((message) => message.id !== id);
  return messages.length === history.messages.length ? history : { ...history, messages };
}

/** The part of a window to keep when it is no longer shown: its newest messages; null if it does not reach to these. */
export function afterLeaving(history: History): History | null {
  if (history.hasNewer) return null;
  if (history.messages.length <= keptMax) return history;
  return { ...history, messages: history.messages.slice(-keptMax), hasOlder: true };
}

/** The first of the newest `unread` messages of others; null when the window does not reach that far. */
export function firstUnread(history: History, unread: number, myId: string): string | null {
  let left = unread;
  for (const message of history.messages.toReversed()) {
    if (left === 0) return null;
    if (message.author_id === myId) continue;
    left -= 1;
    if (left === 0) return message.id;
  }
  return null;
}
