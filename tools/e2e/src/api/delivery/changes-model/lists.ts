import {
  type AnyDmChannel,
  type Attachment,
  Ban,
  type Channel,
  type ChannelOverride,
  type CustomEmoji,
  DetailedMessage,
  DmMessage,
  type FriendState,
  type Invite,
  type ListedEvent,
  Member,
  type NotificationSettings,
  type RawServer,
  type ReactionCount,
  type Role,
  User,
} from "@parley/contracts";
import type { z } from "zod";

/** Entries of a list by their id. */
export type ById<Entry> = Readonly<Record<string, Entry>>;

/** Fields that docs/protocol/events.md#23.1 does not promise, or excepts: presence, times, uses and signatures. */
const presence = { status: true, custom_status: true, activity: true } as const;
/** Events, and reads with `include=author` also say who wrote a message and where (docs/protocol/events.md#23.4). */
const ComparedMessage = DetailedMessage.omit({ server_id: true, author: true });
const ComparedDmMessage = DmMessage.omit({ author: true });
const ComparedUser = User.omit(presence);
const ComparedMember = Member.omit(presence);
export type ComparedMessage = z.infer<typeof ComparedMessage>;
export type ComparedDmMessage = z.infer<typeof ComparedDmMessage>;
export type ComparedUser = z.infer<typeof ComparedUser>;
export type ComparedMember = z.infer<typeof ComparedMember>;
export type ComparedInvite = Omit<Invite, "uses">;
/** A channel of two, or a group: people as their ids, as profiles are not promised. */
export interface ComparedDm {
  readonly id: string;
  readonly recipient_ids: readonly string[];
  readonly last_message_at: string | null;
  readonly [key: string]: unknown;
}

/** The lists of one channel. */
export interface ChannelLists {
  /** Roots and the replies of threads. */
  readonly messages: ById<ComparedMessage>;
  readonly pins: ById<true>;
  readonly overrides: ById<ChannelOverride>;
}

/** The lists of one server; null where the user may not read one. */
export interface ServerLists {
  readonly server: RawServer;
  readonly channels: ById<Channel>;
  /** By channel, of those in `channels` that have been read. */
  readonly contents: ById<ChannelLists>;
  readonly roles: ById<Role>;
  /** Null also on connections without `members=all`. */
  readonly members: ById<ComparedMember> | null;
  readonly invites: ById<ComparedInvite> | null;
  readonly bans: ById<Ban> | null;
  readonly emojis: ById<CustomEmoji>;
  readonly events: ById<ListedEvent>;
}

/** All lists that a user reads after READY. */
export interface Lists {
  readonly me: ComparedUser;
  /** The user's friendships with others. */
  readonly friends: ById<FriendState>;
  readonly blocks: ById<true>;
  readonly notifications: NotificationSettings;
  readonly servers: ById<ServerLists>;
  readonly dms: ById<ComparedDm>;
  readonly dmMessages: ById<ById<ComparedDmMessage>>;
  /**
   * Unread messages by channel, none for no entry, of a fresh read; of a client those that READ_STATE_UPDATE has counted,
   * null once messages have come or gone since, which are left to counting (docs/protocol/events.md#23.5).
   */
  readonly unread: ById<number | null>;
}

/** Whose lists they are. */
export interface Viewer {
  readonly userId: string;
  /** Connected with `members=all`. */
  readonly hearsOfMembers: boolean;
}

export const emptyChannel: ChannelLists = { messages: {}, pins: {}, overrides: {} };

export function byId<Entry>(entries: readonly Entry[], idOf: (entry: Entry) => string): ById<Entry> {
  return Object.fromEntries(entries.map((entry) => [idOf(entry), entry]));
}

export function put<Entry>(list: ById<Entry>, id: string, entry: Entry): ById<Entry> {
  return { ...list, [id]: entry };
}

export function without<Entry>(list: ById<Entry>, id: string): ById<Entry> {
  const { [id]: _, ...rest } = list;
  return rest;
}

export function filter<Entry>(list: ById<Entry>, keep: (entry: Entry, id: string) => boolean): ById<Entry> {
  return Object.fromEntries(Object.entries(list).filter(([id, entry]) => keep(entry, id)));
}

export function map<Entry, Result>(list: ById<Entry>, change: (entry: Entry, id: string) => Result): ById<Result> {
  return Object.fromEntries(Object.entries(list).map(([id, entry]) => [id, change(entry, id)]));
}

/** A message as it is compared, whatever it comes from. */
export function toMessage(message: ComparedMessage): ComparedMessage {
  const { attachments = [], reactions = [], previews = [], ...rest } = ComparedMessage.parse(message);
  return { ...rest, previews, ...toDetails({ attachments, reactions }) };
}

/** The same of a direct message. */
export function toDmMessage(message: DmMessage): ComparedDmMessage {
  const { attachments = [], reactions = [], ...rest } = ComparedDmMessage.parse(message);
  return { ...rest, ...toDetails({ attachments, reactions }) };
}

function toDetails({ attachments, reactions }: { attachments: Attachment[]; reactions: ReactionCount[] }) {
  return {
    reactions: reactions.toSorted((one, other) => (one.emoji < other.emoji ? -1 : 1)),
    attachments: attachments.map((file) => ({ ...file, url: file.url.split("?")[0] ?? "" })),
  };
}

export const toUser = (user: User): ComparedUser => ComparedUser.parse(user);
export const toBan = (ban: Ban): Ban => Ban.parse(ban);
export const toInvite = ({ uses: _, ...invite }: Invite): ComparedInvite => invite;

export function toMember(member: Member): ComparedMember {
  const { roles, ...rest } = ComparedMember.parse(member);
  return { ...rest, roles: roles.toSorted((one, other) => (one.id < other.id ? -1 : 1)) };
}

export function toDm({ recipient, ...dm }: AnyDmChannel): ComparedDm {
  if (!("type" in dm)) return { ...dm, recipient_ids: [recipient.id] };
  const { recipients, ...group } = dm;
  return { ...group, recipient_ids: [recipient.id, ...recipients.map(({ id }) => id)] };
}

/** A message of a channel came or went. */
export function leaveToCounting(lists: Lists, channelId: string): Lists {
  return { ...lists, unread: put(lists.unread, channelId, null) };
}
