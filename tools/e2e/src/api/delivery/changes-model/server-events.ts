import type { ClientEventName, EventPayload } from "@parley/contracts";
import {
  byId,
  emptyChannel,
  filter,
  type Lists,
  map,
  put,
  type ServerLists,
  toBan,
  toInvite,
  toMember,
  type Viewer,
  without,
} from "./lists.js";

type ServerChange<Name extends ClientEventName> = (lists: Lists, d: EventPayload<Name>, viewer: Viewer) => Lists;

/** Changes the lists of a server that the user is in. */
function inServer(lists: Lists, id: string, change: (of: ServerLists) => Partial<ServerLists>): Lists {
  const of = lists.servers[id];
  return of === undefined ? lists : { ...lists, servers: put(lists.servers, id, { ...of, ...change(of) }) };
}

/** Changes the lists of the server whose channel it is. */
function inServerOfChannel(lists: Lists, id: string, change: (of: ServerLists) => Partial<ServerLists>): Lists {
  const serverId = Object.keys(lists.servers).find((key) => lists.servers[key]?.channels[id] !== undefined);
  return serverId === undefined ? lists : inServer(lists, serverId, change);
}

/** Changes one member. */
function inMember(
  lists: Lists,
  { server_id, user_id }: { server_id: string; user_id: string },
  change: (member: NonNullable<ServerLists["members"]>[string], of: ServerLists) => Partial<typeof member>,
): Lists {
  return inServer(lists, server_id, (of) => {
    const member = of.members?.[user_id];
    if (of.members === null || member === undefined) return {};
    return { members: put(of.members, user_id, { ...member, ...change(member, of) }) };
  });
}

const putMember: ServerChange<"MEMBER_JOIN" | "MEMBER_UPDATE"> = (lists, { server_id, member }) =>
  inServer(lists, server_id, ({ members }) =>
    members === null ? {} : { members: put(members, member.user_id, toMember(member)) },
  );

const putOverride: ServerChange<"CHANNEL_OVERRIDE_UPDATE"> = (lists, override) =>
  inServerOfChannel(lists, override.channel_id, ({ contents }) => {
    const content = contents[override.channel_id];
    if (content === undefined) return {};
    return {
      contents: put(contents, override.channel_id, {
        ...content,
        overrides: put(content.overrides, override.id, override),
      }),
    };
  });

