import type {
  AnyDmChannel,
  Channel,
  CustomEmoji,
  DetailedMessage,
  Instance,
  Member,
  NewMessage,
  NotificationSettings,
  OtherUser,
  PublicProfile,
  Role,
  Server,
  User,
} from "@parley/client";
import { rightNamesOf } from "@parley/contracts";
import { defaultPermissions, defaultRights } from "@parley/permissions";

// One of everything, valid by the descriptions; a test gives only the properties that it is about.

let ids = 0;

/** An id that is greater than those before it, as those of the server are. */
export const newId = (): string => `0190a5b4-7c1d-7e3a-9f00-${(++ids).toString(16).padStart(12, "0")}`;

/** When everything was made. */
export const madeAt = "2026-01-02T03:04:05.000Z";

/** The description of an installation. */
export const instance = ({
  mode = "open",
  ...changes
}: Partial<Instance> & { mode?: Instance["registration"]["mode"] } = {}): Instance => ({
  ...{ name: "Parley", description: null, logo_url: null, accent: null, contact: null, version: "1.0.0" },
  ...{ terms_url: null, privacy_url: null, imprint_url: null },
  registration: { mode, email: "optional", email_domains: null, approval: false, challenge: false },
  features: { push: true, mail: true, sso: false, voice_relay: false, import: true },
  ...changes,
});

/** An account, as its owner sees it. */
export const user = (username: string, changes: Partial<User> = {}): User => ({
  id: newId(),
  username,
  email: null,
  avatar_url: null,
  bio: null,
  pronouns: null,
  status: "online",
  custom_status: null,
  activity: null,
  created_at: madeAt,
  is_admin: false,
  ...changes,
});

/** Whom something is about. */
export type Person = Pick<User, "id" | "username">;

/** An account as others see it. */
export const profile = ({ id, username }: Person, changes: Partial<PublicProfile> = {}): PublicProfile => ({
  id,
  username,
  avatar_url: null,
  bio: null,
  pronouns: null,
  status: "online",
  custom_status: null,
  activity: null,
  created_at: madeAt,
  ...changes,
});

/** A role without rights; its position is the lowest. */
export const role = (server: { id: string }, changes: Partial<Role> = {}): Role => ({
  id: newId(),
  server_id: server.id,
  name: "Arbiters",
  permissions: 0,
  color: "#99aab5",
  position: 1,
  created_at: madeAt,
  rights: [],
  ...changes,
});

/** A role, as members have it. */
export const heldRole = ({ id, name, color, position }: Role): Member["roles"][number] => ({
  id,
  name,
  color,
  position,
});

/** A text channel. */
export const channel = (server: { id: string }, name: string, changes: Partial<Channel> = {}): Channel => ({
  id: newId(),
  server_id: server.id,
  name,
  type: "text",
  position: 0,
  category: null,
  topic: null,
  created_at: madeAt,
  ...changes,
});

/** A member without roles. */
export const member = ({ id, username }: Person, changes: Partial<Member> = {}): Member => ({
  user_id: id,
  username,
  avatar_url: null,
  status: "online",
  custom_status: null,
  activity: null,
  nickname: null,
  joined_at: madeAt,
  timeout_expires_at: null,
  roles: [],
  ...changes,
});

/** A message of a channel, as lists have it. */
export const message = (
  place: { id: string; server_id?: string },
  author: Person,
  content: string,
  changes: Partial<DetailedMessage> = {},
): DetailedMessage => ({
  id: newId(),
  channel_id: place.id,
  author_id: author.id,
  content,
  reply_to: null,
  mention_user_ids: [],
  mention_everyone: false,
  thread_id: null,
  thread_reply_count: 0,
  edited_at: null,
  deleted: false,
  created_at: madeAt,
  pinned: false,
  pinned_by: null,
  pinned_at: null,
  poll: null,
  event: null,
  reactions: [],
  attachments: [],
  previews: [],
  author: { id: author.id, username: author.username, nickname: null, avatar_url: null },
  ...changes,
});

/** The payload of MESSAGE_CREATE for a message of a list. */
export function created(sent: DetailedMessage, { server_id }: { server_id: string }): NewMessage {
  const { reactions: _reactions, previews: _previews, attachments, author, ...rest } = sent;
  return {
    ...rest,
    ...(attachments === undefined || attachments.length === 0 ? {} : { attachments }),
    server_id,
    author: author ?? null,
  };
}

/** An emoji of a server. */
export const emoji = (server: { id: string }, name: string, changes: Partial<CustomEmoji> = {}): CustomEmoji => {
  const id = newId();
  return {
    id,
    server_id: server.id,
    name,
    url: `/emojis/${id}.png`,
    content_type: "image/png",
    file_size: 68,
    created_by: null,
    created_at: madeAt,
    ...changes,
  };
};

/** A conversation of two. */
export const directChannel = (other: Person, changes: Partial<AnyDmChannel> = {}): AnyDmChannel => {
  const recipient: OtherUser = { ...profile(other), email: null, is_admin: false };
  return { id: newId(), recipient, created_at: madeAt, last_message_at: null, ...changes };
};

/** Settings of notifications that nobody has changed. */
export const notifications = (changes: Partial<NotificationSettings> = {}): NotificationSettings => ({
  default: { level: "all" },
  servers: {},
  channels: {},
  threads: {},
  quiet: null,
  timezone: "UTC",
  push: { enabled: true, content: true },
  mail: "off",
  ...changes,
});

/** A server with all that belongs to it; tests change it before the page reads it. */
export interface Community {
  server: Server;
  /** The rights of everybody. */
  everyone: Role;
  roles: Role[];
  channels: [Channel, ...Channel[]];
  members: Member[];
  emojis: CustomEmoji[];
  /** By channel, the oldest message first. */
  messages: Record<string, DetailedMessage[]>;
}

/**
 * A server with the channel #general.
 *
 * @param people its members; the first one owns it
 */
export function community(people: readonly [Person, ...Person[]], changes: Partial<Server> = {}): Community {
  const [owner] = people;
  const server: Server = {
    id: newId(),
    name: "Chess club",
    owner_id: owner.id,
    icon_url: null,
    is_public: true,
    require_invite: false,
    member_count: people.length,
    created_at: madeAt,
    updated_at: madeAt,
    ...changes,
  };
  const everyone = role(server, {
    id: server.id,
    name: "@everyone",
    permissions: defaultPermissions,
    rights: rightNamesOf(defaultRights),
    position: 0,
  });
  return {
    server,
    everyone,
    roles: [],
    channels: [channel(server, "general")],
    members: people.map((person) => member(person)),
    emojis: [],
    messages: {},
  };
}

/** The address of a channel, below `/app`. */
export const channelPath = ({ server_id, id }: { server_id: string; id: string }) =>
  `/servers/${server_id}/channels/${id}`;
