import type { AppState, PendingMessage } from "../store/app-state.js";

/** The key under which a pending message is shown: its thread or its channel. */
export const pendingKey = (message: Pick<PendingMessage, "channelId" | "threadId">) =>
  message.threadId ?? message.channelId;

/** Nonces kept of messages that arrived. */
const arrivedMax = 100;

/**
 * Adds a message that is being sent; a repeated attempt replaces the former one at its place. It does nothing once the
 * message arrived: another tab may read its copy of it late.
 */
export function withPending(state: AppState, message: PendingMessage): AppState {
  if (state.arrived.includes(message.nonce)) return state;
  const key = pendingKey(message);
  const list = state.pending[key] ?? [];
  const position = list.findIndex(({ nonce }) => nonce === message.nonce);
  const next = position === -1 ? [...list, message] : list.with(position, message);
  return { ...state, pending: { ...state.pending, [key]: next } };
}

/** Removes a pending message that was stored or given up. */
export function withoutPending(before: AppState, key: string, nonce: string | undefined): AppState {
  if (nonce === undefined) return before;
  const state = before.arrived.includes(nonce)
    ? before
    : { ...before, arrived: [...before.arrived, nonce].slice(-arrivedMax) };
  const list = state.pending[key];
  if (!list?.some((message) => message.nonce === nonce)) return state;
  return { ...state, pending: { ...state.pending, [key]: list.filter((message) => message.nonce !== nonce) } };
}

/** The pending message with a nonce, wherever it is shown. */
export function findPending(state: AppState, nonce: string): PendingMessage | undefined {
  return Object.values(state.pending)
    .flat()
    .find((message) => message.nonce === nonce);
}

/** Shows how an attempt at a pending message ended, unless the message is gone: its event may be earlier. */
export function withOutcome(state: AppState, message: PendingMessage): AppState {
  return findPending(state, message.nonce) === undefined ? state : withPending(state, message);
}
