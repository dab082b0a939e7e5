import {
  byId,
  type CacheState,
  changeMember,
  changeMembers,
  deleteOverride,
  forgetChannel,
  forgetServer,
  setMember,
  withoutRole,
} from "./cache-state.js";
import type { CountedMessage } from "./cached-marks.js";
import { asCached, withAuthor } from "./cached-members.js";
import type { EventFollower, GatewayEvent } from "./gateway-options.js";
import type { ChannelOverride, DispatchEvents, MessageAuthor } from "./generated/index.js";

type FollowedName = EventFollower["events"][number];
type Apply<Payload> = (state: CacheState, payload: Payload) => void;

const setChannel: Apply<DispatchEvents["CHANNEL_CREATE"]> = (state, channel) =>
  state.servers.get(channel.server_id)?.channels?.set(channel.id, channel);

const setRole: Apply<DispatchEvents["ROLE_CREATE"]> = (state, role) =>
  state.servers.get(role.server_id)?.roles.set(role.id, role);

const keepMember: Apply<DispatchEvents["MEMBER_JOIN"]> = (state, { server_id, member }) =>
  setMember(state, server_id, asCached(member));

const removeMember: Apply<{ server_id: string; user_id: string }> = ({ members }, { server_id, user_id }) =>
  members.delete(server_id, user_id);

const keepAuthor: Apply<{ server_id: string; author: MessageAuthor | null }> = (state, { server_id, author }) => {
  if (author === null) return;
  const isOwn = author.id === state.user?.id;
  const known = isOwn ? (state.servers.get(server_id)?.own ?? null) : state.members.get(server_id, author.id);
  // The own membership is whole or absent.
  if (!isOwn || known !== null) setMember(state, server_id, withAuthor(known, author));
};

const countedOf = (state: CacheState, message: DispatchEvents["MESSAGE_UPDATE"]): CountedMessage => {
  const { id, author_id, created_at } = message;
  return { id, author_id, created_at, names: isNamedBy(state, message) };
};

/** By name, by a role, or with all others. */
function isNamedBy({ user, servers }: CacheState, message: DispatchEvents["MESSAGE_UPDATE"]): boolean {
  const { mention_everyone, mention_here, mention_user_ids, mention_role_ids = [] } = message;
  if (mention_everyone || mention_here || mention_user_ids.includes(user?.id ?? "")) return true;
  const held = mention_role_ids.length === 0 ? null : servers.get(message.server_id)?.own?.role_ids;
  return held?.some((id) => mention_role_ids.includes(id)) ?? false;
}

/** Keeps whether somebody is blocked, whose mentions then do not count. */
export function setBlocked(state: CacheState, userId: string, isBlocked: boolean): void {
  if (state.blocked.has(userId) === isBlocked) return;
  if (isBlocked) state.blocked.add(userId);
  else state.blocked.delete(userId);
  state.marks.recountMentionsBy(userId, !isBlocked);
}

/** Mentions by somebody blocked do not count. */
const isMention =
  ({ blocked }: CacheState) =>
  ({ author_id, names }: CountedMessage): boolean =>
    names && !(author_id !== null && blocked.has(author_id));

/**
 * The change that each event makes in the cache. Those of channels, roles and members may be applied again to the later
 * answer of a request.
 */
