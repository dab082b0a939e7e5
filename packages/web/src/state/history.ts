import type { Message } from "@parley/client";

/** A window of consecutive messages of a channel. */
export interface History {
  /** Oldest first. Ids sort by the time of creation. */
  messages: readonly Message[];
  hasOlder: boolean;
  hasNewer: boolean;
  /** Events were missed: what is here may be shown, and is to be read again. */
  isStale: boolean;
}

/** Most messages that a window keeps; what is farther away is read again when it is needed. */
export const windowMax = 2_000;

/** A window from one page of the API, which is newest first. */
export function windowOf(page: readonly Message[], edges: { hasOlder: boolean; hasNewer: boolean }): History {
  return { messages: page.toReversed(), ...edges, isStale: false };
}

/** Puts a page of older messages before the window; the newest leave it if it grows too long. */
export function withOlder(history: History, page: readonly Message[], hasOlder: boolean): History {
  const oldest = history.messages[0];
  const older = page.toReversed().filter((message) => oldest === undefined || message.id < oldest.id);
  const messages = [...older, ...history.messages];
  const hasNewer = history.hasNewer || messages.length > windowMax;
  return { ...history, messages: messages.slice(0, windowMax), hasOlder, hasNewer };
}

/** Puts a page of newer messages, newest first too, behind the window; the oldest leave it if it grows too long. */
export function withNewer(history: History, page: readonly Message[], hasNewer: boolean): History {
  const newest = history.messages.at(-1);
  const newer = page.toReversed().filter((message) => newest === undefined || message.id > newest.id);
  const messages = [...history.messages, ...newer];
  const hasOlder = history.hasOlder || messages.length > windowMax;
  return { ...history, messages: messages.slice(-windowMax), hasOlder, hasNewer };
}

/** Adds a message that was just sent; a window that does not reach to the newest message stays without it. */
export function withSent(history: History, message: Message): History {
  if (history.hasNewer) return history;
  const position = history.messages.findLastIndex(({ id }) => id <= message.id);
  if (history.messages[position]?.id === message.id) return history;
  const messages = history.messages.toSpliced(position + 1, 0, message);
  return {
    ...history,
    messages: messages.slice(-windowMax),
    hasOlder: history.hasOlder || messages.length > windowMax,
  };
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
