import type {
  Attachment,
  AttachmentCreateEvent,
  DeletedMessage,
  DetailedMessage,
  EventDeleteEvent,
  ListedEvent,
  Message,
  MessageDeleteBulkEvent,
  MessagePinEvent,
  MessagePreviewsEvent,
  MessageUnpinEvent,
  NewDmMessage,
  NewMessage,
  PollVoteEvent,
  ReactionAddEvent,
  ReactionCount,
  ScheduledEvent,
  SentMessage,
} from "@parley/client";
import { messageCounted, messageRecounted, messageUncounted, replyCounted } from "../notices/unread.js";
import { type AppState, without } from "../store/app-state.js";
import type { Change } from "../store/app-store.js";
import { withChanged, withoutMessage, withSent } from "../store/history.js";
import { type Authored, withAuthors } from "./authors.js";
import { fromSentDirectMessage } from "./direct-message.js";
import { withoutPending } from "./pending.js";

/** Adds a message from its event or from the answer to sending it; the later one of both changes nothing. */
export function messageSent(state: AppState, sent: SentMessage & Authored): AppState {
  const { nonce, attachments, server_id: _server, author: _author, ...message } = sent;
  const known = withLastSent(withFiles(state, sent.id, attachments), sent);
  const cleared = withoutTypist(withoutPending(known, message.channel_id, nonce), sent);
  const history = cleared.histories[message.channel_id];
  if (history === undefined) return cleared;
  const histories = { ...cleared.histories, [message.channel_id]: withSent(history, message) };
  // A new message has no reactions.
  return { ...cleared, histories, reactions: { [message.id]: [], ...cleared.reactions } };
}

const withLastSent = (state: AppState, { author_id, channel_id, created_at }: SentMessage): AppState =>
  author_id === state.me?.id ? { ...state, lastSent: { ...state.lastSent, [channel_id]: created_at } } : state;

/** ATTACHMENT_CREATE */
export function onAttachments(state: AppState, { message_id, attachments }: AttachmentCreateEvent): AppState {
  return withFiles(state, message_id, attachments);
}

/**
 * Adds files of a message. Known files keep their address: later ones have another signature, with which the browser
 * would load the same picture again.
 */
export function withFiles(state: AppState, id: string, files: readonly Attachment[] = []): AppState {
  const known = state.attachments[id];
  const added = files.filter((file) => known?.every((one) => one.id !== file.id) ?? true);
  if (known !== undefined && added.length === 0) return state;
  const all = [...(known ?? []), ...added].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return { ...state, attachments: { ...state.attachments, [id]: all } };
}

/** MESSAGE_CREATE */
export function onMessageCreate(state: AppState, message: SentMessage & Authored): AppState {
  return messageCounted(messageSent(withAuthors(state, [message]), message), message);
}

/** DM_MESSAGE_CREATE */
export function onDirectMessageCreate(state: AppState, { author: _, ...sent }: NewDmMessage): AppState {
  const message = fromSentDirectMessage(sent);
  const channel = state.dmChannels.find(({ id }) => id === sent.channel_id);
  const others = state.dmChannels.filter(({ id }) => id !== sent.channel_id);
  const dmChannels =
    channel === undefined ? state.dmChannels : [{ ...channel, last_message_at: sent.created_at }, ...others];
  return onMessageCreate({ ...state, dmChannels }, message);
}

/** THREAD_MESSAGE_CREATE */
export const onReply = (state: AppState, sent: NewMessage): AppState =>
  replyCounted(replySent(withAuthors(state, [sent]), sent, true), sent);

/** Adds a reply. With `isEvent` it is counted at its root; the answer to sending is not. */
export function replySent(state: AppState, sent: SentMessage & Authored, isEvent: boolean): AppState {
  const { nonce, attachments, server_id: _server, author: _author, ...message } = sent;
  const rootId = message.thread_id;
  if (rootId === null) return state;
  const known = withLastSent(withFiles(state, sent.id, attachments), sent);
  const cleared = withoutPending(known, rootId, nonce);
  const thread = cleared.threads[rootId];
  const threads = thread === undefined ? cleared.threads : { ...cleared.threads, [rootId]: withSent(thread, message) };
  const next = { ...cleared, threads, reactions: { [message.id]: [], ...cleared.reactions } };
  return isEvent ? changeMessage(next, message.channel_id, rootId, (root) => withReplies(root, 1)) : next;
}

/** MESSAGE_UPDATE. The link cards have an event of their own. */
export function onMessageUpdate(state: AppState, edited: Message & Authored): AppState {
  const { server_id: _server, author: _author, ...message } = edited;
  const counted = messageRecounted(withAuthors(state, [edited]), message);
  return changeMessage(counted, message.channel_id, message.id, ({ previews, event }: DetailedMessage) =>
    withPreviews({ ...message, event: message.event && withMeOf(event, message.event) }, previews),
  );
}

/** MESSAGE_PREVIEWS */
export function onMessagePreviews(
  state: AppState,
  { message_id, channel_id, previews }: MessagePreviewsEvent,
): AppState {
  return changeMessage(state, channel_id, message_id, (message) => withPreviews(message, previews));
}

