import type {
  DeletedMessage,
  Message,
  MessagePinEvent,
  MessageUnpinEvent,
  PollVoteEvent,
  ReactionAddEvent,
  ReactionCount,
  SentDmMessage,
  SentMessage,
} from "@parley/client";
import { type AppState, without } from "./app-state.js";
import { fromSentDirectMessage } from "./direct-message.js";
import { withChanged, withoutMessage, withSent } from "./history.js";
import { withoutPending } from "./pending.js";

/** Adds a message from its event or from the answer to sending it; the later one of both changes nothing. */
export function messageSent(state: AppState, sent: SentMessage): AppState {
  const { nonce, attachments, ...message } = sent;
  const known = withFiles(state, sent.id, attachments);
  const cleared = withoutTypist(withoutPending(known, message.channel_id, nonce), sent);
  const history = cleared.histories[message.channel_id];
  if (history === undefined) return cleared;
  const histories = { ...cleared.histories, [message.channel_id]: withSent(history, message) };
  // A new message has no reactions.
  return { ...cleared, histories, reactions: { [message.id]: [], ...cleared.reactions } };
}

/** Stores the files that were sent with a message; the answer and the event have the same with other signatures. */
function withFiles(state: AppState, id: string, files: SentMessage["attachments"]): AppState {
  if (files === undefined || state.attachments[id] !== undefined) return state;
  return { ...state, attachments: { ...state.attachments, [id]: files } };
}

/** Counts a message of another user as unread. To be called for events only: each arrives once. */
export function messageCounted(state: AppState, message: SentMessage): AppState {
  const { me } = state;
  if (me === null || message.author_id === me.id) return state;
  const id = message.channel_id;
  if (message.id <= (state.readElsewhere[id] ?? "")) return state;
  const isMention = message.mention_everyone || message.mention_user_ids.includes(me.id);
  return {
    ...state,
    unread: { ...state.unread, [id]: (state.unread[id] ?? 0) + 1 },
    mentions: isMention ? { ...state.mentions, [id]: (state.mentions[id] ?? 0) + 1 } : state.mentions,
  };
}

/** MESSAGE_CREATE */
export function onMessageCreate(state: AppState, message: SentMessage): AppState {
  return messageCounted(messageSent(state, message), message);
}

/** DM_MESSAGE_CREATE */
export function onDirectMessageCreate(state: AppState, sent: SentDmMessage): AppState {
  const message = fromSentDirectMessage(sent);
  const channel = state.dmChannels.find(({ id }) => id === sent.channel_id);
  const others = state.dmChannels.filter(({ id }) => id !== sent.channel_id);
  const dmChannels =
    channel === undefined ? state.dmChannels : [{ ...channel, last_message_at: sent.created_at }, ...others];
  return onMessageCreate({ ...state, dmChannels }, message);
}

/** Adds a reply. With `isEvent` (THREAD_MESSAGE_CREATE) it is counted at its root; the answer to sending is not. */
export function replySent(state: AppState, sent: SentMessage, isEvent: boolean): AppState {
  const { nonce, attachments, ...message } = sent;
  const rootId = message.thread_id;
  if (rootId === null) return state;
  const cleared = withoutPending(withFiles(state, sent.id, attachments), rootId, nonce);
  const thread = cleared.threads[rootId];
  const threads = thread === undefined ? cleared.threads : { ...cleared.threads, [rootId]: withSent(thread, message) };
  const next = { ...cleared, threads, reactions: { [message.id]: [], ...cleared.reactions } };
  return isEvent ? changeMessage(next, message.channel_id, rootId, (root) => withReplies(root, 1)) : next;
}

/** MESSAGE_UPDATE */
export function onMessageUpdate(state: AppState, message: Message): AppState {
  const next = changeMessage(state, message.channel_id, message.id, () => message);
  return message.pinned ? { ...next, pins: without(next.pins, [message.channel_id]) } : next;
}

