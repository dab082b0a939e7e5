import type {
  AnyDmChannel,
  GoLiveSession,
  GoLiveStopEvent,
  Member,
  Message,
  PresenceUpdateEvent,
  ReadStateUpdateEvent,
  TypingStartEvent,
  User,
  VoiceState,
} from "@parley/client";
import { historyOf } from "../notices/unread.js";
import { isBlocked, isMention } from "../people/people.js";
import { type AppState, without } from "../store/app-state.js";
import type { Change } from "../store/app-store.js";
import { profileOf, withPeople } from "../store/group-people.js";

/**
 * Milliseconds for which a user is shown as typing after their last TYPING_START; clients send one every 3 s at most.
 */
export const typingMs = 8_000;

/** PRESENCE_UPDATE */
export function onPresence(state: AppState, { user_id, ...presence }: PresenceUpdateEvent): AppState {
  return { ...state, presence: { ...state.presence, [user_id]: presence } };
}

/**
 * Marks subscribed users for whom no presence has arrived as offline: the server answers only for users who are not
 * (docs/protocol/connecting.md#20.1).
 */
export function presenceUnknown(state: AppState, userIds: readonly string[]): AppState {
  if (userIds.length === 0) return state;
  const presence = { ...state.presence };
  for (const id of userIds) {
    const known = presence[id];
    if (known !== undefined && id !== state.me?.id) presence[id] = { ...known, status: "offline" };
  }
  return { ...state, presence };
}

/** USER_UPDATE: the own profile, also after the answer to changing it. */
export function onUserUpdate(state: AppState, me: User): AppState {
  const { id, status, custom_status, activity } = me;
  return {
    ...state,
    me,
    profiles: { ...state.profiles, [id]: profileOf(me) },
    presence: { ...state.presence, [id]: { status, custom_status, activity } },
  };
}

/** {@link onUserUpdate} for the answer to a request, with the changes since. */
export function userSince(state: AppState, user: User, since: Change): Partial<AppState> {
  const { me, profiles, presence } = since(onUserUpdate(state, user));
  return { me, profiles, presence };
}

/** Marks a channel or thread as read as far as the page has its messages. */
export function placeRead(state: AppState, placeId: string): AppState {
  const known = [historyOf(state, placeId)?.messages, state.counted[placeId]].map((list) => list?.at(-1)?.created_at);
  const newest = [state.readUpTo[placeId], ...known].reduce((one = "", other = "") => (one > other ? one : other));
  return {
    ...state,
    unread: without(state.unread, [placeId]),
    mentions: without(state.mentions, [placeId]),
    readUpTo: newest === undefined ? state.readUpTo : { ...state.readUpTo, [placeId]: newest },
  };
}

/** READ_STATE_UPDATE: the user has read a channel or thread, or marked a channel as unread, here or on another device. */
export function onReadState(before: AppState, event: ReadStateUpdateEvent): AppState {
  const { channel_id, thread_id, last_read_at } = event;
  const id = thread_id ?? channel_id;
  const threadChannels =
    thread_id === undefined ? before.threadChannels : { ...before.threadChannels, [thread_id]: channel_id };
  const state = { ...before, threadChannels, marked: { ...before.marked, [id]: last_read_at } };
  const isBack = last_read_at < (before.marked[id] ?? "");
  // This page has read more since, and will report that to the server.
  if (!isBack && last_read_at <= (state.readUpTo[id] ?? "")) return state;
  // Messages that were sent after the count of the event, and arrived before it, are counted here.
  const later = knownSince(state, id, last_read_at);
  const unread = later?.length ?? event.unread_count;
  const mentions = later?.filter((message) => isMention(state, message)).length ?? event.mention_count;
  const above = (counts: AppState["unread"], count: number) =>
    count === 0 ? without(counts, [id]) : { ...counts, [id]: count };
  return {
    ...state,
    unread: above(state.unread, unread),
    mentions: above(state.mentions, mentions),
    readUpTo: { ...state.readUpTo, [id]: last_read_at },
  };
}