/**
 * The change of a message by an answer, with the changes since its request: a later edit or vote stays, and a message
 * that was deleted meanwhile stays away.
 *
 * @param put applies the answer to the message
 */
export function messageSince(
  state: AppState,
  { channel_id, id }: Pick<Message, "channel_id" | "id">,
  put: (message: Message) => Message,
  since: Change,
): Partial<AppState> {
  const later = findMessage(since(changeMessage(state, channel_id, id, put)), channel_id, id);
  if (later === undefined) return {};
  return changeMessage(state, channel_id, id, ({ thread_reply_count }) => ({ ...later, thread_reply_count }));
}

/** {@link messageSent} or {@link replySent} for the answer to sending, unless the message was deleted since the request. */
export function sentSince(state: AppState, sent: SentMessage, since: Change): Partial<AppState> {
  const put: Change = (before) =>
    sent.thread_id === null ? messageSent(before, sent) : replySent(before, sent, false);
  const has = ({ histories, threads }: AppState) => {
    const window = sent.thread_id === null ? histories[sent.channel_id] : threads[sent.thread_id];
    return window?.messages.some(({ id }) => id === sent.id) === true;
  };
  const shown = put(state);
  return has(shown) && !has(since(shown)) ? {} : shown;
}

/** A message with link cards, which an edit does not say. */
export const withPreviews = (message: Message, previews: DetailedMessage["previews"]): DetailedMessage =>
  previews === undefined ? message : { ...message, previews };

/** MESSAGE_DELETE, of a message or a reply in a thread, and DM_MESSAGE_DELETE. */
export function onMessageDelete(before: AppState, { id, channel_id }: DeletedMessage): AppState {
  const state = messageUncounted(before, { id, channel_id });
  const history = state.histories[channel_id];
  let next: AppState = {
    ...state,
    histories:
      history === undefined ? state.histories : { ...state.histories, [channel_id]: withoutMessage(history, id) },
    reactions: without(state.reactions, [id]),
    attachments: without(state.attachments, [id]),
    pins: withoutPin(state, channel_id, id),
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

/** MESSAGE_DELETE_BULK */
export function onMessageDeleteBulk(state: AppState, { ids, channel_id }: MessageDeleteBulkEvent): AppState {
  return ids.reduce((next, id) => onMessageDelete(next, { id, channel_id }), state);
}

/** EVENT_UPDATE: a scheduled event stands in its message. It does not say what the viewer chose. */
export function onEventUpdate(state: AppState, { channel_id, message_id, ...event }: ListedEvent): AppState {
  return changeMessage(state, channel_id, message_id, (message) => ({
    ...message,
    event: withMeOf(message.event, event),
  }));
}

/** What the viewer chose stays, where a change of the event does not say it. */
const withMeOf = (before: ScheduledEvent | null, event: ScheduledEvent): ScheduledEvent =>
  event.interested_count === undefined ? event : { ...event, me: event.me ?? before?.me ?? false };

/** The viewer said whether they are interested in an event; the count comes with EVENT_UPDATE. */
export function setInterest(state: AppState, { channel_id, id }: Message, me: boolean): AppState {
  return changeMessage(state, channel_id, id, (message) =>
    message.event === null ? message : { ...message, event: { ...message.event, me } },
  );
}

/** EVENT_DELETE takes the message with it. */
export function onEventDelete(state: AppState, { channel_id, message_id }: EventDeleteEvent): AppState {
  return onMessageDelete(state, { id: message_id, channel_id });
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
  const list = next.pins[channel_id];
  if (list === undefined) return next;
  const message = findMessage(next, channel_id, message_id);
  // The list is read again, as the event does not have the message.
  if (message === undefined) return { ...next, pins: without(next.pins, [channel_id]) };
  const pins = [message, ...list.filter(({ id }) => id !== message_id)];
  return { ...next, pins: { ...next.pins, [channel_id]: pins } };
}

/** A message that the page has, wherever. */
function findMessage(state: AppState, channelId: string, id: string): Message | undefined {
  const { histories, threads, pins, quoted } = state;
  const windows = [histories[channelId], ...Object.values(threads)].flatMap((history) => history?.messages ?? []);
  const lists = [...windows, ...(pins[channelId] ?? [])];
  return lists.find((message) => message.id === id) ?? quoted[id] ?? undefined;
}

function withoutPin({ pins }: AppState, channelId: string, id: string): AppState["pins"] {
  const list = pins[channelId];
  return list === undefined ? pins : { ...pins, [channelId]: list.filter((message) => message.id !== id) };
}

/** MESSAGE_UNPIN */
export function onMessageUnpin(state: AppState, { message_id, channel_id }: MessageUnpinEvent): AppState {
  const next = changeMessage(state, channel_id, message_id, (message) => ({
    ...message,
    pinned: false,
    pinned_by: null,
    pinned_at: null,
  }));
  return { ...next, pins: withoutPin(next, channel_id, message_id) };
}

/** POLL_VOTE and POLL_END */
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
  const pins = state.pins[channelId];
  if (pins !== undefined) {
    const changed = pins.map((message) => (message.id === id ? change(message) : message));
    next = { ...next, pins: { ...next.pins, [channelId]: changed } };
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
