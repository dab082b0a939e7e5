import { visibleChannels } from "../../state/access/permissions.js";
import { groupChannels } from "../../state/community/channel-groups.js";
import type { Place } from "../../state/conversations/histories.js";
import type { AppState } from "../../state/store/app-state.js";

/** The open place, by the path of the page; null for a screen without messages. */
export function openPlace(path: string): { place: Place; serverId: string | null } | null {
  const [, serverId, channelId] = /^\/servers\/([^/]+)\/channels\/([^/]+)/.exec(path) ?? [];
  if (serverId !== undefined && channelId !== undefined) return { place: { kind: "channel", id: channelId }, serverId };
  const [, directId] = /^\/dm\/([^/]+)/.exec(path) ?? [];
  return directId === undefined ? null : { place: { kind: "direct", id: directId }, serverId: null };
}

interface Stop {
  id: string;
  path: string;
}

/** The path of the channel or conversation before or after the open one in its list, which begins again at its end. */
export function nextPath(state: AppState, path: string, step: 1 | -1): string | null {
  const open = openPlace(path);
  if (open === null) return null;
  return around(open.serverId === null ? directStops(state) : serverStops(state, open.serverId), open.place.id, step);
}

/** The same among those with unread messages, of all servers and the direct messages. */
export function nextUnreadPath(state: AppState, path: string, step: 1 | -1): string | null {
  const all = [...directStops(state), ...state.servers.flatMap(({ id }) => serverStops(state, id))];
  const openId = openPlace(path)?.place.id;
  return around(
    all.filter(({ id }) => id === openId || (state.unread[id] ?? 0) > 0),
    openId,
    step,
  );
}

const directStops = ({ dmChannels }: AppState): Stop[] => dmChannels.map(({ id }) => ({ id, path: `/dm/${id}` }));

const serverStops = (state: AppState, serverId: string): Stop[] =>
  groupChannels(visibleChannels(state, serverId) ?? [])
    .flatMap(({ channels }) => channels)
    .map(({ id }) => ({ id, path: `/servers/${serverId}/channels/${id}` }));

function around(stops: readonly Stop[], openId: string | undefined, step: 1 | -1): string | null {
  const index = stops.findIndex(({ id }) => id === openId);
  const first = index === -1 && step === -1 ? 0 : index;
  const next = stops[(first + step + stops.length) % stops.length];
  return next === undefined || next.id === openId ? null : next.path;
}
