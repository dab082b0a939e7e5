import type { ChannelOverride, Gateway } from "@parley/client";
import { isVisible } from "../access/permissions.js";
import { withoutCommands } from "../apps/interaction-events.js";
import type { AppState } from "../store/app-state.js";
import type { AppStore } from "../store/app-store.js";
import { forgetChannels } from "../store/ready.js";
import type { Servers } from "./servers.js";

/** Removes the channels of a server that the user may no longer view, and the commands that the user may use in the others. */
export function withoutHidden(state: AppState, serverId: string | undefined): AppState {
  const hidden = Object.values(state.channels).filter(
    (channel) => channel.server_id === serverId && !isVisible(state, channel),
  );
  return forgetChannels(
    withoutCommands(state, serverId),
    hidden.map(({ id }) => id),
  );
}

/** All members of a server get an event at the same time; the reads that it causes are spread over this many ms. */
const spreadMs = 1_000;

/**
 * Reads the channels of a server again after an event of other rights, which may have revealed some. To be
 * called before the listeners that apply events are added: each event is compared with the state before it.
 *
 * @returns a function that removes the listeners
 */
export function followVisibility(gateway: Gateway, store: AppStore, servers: Servers): () => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const readSoon = (serverId: string) => {
    if (timers.has(serverId)) return;
    const read = () => {
      timers.delete(serverId);
      servers.readRevealed(serverId).catch(() => undefined);
    };
    timers.set(serverId, setTimeout(read, Math.random() * spreadMs));
  };
  /** True also when the user's roles are not known, because the server was not opened yet. */
  const mayHold = (serverId: string, roleId: string) => {
    const { me, members } = store.getState();
    // Everybody holds the everyone role.
    if (roleId === serverId) return true;
    return members[serverId]?.[me?.id ?? ""]?.roles.some(({ id }) => id === roleId) !== false;
  };
  const onOverride = (channelId: string, override: ChannelOverride | undefined) => {
    const { me, channels, roles } = store.getState();
    if (channels[channelId] !== undefined) return;
    if (override !== undefined && override.user_id !== null && override.user_id !== me?.id) return;
    const roleId = override?.role_id ?? null;
    const serverId = Object.keys(roles).find((id) => id === roleId || roles[id]?.some((role) => role.id === roleId));
    if (roleId !== null && serverId !== undefined) {
      if (mayHold(serverId, roleId)) readSoon(serverId);
    } else void servers.readServerOf(channelId).catch(() => undefined);
  };
  const undo = [
    gateway.on("SERVER_UPDATE", ({ id, owner_id }) => {
      const { me, servers } = store.getState();
      const before = servers.find((server) => server.id === id)?.owner_id;
      if (owner_id === me?.id && owner_id !== before) readSoon(id);
    }),
    gateway.on("ROLE_UPDATE", ({ id, server_id, permissions }) => {
      const { roles, everyone } = store.getState();
      const before = id === server_id ? everyone[id] : roles[server_id]?.find((role) => role.id === id);
      if (before?.permissions !== permissions && mayHold(server_id, id)) readSoon(server_id);
    }),
    gateway.on("ROLE_DELETE", ({ role_id, server_id }) => {
      if (mayHold(server_id, role_id)) readSoon(server_id);
    }),
    gateway.on("CHANNEL_OVERRIDE_UPDATE", (override) => onOverride(override.channel_id, override)),
    gateway.on("CHANNEL_OVERRIDE_DELETE", ({ channel_id, override_id }) =>
      onOverride(
        channel_id,
        store.getState().overrides[channel_id]?.find(({ id }) => id === override_id),
      ),
    ),
  ];
  return () => {
    for (const step of undo) step();
    for (const timer of timers.values()) clearTimeout(timer);
  };
}
