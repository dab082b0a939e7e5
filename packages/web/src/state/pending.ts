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

/** Marks a pending message as failed. */
export function withFailure(state: PageState, failed: PendingMessage, error: string): PageState {
  const isThere = state.pending[placeOf(failed)]?.some(({ nonce }) => nonce === failed.nonce);
  return isThere === true ? withPending(state, { ...failed, error }) : state;
}
