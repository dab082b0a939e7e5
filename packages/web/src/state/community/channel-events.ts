import type { Channel, ChannelDeleteEvent } from "@parley/client";
import { type AppState, without } from "../store/app-state.js";
import type { Change } from "../store/app-store.js";
import { forgetChannels } from "../store/ready.js";

/** The channels of a server, as the API lists them. */
export function withChannels(state: AppState, serverId: string, list: readonly Channel[]): AppState {
  const ids = list.map(({ id }) => id);
  const gone = (state.channelIds[serverId] ?? []).filter((id) => !ids.includes(id));
  const kept = forgetChannels(state, gone);
  return {
    ...kept,
    channels: { ...kept.channels, ...Object.fromEntries(list.map((channel) => [channel.id, channel])) },
    channelIds: { ...kept.channelIds, [serverId]: ids },
  };
}

/** CHANNEL_CREATE and CHANNEL_UPDATE; channels of a server that were not read yet are, with this one. */
export function onChannel(state: AppState, channel: Channel): AppState {
  const ids = state.channelIds[channel.server_id];
  if (ids === undefined) return state;
  const others = ids.filter((id) => id !== channel.id).flatMap((id) => state.channels[id] ?? []);
  return withChannels(state, channel.server_id, [...others, channel].toSorted(byPosition));
}

/** {@link onChannel} for the answer to a request, with the changes since. */
export function channelSince(state: AppState, channel: Channel, since: Change): Partial<AppState> {
  const { channels, channelIds } = since(onChannel(state, channel));
  return { channels, channelIds };
}

/** CHANNEL_DELETE */
export function onChannelDelete(state: AppState, { id }: ChannelDeleteEvent): AppState {
  const kept = forgetChannels(state, [id]);
  return { ...kept, overrides: without(kept.overrides, [id]) };
}

/** The order in which the API lists channels. */
const byPosition = (a: Channel, b: Channel) =>
  a.position - b.position || compare(a.created_at, b.created_at) || compare(a.id, b.id);
const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
