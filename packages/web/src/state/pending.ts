import type { PageState, PendingMessage } from "./page-state.js";

/** Where a pending message is shown: in its thread or its channel. */
export const placeOf = (message: Pick<PendingMessage, "channelId" | "threadId">) =>
  message.threadId ?? message.channelId;

/** Shows a message that is being sent; one that is sent again takes its old place. */
export function withPending(state: PageState, message: PendingMessage): PageState {
  const place = placeOf(message);
  const list = state.pending[place] ?? [];
  const position = list.findIndex(({ nonce }) => nonce === message.nonce);
  const next = position === -1 ? [...list, message] : list.with(position, message);
  return { ...state, pending: { ...state.pending, [place]: next } };
}

/** Forgets a pending message: it was stored, or is given up. */
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
