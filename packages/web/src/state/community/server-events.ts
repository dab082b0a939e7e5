import type {
  ChannelOverride,
  ChannelOverrideDeleteEvent,
  CustomEmoji,
  CustomEmojiDeleteEvent,
  MemberKickEvent,
  MemberRoleAddEvent,
  MemberRoleRemoveEvent,
  RawServer,
  Role,
  RoleDeleteEvent,
  ServerJoinEvent,
  ServerLeaveEvent,
} from "@parley/client";
import type { AppState } from "../store/app-state.js";
import type { Change } from "../store/app-store.js";
import { forgetServers, loseServers, rolesOf } from "../store/ready.js";
import { withMembers } from "./user-events.js";

/** SERVER_JOIN: the user joined or made a server. */
export function onServerJoin(state: AppState, { server, roles, channel_overrides, member }: ServerJoinEvent): AppState {
  const others = state.servers.filter(({ id }) => id !== server.id);
  const known = rolesOf({ [server.id]: roles });
  const joined = {
    ...state,
    servers: [...others, server],
    roles: { ...state.roles, ...known.roles },
    everyone: { ...state.everyone, ...known.everyone },
    overrides: { ...state.overrides, ...channel_overrides },
  };
  return withMembers(joined, server.id, [member]);
}

/** SERVER_LEAVE: the user is no member any more. */
export function onServerLeave(state: AppState, { server_id, reason }: ServerLeaveEvent): AppState {
  // MEMBER_KICK or MEMBER_BAN has already reported a removal, with the reason.
  const isNews = reason === "deleted" && server_id !== state.deleting;
  return isNews ? loseServers(state, [server_id]) : forgetServers(state, [server_id]);
}

/** SERVER_UPDATE */
export function onServerUpdate(state: AppState, server: RawServer): AppState {
  return { ...state, servers: state.servers.map((known) => (known.id === server.id ? server : known)) };
}

/** ROLE_CREATE and ROLE_UPDATE; highest position first, as in READY. */
export function onRole(state: AppState, role: Role): AppState {
  if (role.id === role.server_id) return { ...state, everyone: { ...state.everyone, [role.id]: role } };
  const others = (state.roles[role.server_id] ?? []).filter(({ id }) => id !== role.id);
  const next = [...others, role].toSorted((a, b) => b.position - a.position);
  const { id, name, color, position } = role;
  const members = Object.fromEntries(
    Object.entries(state.members[role.server_id] ?? {}).map(([userId, member]) => [
      userId,
      member.roles.some((held) => held.id === id)
        ? {
            ...member,
            roles: byPosition([...member.roles.filter((held) => held.id !== id), { id, name, color, position }]),
          }
        : member,
    ]),
  );
  return {
    ...state,
    roles: { ...state.roles, [role.server_id]: next },
    members: { ...state.members, [role.server_id]: members },
  };
}

/** {@link onRole} for the answer to changing a role, with the changes since the request. */
export function roleSince(state: AppState, role: Role, since: Change): Partial<AppState> {
  const { roles, everyone, members } = since(onRole(state, role));
  return { roles, everyone, members };
}

/** ROLE_DELETE takes the assignments and overrides of the role with it. */
export function onRoleDelete(state: AppState, { server_id, role_id }: RoleDeleteEvent): AppState {
  const roles = (state.roles[server_id] ?? []).filter(({ id }) => id !== role_id);
  const members = Object.fromEntries(
    Object.entries(state.members[server_id] ?? {}).map(([userId, member]) => [
      userId,
      { ...member, roles: member.roles.filter(({ id }) => id !== role_id) },
    ]),
  );
  const overrides = Object.fromEntries(
    Object.entries(state.overrides).map(([id, list]) => [id, list.filter((override) => override.role_id !== role_id)]),
  );
  return {
    ...state,
    roles: { ...state.roles, [server_id]: roles },
    members: { ...state.members, [server_id]: members },
    overrides,
  };
}

/** MEMBER_ROLE_ADD */
export function onMemberRoleAdd(state: AppState, event: MemberRoleAddEvent): AppState {
  const { server_id, user_id, role_id, role_name, role_color } = event;
  const position = state.roles[server_id]?.find(({ id }) => id === role_id)?.position ?? 0;
  const role = { id: role_id, name: role_name, color: role_color, position };
  return changeRolesOf(state, { server_id, user_id }, (held) =>
    byPosition([...held.filter(({ id }) => id !== role_id), role]),
  );
}