/** The messages of others since a time; null when the page may not have all. */
function knownSince(state: AppState, id: string, time: string): Message[] | null {
  const history = historyOf(state, id);
  if (history === undefined || history.hasNewer || history.isStale) return null;
  const [oldest] = history.messages;
  if (history.hasOlder && (oldest === undefined || oldest.created_at > time)) return null;
  return history.messages.filter(({ author_id, created_at }) => created_at > time && author_id !== state.me?.id);
}

/** Adds members as the API lists them, with the account data in the list. */
export function withMembers(state: AppState, serverId: string, list: readonly Member[]): AppState {
  const members = { ...state.members[serverId] };
  const profiles = { ...state.profiles };
  const presence = { ...state.presence };
  for (const member of list) {
    const { user_id, status, custom_status, activity } = member;
    members[user_id] = member;
    profiles[user_id] = profileOf({ ...member, id: user_id });
    presence[user_id] = { status, custom_status, activity };
  }
  return { ...state, members: { ...state.members, [serverId]: members }, profiles, presence };
}

/** {@link withMembers} for a list that was just read, with the changes since its request. */
export function membersSince(
  state: AppState,
  serverId: string,
  list: readonly Member[],
  since: Change,
): Pick<AppState, "members" | "profiles" | "presence"> {
  const { members, profiles, presence } = since(withMembers(state, serverId, list));
  return { members, profiles, presence };
}

/** DM_CHANNEL_CREATE, also after the answer to opening it. */
export function onDmChannel(state: AppState, channel: AnyDmChannel): AppState {
  if (state.dmChannels.some(({ id }) => id === channel.id)) return state;
  return { ...withPeople(state, [channel]), dmChannels: [channel, ...state.dmChannels] };
}

/** {@link onDmChannel} for the answer to opening one, with the changes since. */
export function dmChannelSince(state: AppState, channel: AnyDmChannel, since: Change): Partial<AppState> {
  const { dmChannels, profiles, presence } = since(onDmChannel(state, channel));
  return { dmChannels, profiles, presence };
}

/** TYPING_START, with the time of the page's clock, as clocks differ. */
export function onTyping(state: AppState, event: TypingStartEvent, now: number): AppState {
  if (event.user_id === state.me?.id || isBlocked(state, event.user_id)) return state;
  const others = (state.typing[event.channel_id] ?? []).filter(
    ({ userId, at }) => userId !== event.user_id && now - at < typingMs,
  );
  const typist = { userId: event.user_id, username: event.username, at: now };
  return { ...state, typing: { ...state.typing, [event.channel_id]: [...others, typist] } };
}

/** Removes users whose last TYPING_START is older than {@link typingMs}. */
export function typingExpired(state: AppState, now: number): AppState {
  const typing = Object.entries(state.typing)
    .map(([id, list]) => [id, list.filter(({ at }) => now - at < typingMs)] as const)
    .filter(([, list]) => list.length > 0);
  return { ...state, typing: Object.fromEntries(typing) };
}

/** VOICE_STATE_UPDATE: a user is in one voice channel at most. */
export function onVoiceState(state: AppState, voiceState: VoiceState): AppState {
  const voice: Record<string, Readonly<Record<string, VoiceState>>> = {};
  for (const [channelId, users] of Object.entries(state.voice)) voice[channelId] = without(users, [voiceState.user_id]);
  const { channel_id: channelId } = voiceState;
  if (channelId !== null) voice[channelId] = { ...voice[channelId], [voiceState.user_id]: voiceState };
  return { ...state, voice };
}

/** Replaces the voice states in a channel by those that the API lists. */
export function withVoice(state: AppState, channelId: string, list: readonly VoiceState[]): AppState {
  const users = Object.fromEntries(list.map((voiceState) => [voiceState.user_id, voiceState]));
  return { ...state, voice: { ...state.voice, [channelId]: users } };
}

/** GO_LIVE_START */
export function onGoLiveStart(state: AppState, session: GoLiveSession): AppState {
  return { ...state, goLive: { ...state.goLive, [session.channel_id]: session } };
}

/** GO_LIVE_STOP */
export function onGoLiveStop(state: AppState, { channel_id }: GoLiveStopEvent): AppState {
  return { ...state, goLive: without(state.goLive, [channel_id]) };
}