/** MESSAGE_DELETE, of a message or a reply in a thread. */
export function onMessageDelete(state: AppState, { id, channel_id }: DeletedMessage): AppState {
  const history = state.histories[channel_id];
  let next: AppState = {
    ...state,
    histories:
      history === undefined ? state.histories : { ...state.histories, [channel_id]: withoutMessage(history, id) },
    reactions: without(state.reactions, [id]),
    attachments: without(state.attachments, [id]),
    pins: without(state.pins, [channel_id]),
    quoted: id in state.quoted ? { ...state.quoted, [id]: null } : state.quoted,
  };
  for (const [rootId, thread] of Object.entries(state.threads)) {
    const shorter = withoutMessage(thread, id);
    if (shorter === thread) continue;
    next = { ...next, threads: { ...next.threads, [rootId]: shorter } };
    next = changeMessage(next, channel_id, rootId, (root) => withReplies(root, -1));
  }
  return next;
}

/** MESSAGE_PIN */
export function onMessagePin(state: AppState, event: MessagePinEvent): AppState {
  const { message_id, channel_id, pinned_by, pinned_at } = event;
  const next = changeMessage(state, channel_id, message_id, (message) => ({
    ...message,
    pinned: true,
    pinned_by,
    pinned_at,
  }));
  return { ...next, pins: without(next.pins, [channel_id]) };
}

/** MESSAGE_UNPIN */
export function onMessageUnpin(state: AppState, { message_id, channel_id }: MessageUnpinEvent): AppState {
  const next = changeMessage(state, channel_id, message_id, (message) => ({
    ...message,
    pinned: false,
    pinned_by: null,
    pinned_at: null,
  }));
  return { ...next, pins: without(next.pins, [channel_id]) };
}

/** POLL_VOTE */
export function onPollVote(state: AppState, { message_id, channel_id, updated_poll }: PollVoteEvent): AppState {
  return changeMessage(state, channel_id, message_id, (message) => ({ ...message, poll: updated_poll }));
}

/** REACTION_ADD and REACTION_REMOVE, also for a reaction of the user that is shown before the server answers. */
export function onReaction(state: AppState, event: ReactionAddEvent, change: 1 | -1): AppState {
  const list = state.reactions[event.message_id];
  if (list === undefined) return state;
  const next = countReaction(list, event.emoji, change, event.user_id === state.me?.id);
  return next === list ? state : { ...state, reactions: { ...state.reactions, [event.message_id]: next } };
}

function countReaction(list: readonly ReactionCount[], emoji: string, change: 1 | -1, isMine: boolean) {
  const position = list.findIndex((reaction) => reaction.emoji === emoji);
  const reaction = list[position] ?? { emoji, count: 0, me: false };
  if (isMine && reaction.me === (change === 1)) return list;
  const changed = { emoji, count: reaction.count + change, me: isMine ? change === 1 : reaction.me };
  if (changed.count <= 0) return list.filter((other) => other.emoji !== emoji);
  return position === -1 ? [...list, changed] : list.with(position, changed);
}

/** Changes a message wherever it is kept. */
export function changeMessage(
  state: AppState,
  channelId: string,
  id: string,
  change: (message: Message) => Message,
): AppState {
  let next = state;
  const history = state.histories[channelId];
  if (history !== undefined) {
    next = { ...next, histories: { ...next.histories, [channelId]: withChanged(history, id, change) } };
  }
  const quoted = state.quoted[id];
  if (quoted !== undefined && quoted !== null) {
    next = { ...next, quoted: { ...next.quoted, [id]: change(quoted) } };
  }
  for (const [rootId, thread] of Object.entries(state.threads)) {
    const changed = withChanged(thread, id, change);
    if (changed !== thread) next = { ...next, threads: { ...next.threads, [rootId]: changed } };
  }
  return next;
}

const withReplies = (root: Message, change: 1 | -1): Message => ({
  ...root,
  thread_reply_count: Math.max(0, root.thread_reply_count + change),
});

function withoutTypist(state: AppState, { channel_id, author_id }: Message): AppState {
  const typists = state.typing[channel_id];
  if (!typists?.some(({ userId }) => userId === author_id)) return state;
  return { ...state, typing: { ...state.typing, [channel_id]: typists.filter(({ userId }) => userId !== author_id) } };
}
