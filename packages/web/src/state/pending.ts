import type { PageState, PendingMessage } from "./page-state.js";

/** The key under which a pending message is shown: its thread or its channel. */
export const placeOf = (message: Pick<PendingMessage, "channelId" | "threadId">) =>
  message.threadId ?? message.channelId;

/** Adds a message that is being sent; a repeated attempt replaces the former one at its place. */
export function withPending(state: PageState, message: PendingMessage): PageState {
  const place = placeOf(message);
  const list = state.pending[place] ?? [];
  const position = list.findIndex(({ nonce }) => nonce === message.nonce);
  const next = position === -1 ? [...list, message] : list.with(position, message);
  return { ...state, pending: { ...state.pending, [place]: next } };
}

/** Removes a pending message that was stored or given up. */
export function withoutPending(state: PageState, place: string, nonce: string | undefined): PageState {
  const list = state.pending[place];
  if (nonce === undefined || !list?.some((message) => message.nonce === nonce)) return state;
  return { ...state, pending: { ...state.pending, [place]: list.filter((message) => message.nonce !== nonce) } };
}

/** The pending message with a nonce, wherever it is shown. */
export function findPending(state: PageState, nonce: string): PendingMessage | undefined {
  return Object.values(state.pending)
    .flat()
    .find((message) => message.nonce === nonce);
}

/** Shows how an attempt at a pending message ended, unless the message is gone: its event may be earlier. */
export function withOutcome(state: PageState, message: PendingMessage): PageState {
  return findPending(state, message.nonce) === undefined ? state : withPending(state, message);
}
