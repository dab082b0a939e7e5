import type { Message, SentMessage } from "@parley/client";
import { isBlocked, isNamedBy } from "../people/people.js";
import { type AppState, type Counted, without } from "../store/app-state.js";
import type { History } from "../store/history.js";

/** Most messages of a channel that are remembered; the history has older ones, once it is read. */
const rememberedMax = 1_000;

const asCounted = (state: AppState, message: Message): Counted => {
  const { id, author_id, created_at } = message;
  return { id, author_id, created_at, names: isNamedBy(state, message) };
};

/** Where a message is counted: in its thread, or in its channel. */
const placeIdOf = ({ thread_id, channel_id }: Pick<Message, "thread_id" | "channel_id">): string =>
  thread_id ?? channel_id;

/** The channel, and the threads in it that have counts. */
const placesIn = ({ threadChannels }: AppState, channelId: string): string[] => [
  channelId,
  ...Object.keys(threadChannels).filter((id) => threadChannels[id] === channelId),
];

/** Counts a message of another user as unread. To be called for events only: each arrives once. */
export function messageCounted(state: AppState, message: SentMessage): AppState {
  const { me } = state;
  if (me === null || message.author_id === me.id) return state;
  const id = placeIdOf(message);
  const counted = asCounted(state, message);
  const remembered = [...(state.counted[id] ?? []).slice(1 - rememberedMax), counted];
  const next = { ...state, counted: { ...state.counted, [id]: remembered } };
  if (!isUnread(state, id)(counted)) return next;
  return changed(next, { placeId: id, unread: 1, mentions: mentionsOf(state, counted) });
}

/** Counts a reply in a thread that the user follows, or follows because of it (docs/protocol/messages.md#33.2). */
export function replyCounted(state: AppState, reply: SentMessage): AppState {
  const { thread_id: rootId, channel_id } = reply;
  if (rootId === null || !isFollowed(state, reply)) return state;
  const next = messageCounted(state, reply);
  return next === state ? state : { ...next, threadChannels: { ...next.threadChannels, [rootId]: channel_id } };
}

function isFollowed(state: AppState, reply: SentMessage): boolean {
  const { notifications, histories, quoted, me } = state;
  const rootId = reply.thread_id ?? "";
  const level = notifications?.threads[rootId]?.level;
  if (level != null) return level !== "nothing";
  const root = histories[reply.channel_id]?.messages.find(({ id }) => id === rootId) ?? quoted[rootId];
  return isNamedBy(state, reply) || (root != null && root.author_id === me?.id);
}

/** To be called before a message leaves the history: one that was not read is not counted any more. */
export function messageUncounted(state: AppState, { id, channel_id }: Pick<Message, "id" | "channel_id">): AppState {
  for (const placeId of placesIn(state, channel_id)) {
    const message = unreadMessages(state, placeId).find((one) => one.id === id);
    if (message === undefined) continue;
    const remembered = (state.counted[placeId] ?? []).filter((one) => one.id !== id);
    return changed(
      { ...state, counted: { ...state.counted, [placeId]: remembered } },
      { placeId, unread: -1, mentions: -mentionsOf(state, message) },
    );
  }
  return state;
}

/** To be called before a message changes in the history: an edit mentions somebody, or not any more. */
export function messageRecounted(state: AppState, edited: Message): AppState {
  const { id } = edited;
  const placeId = placeIdOf(edited);
  const before = unreadMessages(state, placeId).find((one) => one.id === id);
  if (before === undefined) return state;
  const after = asCounted(state, edited);
  const remembered = (state.counted[placeId] ?? []).map((one) => (one.id === id ? after : one));
  return changed(
    { ...state, counted: { ...state.counted, [placeId]: remembered } },
    { placeId, unread: 0, mentions: mentionsOf(state, after) - mentionsOf(state, before) },
  );
}

/**
 * Counts mentions again after the blocks changed: mentions by a blocked user do not count.
 *
 * @param before the state with the former blocks
 */
export function mentionsRecounted(state: AppState, before: AppState): AppState {
  let next = state;
  for (const placeId of Object.keys(before.unread)) {
    const messages = unreadMessages(before, placeId);
    const sum = (blocks: AppState) => messages.reduce((all, message) => all + mentionsOf(blocks, message), 0);
    next = changed(next, { placeId, unread: 0, mentions: sum(state) - sum(before) });
  }
  return next;
}

const isUnread =
  ({ readUpTo }: AppState, placeId: string) =>
  ({ created_at }: Counted): boolean =>
    created_at > (readUpTo[placeId] ?? "");

/** The messages of a channel or thread that the page has. */
export const historyOf = ({ histories, threads }: AppState, placeId: string): History | undefined =>
  histories[placeId] ?? threads[placeId];

/** The unread messages of a place that the page knows: those that arrived, and those at the end of the history. */
function unreadMessages(state: AppState, placeId: string): readonly Counted[] {
  const arrived = (state.counted[placeId] ?? []).filter(isUnread(state, placeId));
  const history = historyOf(state, placeId);
  const unread = state.unread[placeId] ?? 0;
  if (history === undefined || history.hasNewer || history.isStale || unread === 0) return arrived;
  const known = new Set(arrived.map(({ id }) => id));
  const ofOthers = history.messages.filter(({ author_id }) => author_id !== state.me?.id);
  const others = ofOthers.slice(-unread).filter(({ id }) => !known.has(id));
  return [...arrived, ...others.map((message) => asCounted(state, message))];
}

const mentionsOf = (state: AppState, { names, author_id }: Counted): number =>
  names && !isBlocked(state, author_id) ? 1 : 0;

function changed(
  state: AppState,
  { placeId, unread, mentions }: { placeId: string; unread: number; mentions: number },
): AppState {
  return {
    ...state,
    unread: withChange(state.unread, placeId, unread),
    mentions: withChange(state.mentions, placeId, mentions),
  };
}

function withChange(counts: Readonly<Record<string, number>>, id: string, change: number) {
  if (change === 0) return counts;
  const count = (counts[id] ?? 0) + change;
  return count > 0 ? { ...counts, [id]: count } : without(counts, [id]);
}