/** MEMBER_ROLE_REMOVE */
export function onMemberRoleRemove(state: AppState, event: MemberRoleRemoveEvent): AppState {
  return changeRolesOf(state, event, (held) => held.filter(({ id }) => id !== event.role_id));
}

/** MEMBER_KICK and MEMBER_BAN; MEMBER_LEAVE and SERVER_LEAVE, which follow, remove the member and the server. */
export function onMemberRemove(
  state: AppState,
  { server_id, user_id, reason }: MemberKickEvent,
  how: "kick" | "ban",
): AppState {
  const server = state.servers.find(({ id }) => id === server_id);
  if (user_id !== state.me?.id || server === undefined) return state;
  return { ...state, removal: { serverName: server.name, how, reason } };
}

/** MEMBER_TIMEOUT, and with null MEMBER_TIMEOUT_REMOVE */
export function onTimeout(
  state: AppState,
  { server_id, user_id }: { server_id: string; user_id: string },
  expiresAt: string | null,
): AppState {
  const member = state.members[server_id]?.[user_id];
  if (member === undefined) return state;
  const changed = { ...member, timeout_expires_at: expiresAt };
  return { ...state, members: { ...state.members, [server_id]: { ...state.members[server_id], [user_id]: changed } } };
}

/** {@link onTimeout} for the answer to a request, with the changes since. */
export function timeoutSince(
  state: AppState,
  member: { server_id: string; user_id: string },
  expiresAt: string | null,
  since: Change,
): Partial<AppState> {
  const { members } = since(onTimeout(state, member, expiresAt));
  return { members };
}

/** CHANNEL_OVERRIDE_UPDATE */
export function onOverride(state: AppState, override: ChannelOverride): AppState {
  const others = (state.overrides[override.channel_id] ?? []).filter(({ id }) => id !== override.id);
  return { ...state, overrides: { ...state.overrides, [override.channel_id]: [...others, override] } };
}

/** CHANNEL_OVERRIDE_DELETE */
export function onOverrideDelete(state: AppState, { channel_id, override_id }: ChannelOverrideDeleteEvent): AppState {
  const others = (state.overrides[channel_id] ?? []).filter(({ id }) => id !== override_id);
  return { ...state, overrides: { ...state.overrides, [channel_id]: others } };
}

/** CUSTOM_EMOJI_CREATE; emojis of a server that was not opened yet are read when it is. */
export function onEmojiCreate(state: AppState, emoji: CustomEmoji): AppState {
  const list = state.emojis[emoji.server_id];
  if (list === undefined) return state;
  const others = list.filter(({ id }) => id !== emoji.id);
  return { ...state, emojis: { ...state.emojis, [emoji.server_id]: [...others, emoji] } };
}

/** {@link onEmojiCreate} for the answer to a request, with the changes since. */
export function emojiSince(state: AppState, emoji: CustomEmoji, since: Change): Partial<AppState> {
  const { emojis } = since(onEmojiCreate(state, emoji));
  return { emojis };
}

/** CUSTOM_EMOJI_DELETE */
export function onEmojiDelete(state: AppState, { server_id, emoji_id }: CustomEmojiDeleteEvent): AppState {
  const list = state.emojis[server_id];
  if (list === undefined) return state;
  return { ...state, emojis: { ...state.emojis, [server_id]: list.filter(({ id }) => id !== emoji_id) } };
}

type HeldRoles = AppState["members"][string][string]["roles"];

function changeRolesOf(
  state: AppState,
  { server_id, user_id }: { server_id: string; user_id: string },
  change: (held: HeldRoles) => HeldRoles,
): AppState {
  const member = state.members[server_id]?.[user_id];
  if (member === undefined) return state;
  const changed = { ...member, roles: change(member.roles) };
  return { ...state, members: { ...state.members, [server_id]: { ...state.members[server_id], [user_id]: changed } } };
}

const byPosition = (roles: HeldRoles): HeldRoles => roles.toSorted((a, b) => b.position - a.position);