/** The changes by events of servers, members, roles, channels, invites, emoji and bans. */
export const serverEvents = {
  /** The other lists of the server are read now. */
  SERVER_JOIN: (lists, { server, roles, member }, { hearsOfMembers }) => ({
    ...lists,
    servers: put(lists.servers, server.id, {
      server,
      roles: byId(roles, ({ id }) => id),
      members: hearsOfMembers ? { [member.user_id]: toMember(member) } : null,
      channels: {},
      contents: {},
      invites: null,
      bans: null,
      emojis: {},
      events: {},
    }),
  }),
  SERVER_LEAVE: (lists, { server_id }) => {
    const channels = lists.servers[server_id]?.channels ?? {};
    return {
      ...lists,
      servers: without(lists.servers, server_id),
      unread: filter(lists.unread, (_, id) => channels[id] === undefined),
    };
  },
  SERVER_UPDATE: (lists, server) => inServer(lists, server.id, () => ({ server })),
  CHANNEL_CREATE: (lists, channel) =>
    inServer(lists, channel.server_id, ({ channels, contents }) => ({
      channels: put(channels, channel.id, channel),
      contents: put(contents, channel.id, contents[channel.id] ?? emptyChannel),
    })),
  CHANNEL_UPDATE: (lists, channel) =>
    inServer(lists, channel.server_id, ({ channels }) => ({ channels: put(channels, channel.id, channel) })),
  CHANNEL_DELETE: (lists, { id, server_id }) => ({
    ...inServer(lists, server_id, ({ channels, contents, events }) => ({
      channels: without(channels, id),
      contents: without(contents, id),
      events: filter(events, ({ channel_id }) => channel_id !== id),
    })),
    unread: without(lists.unread, id),
  }),
  CHANNEL_OVERRIDE_UPDATE: putOverride,
  CHANNEL_OVERRIDE_DELETE: (lists, { channel_id, override_id }) =>
    inServerOfChannel(lists, channel_id, ({ contents }) => {
      const content = contents[channel_id];
      if (content === undefined) return {};
      return {
        contents: put(contents, channel_id, { ...content, overrides: without(content.overrides, override_id) }),
      };
    }),
  MEMBER_JOIN: putMember,
  MEMBER_UPDATE: putMember,
  MEMBER_LEAVE: (lists, { server_id, user_id }) =>
    inServer(lists, server_id, ({ members }) => (members === null ? {} : { members: without(members, user_id) })),
  MEMBER_KICK: (lists) => lists,
  MEMBER_BAN: (lists, { expires_at, banned_by = null, created_at = "", ...banned }) =>
    inServer(lists, banned.server_id, ({ bans }) => {
      const end = expires_at ? { expires_at } : {};
      return bans === null
        ? {}
        : { bans: put(bans, banned.user_id, toBan({ ...banned, banned_by, created_at, ...end })) };
    }),
  MEMBER_UNBAN: (lists, { server_id, user_id }) =>
    inServer(lists, server_id, ({ bans }) => (bans === null ? {} : { bans: without(bans, user_id) })),
  MEMBER_TIMEOUT: (lists, d) => inMember(lists, d, () => ({ timeout_expires_at: d.expires_at })),
  MEMBER_TIMEOUT_REMOVE: (lists, d) => inMember(lists, d, () => ({ timeout_expires_at: null })),
  ROLE_CREATE: (lists, role) => inServer(lists, role.server_id, ({ roles }) => ({ roles: put(roles, role.id, role) })),
  ROLE_UPDATE: (lists, role) =>
    inServer(lists, role.server_id, ({ roles, members }) => ({
      roles: put(roles, role.id, role),
      members:
        members === null
          ? null
          : map(members, (member) => ({
              ...member,
              roles: member.roles.map((one) => (one.id === role.id ? briefly(role) : one)),
            })),
    })),
  ROLE_DELETE: (lists, { server_id, role_id }) =>
    inServer(lists, server_id, ({ roles, members, contents }) => ({
      roles: without(roles, role_id),
      members:
        members === null
          ? null
          : map(members, (member) => ({ ...member, roles: member.roles.filter(({ id }) => id !== role_id) })),
      contents: map(contents, (content) => ({
        ...content,
        overrides: filter(content.overrides, (override) => override.role_id !== role_id),
      })),
    })),
  MEMBER_ROLE_ADD: (lists, d) =>
    inMember(lists, d, (member, { roles }) => {
      const role = roles[d.role_id];
      if (role === undefined) return {};
      const others = member.roles.filter(({ id }) => id !== role.id);
      return { roles: [...others, briefly(role)].toSorted((one, other) => (one.id < other.id ? -1 : 1)) };
    }),
  MEMBER_ROLE_REMOVE: (lists, d) =>
    inMember(lists, d, (member) => ({ roles: member.roles.filter(({ id }) => id !== d.role_id) })),
  INVITE_CREATE: (lists, invite) =>
    inServer(lists, invite.server_id, ({ invites }) =>
      invites === null ? {} : { invites: put(invites, invite.id, toInvite(invite)) },
    ),
  INVITE_DELETE: (lists, { server_id, invite_id }) =>
    inServer(lists, server_id, ({ invites }) => (invites === null ? {} : { invites: without(invites, invite_id) })),
  CUSTOM_EMOJI_CREATE: (lists, emoji) =>
    inServer(lists, emoji.server_id, ({ emojis }) => ({ emojis: put(emojis, emoji.id, emoji) })),
  CUSTOM_EMOJI_DELETE: (lists, { server_id, emoji_id }) =>
    inServer(lists, server_id, ({ emojis }) => ({ emojis: without(emojis, emoji_id) })),
} satisfies { readonly [Name in ClientEventName]?: ServerChange<Name> };

function briefly({ id, name, color, position }: ServerLists["roles"][string]) {
  return { id, name, color, position };
}
