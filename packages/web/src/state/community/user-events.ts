import type {
  AnyDmChannel,
  GoLiveSession,
  GoLiveStopEvent,
  Member,
  PresenceUpdateEvent,
  ReadStateUpdateEvent,
  TypingStartEvent,
  User,
  VoiceState,
} from "@parley/client";
import { countedSince } from "../notices/unread.js";
import { isBlocked, isMention } from "../people/people.js";
import { type AppState, without } from "../store/app-state.js";
import type { Change } from "../store/app-store.js";
import { withPeople } from "../store/group-people.js";

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
  const { id, username, avatar_url, status, custom_status, activity } = me;
  return {
    ...state,
    me,
    profiles: { ...state.profiles, [id]: { id, username, avatar_url } },
    presence: { ...state.presence, [id]: { status, custom_status, activity } },
  };
}

/** {@link onUserUpdate} for the answer to a request, with the changes since. */
export function userSince(state: AppState, user: User, since: Change): Partial<AppState> {
  const { me, profiles, presence } = since(onUserUpdate(state, user));
  return { me, profiles, presence };
}

/** Marks a channel as read as far as the page has its messages. */
export function channelRead(state: AppState, channelId: string): AppState {
  const newest = state.histories[channelId]?.messages.at(-1)?.created_at;
  return {
    ...state,
    unread: without(state.unread, [channelId]),
    mentions: without(state.mentions, [channelId]),
    counted: without(state.counted, [channelId]),
    readUpTo: newest === undefined ? state.readUpTo : { ...state.readUpTo, [channelId]: newest },
  };
}

/** READ_STATE_UPDATE: the user has read a channel, here or on another device. */
export function onReadState(state: AppState, event: ReadStateUpdateEvent): AppState {
  const { channel_id: id, last_read_at } = event;
  // This page has read more since, and will report that to the server.
  if (last_read_at <= (state.readUpTo[id] ?? "")) return state;
  const read = {
    ...channelRead(state, id),
    ...countedSince(state, id, last_read_at),
    readUpTo: { ...state.readUpTo, [id]: last_read_at },
  };
  const history = state.histories[id];
  // Messages that were sent after the count of the event, and arrived before it, are counted here.
  const later =
    history === undefined || history.hasNewer || history.isStale
      ? null
      : history.messages.filter(({ author_id, created_at }) => created_at > last_read_at && author_id !== state.me?.id);
  const unread = later?.length ?? event.unread_count;
  const mentions = later?.filter((message) => isMention(state, message)).length ?? event.mention_count;
  return {
    ...read,
    unread: unread === 0 ? read.unread : { ...read.unread, [id]: unread },
    mentions: mentions === 0 ? read.mentions : { ...read.mentions, [id]: mentions },
  };
}

/** Adds members as the API lists them, with the account data in the list. */
export function withMembers(state: AppState, serverId: string, list: readonly Member[]): AppState {
  const members = { ...state.members[serverId] };
  const profiles = { ...state.profiles };
  const presence = { ...state.presence };
  for (const member of list) {
    const { user_id, username, avatar_url, status, custom_status, activity } = member;
    members[user_id] = member;
    profiles[user_id] = { id: user_id, username, avatar_url };
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
