import type { Message, SentMessage } from "@parley/client";
import { isMention } from "../people/people.js";
import { type AppState, type Counted, without } from "../store/app-state.js";

/** Most messages of a channel that are remembered; the history has older ones, once it is read. */
const rememberedMax = 1_000;

const asCounted = ({ id, author_id, created_at, mention_everyone, mention_user_ids }: Message): Counted => ({
  id,
  author_id,
  created_at,
  mention_everyone,
  mention_user_ids,
});

/** Counts a message of another user as unread. To be called for events only: each arrives once. */
export function messageCounted(state: AppState, message: SentMessage): AppState {
  const { me } = state;
  if (me === null || message.author_id === me.id) return state;
  const id = message.channel_id;
  if (message.created_at <= (state.readUpTo[id] ?? "")) return state;
  const remembered = [...(state.counted[id] ?? []).slice(1 - rememberedMax), asCounted(message)];
  return changed(
    { ...state, counted: { ...state.counted, [id]: remembered } },
    { channelId: id, unread: 1, mentions: mentionsOf(state, message) },
  );
}

/** To be called before a message leaves the history: one that was not read is not counted any more. */
export function messageUncounted(state: AppState, { id, channel_id }: Pick<Message, "id" | "channel_id">): AppState {
  const message = unreadMessages(state, channel_id).find((one) => one.id === id);
  if (message === undefined) return state;
  const remembered = (state.counted[channel_id] ?? []).filter((one) => one.id !== id);
  return changed(
    { ...state, counted: { ...state.counted, [channel_id]: remembered } },
    { channelId: channel_id, unread: -1, mentions: -mentionsOf(state, message) },
  );
}

/** To be called before a message changes in the history: an edit mentions somebody, or not any more. */
export function messageRecounted(state: AppState, edited: Message): AppState {
  const { id, channel_id } = edited;
  const before = unreadMessages(state, channel_id).find((one) => one.id === id);
  if (before === undefined) return state;
  const remembered = (state.counted[channel_id] ?? []).map((one) => (one.id === id ? asCounted(edited) : one));
  return changed(
    { ...state, counted: { ...state.counted, [channel_id]: remembered } },
    { channelId: channel_id, unread: 0, mentions: mentionsOf(state, edited) - mentionsOf(state, before) },
  );
}

/**
 * Counts mentions again after the blocks changed: mentions by a blocked user do not count.
 *
 * @param before the state with the former blocks
 */
export function mentionsRecounted(state: AppState, before: AppState): AppState {
  let next = state;
  for (const channelId of Object.keys(before.unread)) {
    const messages = unreadMessages(before, channelId);
    const sum = (blocks: AppState) => messages.reduce((all, message) => all + mentionsOf(blocks, message), 0);
    next = changed(next, { channelId, unread: 0, mentions: sum(state) - sum(before) });
  }
  return next;
}

/** The remembered messages that are still unread after everything up to a time was read. */
export const countedSince = ({ counted }: AppState, channelId: string, time: string): Pick<AppState, "counted"> => ({
  counted: { ...counted, [channelId]: (counted[channelId] ?? []).filter(({ created_at }) => created_at > time) },
});

/** The unread messages of a channel that the page knows: those that arrived, and those at the end of the history. */
function unreadMessages(state: AppState, channelId: string): readonly Counted[] {
  const arrived = state.counted[channelId] ?? [];
  const history = state.histories[channelId];
  const unread = state.unread[channelId] ?? 0;
  if (history === undefined || history.hasNewer || history.isStale || unread === 0) return arrived;
  const known = new Set(arrived.map(({ id }) => id));
  const ofOthers = history.messages.filter(({ author_id }) => author_id !== state.me?.id);
  return [...arrived, ...ofOthers.slice(-unread).filter(({ id }) => !known.has(id))];
}

const mentionsOf = (state: AppState, message: Counted): number => (isMention(state, message) ? 1 : 0);

function changed(
  state: AppState,
  { channelId, unread, mentions }: { channelId: string; unread: number; mentions: number },
): AppState {
  return {
    ...state,
    unread: withChange(state.unread, channelId, unread),
    mentions: withChange(state.mentions, channelId, mentions),
  };
}

function withChange(counts: Readonly<Record<string, number>>, id: string, change: number) {
  if (change === 0) return counts;
  const count = (counts[id] ?? 0) + change;
  return count > 0 ? { ...counts, [id]: count } : without(counts, [id]);
}
