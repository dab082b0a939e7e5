import {
  AnyDmChannel,
  Ban,
  BlockList,
  Channel,
  ChannelOverride,
  CustomEmoji,
  DetailedMessage,
  DmMessage,
  FriendList,
  type FriendState,
  Invite,
  ListedEvent,
  Member,
  NotificationSettings,
  type Ready,
  Role,
  Server,
  User,
} from "@parley/contracts";
import type { RestClient } from "@parley/testing";
import { z } from "zod";
import {
  type ById,
  byId,
  type ChannelLists,
  type Lists,
  map,
  type ServerLists,
  toBan,
  toDm,
  toDmMessage,
  toInvite,
  toMember,
  toMessage,
  toUser,
} from "./lists.js";

/** A page of messages; the client requests the next one while pages are full. */
const pageMax = 100;
const include = "include=reactions,attachments,previews";

/** A list; null when the caller may not read it. */
async function readList<Entry>(client: RestClient, path: string, entry: z.ZodType<Entry>): Promise<Entry[] | null> {
  const answer = await client.get(path);
  return answer.status === 403 || answer.status === 404 ? null : answer.expect(200, z.array(entry));
}

async function readPages<Entry extends { id: string }>(
  client: RestClient,
  path: string,
  { cursor, entry }: { cursor: "before" | "after"; entry: z.ZodType<Entry> },
): Promise<Entry[]> {
  const all: Entry[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await readList(client, `${path}limit=${pageMax}${last ? `&${cursor}=${last.id}` : ""}`, entry);
    all.push(...(page ?? []));
    if (page === null || page.length < pageMax) return all;
  }
}

/** Messages of a channel, replies of its threads, pins and overrides. */
export async function readChannel(client: RestClient, id: string): Promise<ChannelLists> {
  const path = `/channels/${id}`;
  const roots = await readPages(client, `${path}/messages?${include}&`, { cursor: "before", entry: DetailedMessage });
  const threads = roots
    .filter(({ thread_reply_count }) => thread_reply_count > 0)
    .map((root) =>
      readPages(client, `${path}/messages/${root.id}/thread?${include}&`, { cursor: "after", entry: DetailedMessage }),
    );
  const [replies, pins, overrides] = await Promise.all([
    Promise.all(threads),
    readList(client, `${path}/pinned-messages`, DetailedMessage),
    readList(client, `${path}/overrides`, ChannelOverride),
  ]);
  return {
    messages: byId([...roots, ...replies.flat()].map(toMessage), (message) => message.id),
    pins: map(
      byId(pins ?? [], (pin) => pin.id),
      () => true,
    ),
    overrides: byId(overrides ?? [], (override) => override.id),
  };
}

export async function readChannels(client: RestClient, serverId: string): Promise<ById<Channel>> {
  return byId((await readList(client, `/servers/${serverId}/channels`, Channel)) ?? [], ({ id }) => id);
}

export async function readContents(client: RestClient, channelIds: readonly string[]): Promise<ById<ChannelLists>> {
  const read = channelIds.map(async (id) => [id, await readChannel(client, id)] as const);
  return Object.fromEntries(await Promise.all(read));
}

/** The coming events in channels that the caller may view. */
export async function readEvents(client: RestClient, serverId: string): Promise<ById<ListedEvent>> {
  return byId((await readList(client, `/servers/${serverId}/events`, ListedEvent)) ?? [], ({ id }) => id);
}

/** The lists that not every member may read. */
export async function readGuardedLists(
  client: RestClient,
  serverId: string,
): Promise<Pick<ServerLists, "invites" | "bans">> {
  const [invites, bans] = await Promise.all([
    readList(client, `/servers/${serverId}/invites`, Invite),
    readList(client, `/servers/${serverId}/bans`, Ban),
  ]);
  return {
    invites: invites === null ? null : byId(invites.map(toInvite), ({ id }) => id),
    bans: bans === null ? null : byId(bans.map(toBan), ({ user_id }) => user_id),
  };
}

/** The everyone role, which lists do not have; none for a user who has left meanwhile. */
async function readEveryone(client: RestClient, serverId: string): Promise<Role[]> {
  const answer = await client.get(`/servers/${serverId}/roles/${serverId}`);
  return answer.status === 200 ? [answer.expect(200, Role)] : [];
}

/** All lists of a server. */
export async function readServer(client: RestClient, server: Server, hearsOfMembers: boolean): Promise<ServerLists> {
  const path = `/servers/${server.id}`;
  const { member_count: _, ...raw } = server;
  const [channels, roles, everyone, members, emojis, events, guarded] = await Promise.all([
    readChannels(client, server.id),
    readList(client, `${path}/roles?rights=true`, Role),
    readEveryone(client, server.id),
    hearsOfMembers ? readList(client, `${path}/members`, Member) : null,
    readList(client, `${path}/emojis`, CustomEmoji),
    readEvents(client, server.id),
    readGuardedLists(client, server.id),
  ]);
  return {
    server: raw,
    channels,
    contents: await readContents(client, Object.keys(channels)),
    roles: byId([...(roles ?? []), ...everyone], ({ id }) => id),
    members: members === null ? null : byId(members.map(toMember), ({ user_id }) => user_id),
    emojis: byId(emojis ?? [], ({ id }) => id),
    events,
    ...guarded,
  };
}

function toFriends({ friends, incoming, outgoing }: FriendList): ById<FriendState> {
  const kinds = { friends, incoming, outgoing };
  return Object.fromEntries(
    (["friends", "incoming", "outgoing"] as const).flatMap((kind) => kinds[kind].map(({ id }) => [id, kind])),
  );
}

/** Every list of docs/protocol/events.md#23.1; unread messages are in READY alone. */
export async function readLists(client: RestClient, ready: Ready, hearsOfMembers: boolean): Promise<Lists> {
  const [me, friends, blocks, notifications, servers, dms] = await Promise.all([
    client.get("/users/@me"),
    client.get("/users/@me/friends"),
    client.get("/users/@me/blocks"),
    client.get("/users/@me/notifications"),
    readList(client, "/servers", Server),
    readList(client, "/dm-channels?groups=true", AnyDmChannel),
  ]);
  const readServers = (servers ?? []).map((server) => readServer(client, server, hearsOfMembers));
  const readDms = (dms ?? []).map(async ({ id }) => {
    const path = `/dm-channels/${id}/messages?${include}&`;
    const messages = await readPages(client, path, { cursor: "before", entry: DmMessage });
    return [id, byId(messages.map(toDmMessage), (message) => message.id)] as const;
  });
  return {
    me: toUser(me.expect(200, User)),
    friends: toFriends(friends.expect(200, FriendList)),
    blocks: map(
      byId(blocks.expect(200, BlockList).blocks, ({ id }) => id),
      () => true,
    ),
    notifications: notifications.expect(200, NotificationSettings),
    servers: byId(await Promise.all(readServers), ({ server }) => server.id),
    dms: byId((dms ?? []).map(toDm), ({ id }) => id),
    dmMessages: Object.fromEntries(await Promise.all(readDms)),
    unread: map(
      byId(ready.unread_counts, ({ channel_id }) => channel_id),
      ({ unread_count }) => unread_count,
    ),
  };
}
