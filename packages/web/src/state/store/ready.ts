import type { Ready, Role } from "@parley/client";
import { type AppState, without } from "./app-state.js";
import { profileOf, withPeople } from "./group-people.js";
import type { History } from "./history.js";

/**
 * READY: replaces all state that it contains. Histories may still be shown, but become stale, as messages may have been
 * missed. The state of servers that the user has left is removed.
 */
export function onReady(state: AppState, ready: Ready): AppState {
  const {
    user,
    servers,
    dm_channels,
    unread_counts,
    mention_counts,
    server_roles,
    channel_overrides,
    thread_unreads = [],
  } = ready;
  const joined = new Set(servers.map(({ id }) => id));
  const kept = loseServers(
    state,
    state.servers.filter(({ id }) => !joined.has(id)).map(({ id }) => id),
  );
  const { profiles, presence } = withPeople(state, dm_channels);
  return {
    ...kept,
    connection: "connected",
    passive: ready.passive ?? [],
    shown: [],
    readyCount: state.readyCount + 1,
    me: user,
    servers,
    dmChannels: dm_channels,
    ...rolesOf(server_roles),
    overrides: channel_overrides,
    unread: Object.fromEntries([
      ...unread_counts.map(({ channel_id, unread_count }) => [channel_id, unread_count] as const),
      ...thread_unreads.map(({ thread_id, unread_count }) => [thread_id, unread_count] as const),
    ]),
    mentions: Object.fromEntries([
      ...mention_counts.map(({ channel_id, count }) => [channel_id, count] as const),
      ...thread_unreads.flatMap(({ thread_id, mention_count: count }) =>
        count > 0 ? [[thread_id, count] as const] : [],
      ),
    ]),
    threadChannels: Object.fromEntries(thread_unreads.map(({ thread_id, channel_id }) => [thread_id, channel_id])),
    threadStates: {},
    counted: {},
    saved: {},
    histories: stale(kept.histories),
    threads: stale(kept.threads),
    pins: {},
    quoted: {},
    goLive: {},
    commands: {},
    profiles: { ...profiles, [user.id]: profileOf(user) },
    presence: { ...presence, [user.id]: presenceOf(user) },
  };
}

/** The everyone role of each server (docs/protocol/permissions.md#24.1) beside the others, which members have by assignment. */
export function rolesOf(serverRoles: Ready["server_roles"]): Pick<AppState, "roles" | "everyone"> {
  const roles: Record<string, readonly Role[]> = {};
  const everyone: Record<string, Role> = {};
  for (const [serverId, list] of Object.entries(serverRoles)) {
    roles[serverId] = list.filter(({ id }) => id !== serverId);
    const role = list.find(({ id }) => id === serverId);
    if (role !== undefined) everyone[serverId] = role;
  }
  return { roles, everyone };
}

/** Removes servers that turn out to be gone, which the page had no event for. */
export function loseServers(state: AppState, serverIds: readonly string[]): AppState {
  const lost = state.servers.find(({ id }) => serverIds.includes(id));
  if (lost === undefined) return state;
  return { ...forgetServers(state, serverIds), removal: { serverName: lost.name, how: "gone", reason: null } };
}

/** Removes servers that the user is no longer in, with their channels. */
export function forgetServers(state: AppState, serverIds: readonly string[]): AppState {
  if (serverIds.length === 0) return state;
  const gone = new Set(serverIds);
  const channelIds = Object.values(state.channels)
    .filter(({ server_id }) => gone.has(server_id))
    .map(({ id }) => id);
  const kept = forgetChannels(state, channelIds);
  return {
    ...kept,
    servers: state.servers.filter(({ id }) => !gone.has(id)),
    channelIds: without(kept.channelIds, serverIds),
    roles: without(state.roles, serverIds),
    everyone: without(state.everyone, serverIds),
    members: without(state.members, serverIds),
    authors: without(state.authors, serverIds),
    memberCounts: without(state.memberCounts, serverIds),
    emojis: without(state.emojis, serverIds),
    rules: without(state.rules, serverIds),
    raids: without(state.raids, serverIds),
    openReports: without(state.openReports, serverIds),
    overrides: without(state.overrides, channelIds),
  };
}

/** Removes deleted and hidden channels, except their overrides, which may reveal them again. */
export function forgetChannels(state: AppState, channelIds: readonly string[]): AppState {
  if (channelIds.length === 0) return state;
  const gone = new Set(channelIds);
  const threadIds = Object.keys(state.threadChannels).filter((id) => gone.has(state.threadChannels[id] ?? ""));
  const placeIds = [...channelIds, ...threadIds];
  const lists = Object.entries(state.channelIds).map(([id, list]) => [id, list.filter((item) => !gone.has(item))]);
  return {
    ...state,
    channelIds: Object.fromEntries(lists),
    channels: without(state.channels, channelIds),
    histories: without(state.histories, channelIds),
    threads: Object.fromEntries(
      Object.entries(state.threads).filter(([, { messages }]) => !messages.some((reply) => gone.has(reply.channel_id))),
    ),
    pins: without(state.pins, channelIds),
    pending: without(state.pending, channelIds),
    unread: without(state.unread, placeIds),
    mentions: without(state.mentions, placeIds),
    threadChannels: without(state.threadChannels, threadIds),
    counted: without(state.counted, placeIds),
    voice: without(state.voice, channelIds),
    goLive: without(state.goLive, channelIds),
    ephemeral: without(state.ephemeral, channelIds),
    commands: without(state.commands, channelIds),
    interactions: state.interactions.filter(({ channelId }) => !gone.has(channelId)),
    modals: state.modals.filter(({ asked }) => !gone.has(asked.channelId)),
  };
}

const presenceOf = ({ status, custom_status, activity }: Ready["user"]) => ({
  status,
  custom_status,
  activity,
});

const stale = (histories: Readonly<Record<string, History>>): Record<string, History> =>
  Object.fromEntries(Object.entries(histories).map(([id, history]) => [id, { ...history, isStale: true }]));