const changes: { readonly [Name in FollowedName]?: Apply<DispatchEvents[Name]> } = {
  SERVER_JOIN(state, { server, roles, channel_overrides, member }) {
    state.servers.set(server.id, { server, roles: byId(roles), channels: null, own: asCached(member) });
    for (const [channelId, list] of Object.entries(channel_overrides)) state.overrides.set(channelId, byId(list));
  },
  SERVER_UPDATE(state, server) {
    const known = state.servers.get(server.id);
    if (known !== undefined) known.server = server;
  },
  SERVER_LEAVE: (state, { server_id }) => forgetServer(state, server_id),
  USER_UPDATE(state, user) {
    state.user = user;
  },
  BLOCK_UPDATE(state, { user, blocked }) {
    setBlocked(state, user.id, blocked);
  },
  DM_CHANNEL_CREATE: (state, channel) => state.directChannels.set(channel.id, channel),
  DM_CHANNEL_UPDATE: (state, channel) => state.directChannels.set(channel.id, channel),
  DM_CHANNEL_LEAVE(state, { channel_id, user_id }) {
    // For the other members an update of the group follows.
    if (user_id !== state.user?.id) return;
    state.directChannels.delete(channel_id);
    forgetChannel(state, channel_id);
  },
  READ_STATE_UPDATE: (state, mark) => state.marks.read(mark),
  MESSAGE_CREATE(state, message) {
    keepAuthor(state, message);
    if (message.author_id === state.user?.id) return;
    const counted = countedOf(state, message);
    state.marks.count(message.channel_id, counted, isMention(state)(counted));
  },
  MESSAGE_UPDATE: (state, edited) => state.marks.recount(edited.channel_id, countedOf(state, edited), isMention(state)),
  MESSAGE_DELETE: (state, { channel_id, id }) => state.marks.uncount(channel_id, id, isMention(state)),
  MESSAGE_DELETE_BULK(state, { channel_id, ids }) {
    for (const id of ids) state.marks.uncount(channel_id, id, isMention(state));
  },
  DM_MESSAGE_DELETE: (state, { channel_id, id }) => state.marks.uncount(channel_id, id, () => false),
  THREAD_MESSAGE_CREATE: keepAuthor,
  DM_MESSAGE_CREATE(state, { id, channel_id, author_id, created_at }) {
    const channel = state.directChannels.get(channel_id);
    if (channel !== undefined) state.directChannels.set(channel_id, { ...channel, last_message_at: created_at });
    if (author_id !== state.user?.id) state.marks.count(channel_id, { id, author_id, created_at, names: false }, false);
  },
  CHANNEL_CREATE: setChannel,
  CHANNEL_UPDATE: setChannel,
  CHANNEL_DELETE(state, { id, server_id }) {
    state.servers.get(server_id)?.channels?.delete(id);
    forgetChannel(state, id);
  },
  CHANNEL_OVERRIDE_UPDATE(state, override) {
    const list = state.overrides.get(override.channel_id) ?? new Map<string, ChannelOverride>();
    state.overrides.set(override.channel_id, list.set(override.id, override));
  },
  CHANNEL_OVERRIDE_DELETE: (state, { channel_id, override_id }) => deleteOverride(state, channel_id, override_id),
  ROLE_CREATE: setRole,
  ROLE_UPDATE: setRole,
  ROLE_DELETE(state, { server_id, role_id }) {
    state.servers.get(server_id)?.roles.delete(role_id);
    for (const [channelId, list] of state.overrides) {
      for (const override of list.values()) {
        if (override.role_id === role_id) deleteOverride(state, channelId, override.id);
      }
    }
    changeMembers(state, server_id, (member) => withoutRole(member, role_id));
  },
  MEMBER_JOIN: keepMember,
  MEMBER_UPDATE: keepMember,
  MEMBER_LEAVE: removeMember,
  MEMBER_KICK: removeMember,
  MEMBER_BAN: removeMember,
  MEMBER_TIMEOUT: (state, timeout) =>
    changeMember(state, timeout, (member) => ({ ...member, timeout_expires_at: timeout.expires_at })),
  MEMBER_TIMEOUT_REMOVE: (state, timeout) =>
    changeMember(state, timeout, (member) => ({ ...member, timeout_expires_at: null })),
  MEMBER_ROLE_ADD: (state, { role_id, ...of }) =>
    changeMember(state, of, (member) => {
      const { role_ids } = withoutRole(member, role_id);
      return { ...member, role_ids: role_ids === null ? null : [...role_ids, role_id] };
    }),
  MEMBER_ROLE_REMOVE: (state, { role_id, ...of }) => changeMember(state, of, (member) => withoutRole(member, role_id)),
};

const isFollowed = (name: string): name is FollowedName => Object.hasOwn(changes, name);

/** The events that change something in the cache. */
export const followedEvents: readonly FollowedName[] = Object.keys(changes).filter(isFollowed);

/** Applies an event other than READY. */
export function applyEvent(state: CacheState, event: GatewayEvent): void {
  if (event.name === "CHANNEL_ACTIVITY") {
    for (const { channel_id, unread_count, mention_count } of event.data.channels)
      state.marks.setCounts(channel_id, { unread_count, mention_count });
    return;
  }
  if (event.name !== "READY" && event.name !== "RESUMED" && event.name !== "VIEW_ACK") apply(state, event);
}

function apply<Name extends FollowedName>(state: CacheState, event: { name: Name; data: DispatchEvents[Name] }): void {
  if (isFollowed(event.name)) changes[event.name]?.(state, event.data);
}
