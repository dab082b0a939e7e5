import type { FormEvent, FormFile, FormForward, FormPoll, FormReaction, FormText } from "./form-parts.js";

/** The services that archives come from (section 32.1). */
export const sources = ["discord", "slack", "mattermost", "rocketchat", "zulip", "parley"] as const;
export type Source = (typeof sources)[number];

/** Kinds of things that have no place here (section 32.2). */
export const skippedKinds = [
  "system_message",
  "direct_message",
  "message",
  "reply",
  "thread",
  "reaction",
  "file",
  "emoji",
  "sticker",
  "link_preview",
  "poll_vote",
  "channel",
  "role",
  "user_group",
  "canvas",
  "unknown_record",
] as const;
export type SkippedKind = (typeof skippedKinds)[number];

export interface ServerRecord {
  kind: "server";
  id: string;
  /** Null: the archive does not say it. */
  name: string | null;
  icon?: FormFile;
  description?: string;
  /** Of Parley's own exports only. Milliseconds since 1970. */
  settings?: ServerSettings;
}

export interface ServerSettings {
  isPublic: boolean;
  requireInvite: boolean;
  requireSecondFactor: boolean;
  hierarchy: boolean;
  createdAt: number | null;
  /** Those that are set. */
  face: { description?: string; tags?: string[]; language?: string; timezone?: string };
  /** What it shows and asks newcomers, with external ids (section 34.5). */
  onboarding?: unknown;
}

export interface CategoryRecord {
  kind: "category";
  id: string;
  server: string;
  name: string;
  position: number;
}

export interface ChannelRecord {
  kind: "channel";
  id: string;
  server: string;
  name: string;
  type: "text" | "voice" | "any";
  category: string | null;
  topic: string | null;
  /** Null: the archive does not say it. */
  private: boolean | null;
  archived: boolean;
  position: number;
  /** Milliseconds since 1970; null: the writer takes the first message's time. */
  createdAt: number | null;
  /** Seconds of slow mode. */
  slowMode?: number;
  /** People in a voice channel at most. */
  userLimit?: number;
}

export interface RoleRecord {
  kind: "role";
  id: string;
  server: string;
  name: string;
  /** `#RRGGBB`; null: the default. */
  color: string | null;
  /** Bits; "0" but for Parley's own exports. */
  permissions: string;
  /** Names of section 24.2; of Parley's own exports only, as the next two. */
  rights?: string[];
  mentionable?: true;
  /** Milliseconds since 1970. */
  createdAt?: number;
  position: number;
  /** The role of everybody in its server. */
  everyone?: true;
}

/** Of Parley's own exports only. */
export interface OverrideRecord {
  kind: "override";
  channel: string;
  target: { role: string } | { person: string };
  allow: string;
  deny: string;
}

export interface PersonRecord {
  kind: "person";
  id: string;
  /** The name that people see, as it was. */
  name: string;
  /** The old account name, as it was; `accountName` makes ours of it. */
  username: string;
  /** It is one of ours already, of a whole export (section 32.4). */
  isOwnName?: true;
  email: string | null;
  /** Whether the source verified the address (section 32.3, claiming). */
  emailVerified: boolean;
  isBot: boolean;
  deleted: boolean;
  avatar: FormFile | null;
  /** External ids, of all servers. */
  roles: string[];
  /** Milliseconds since 1970; null: the writer takes the first message's time. */
  createdAt: number | null;
}

export interface EmojiRecord {
  kind: "emoji";
  id: string;
  server: string;
  name: string;
  file: FormFile;
  /** Of Parley's own exports only: the external id of a person, and milliseconds since 1970. */
  createdBy?: string;
  createdAt?: number;
}

export interface MessageRecord {
  kind: "message";
  /** Unique in the source's workspace (section 32.3, identifiers). */
  id: string;
  channel: string;
  /** Milliseconds since 1970, cut. */
  at: number;
  /** A message that comes again replaces the former one if its version is not lower; else it changes nothing. */
  version: number;
  /** External id; null: a message without an author. */
  author: string | null;
  text: FormText;
  /** External ids of the people and roles that it mentions; of Parley's own exports only. The text may have former names. */
  mentions?: { people: string[]; roles: string[] };
  editedAt: number | null;
  /** External id of a message of the same channel; the writer finds out whether it exists. */
  replyTo: string | null;
  /** External id of the root message, on replies of a thread only. */
  thread: string | null;
  /** On roots only: the thread's title, and whether it takes no more replies. */
  threadTitle?: string;
  threadClosed?: true;
  /** A deleted root whose replies live: stored as such, without text. Of Parley's own exports only. */
  deleted?: true;
  reactions: FormReaction[];
  pinned: { at: number | null; by: string | null } | null;
  /** Embeds of bots as section 25.4 has them. */
  embeds: Record<string, unknown>[];
  poll: FormPoll | null;
  event: FormEvent | null;
  files: FormFile[];
  /** The name that a webhook's message carried, where it is not the person's (section 25.5). */
  webhookName?: string;
  /** What a bot's message answers: the command's name, and the external id of its caller. Of Parley's own exports only. */
  interaction?: { id: string; name: string; person: string };
  /** Of Parley's own exports only; its files stand in `files`. */
  forwarded?: FormForward;
}

/** A message that was there and here before the import, as a mirror had copied it. */
export interface CopyRecord {
  kind: "copy";
  /** External ids of the message and of its channel. */
  id: string;
  channel: string;
  /** The same two here. */
  here: { channel: string; message: string };
  /** The one here was written by a person; else a bot copied it from there. */
  isOriginalHere: boolean;
}

/** One thing without a place. */
export interface SkippedRecord {
  kind: "skipped";
  thing: SkippedKind;
  reason: string;
  /** At most 200 characters: an id, or a name. */
  example: string;
  /** How many things; 1 where it is left out. */
  count?: number;
}

/** Of Parley's own exports only, as the next two (section 32.4). Times are milliseconds since 1970; people and roles external ids. */
export interface BanRecord {
  kind: "ban";
  server: string;
  person: string;
  by: string | null;
  reason: string | null;
  createdAt: number;
  expiresAt: number | null;
}

export interface InviteRecord {
  kind: "invite";
  id: string;
  server: string;
  code: string;
  by: string | null;
  uses: number;
  maxUses: number | null;
  createdAt: number;
  expiresAt: number | null;
  /** External ids of the roles that it gives. */
  roles: string[];
  /** The address that the owner chose. */
  vanity: boolean;
}

/** A rule of automatic moderation (section 24.8). */
export interface AutomodRuleRecord {
  kind: "automod_rule";
  id: string;
  server: string;
  /** Name, trigger, actions and `enabled`, as the wire has them. */
  rule: Record<string, unknown>;
  exemptRoles: string[];
  exemptChannels: string[];
  by: string | null;
  createdAt: number;
  updatedAt: number;
}

/**
 * What readers yield. Servers, categories, roles and channels come before records that name them; people and emoji may
 * come behind messages that name them, and a person may come again: the later one wins. Messages come in any order; those
 * of one channel and millisecond in the archive's.
 */
export type ArchiveRecord =
  | ServerRecord
  | CategoryRecord
  | ChannelRecord
  | RoleRecord
  | OverrideRecord
  | PersonRecord
  | EmojiRecord
  | MessageRecord
  | BanRecord
  | InviteRecord
  | AutomodRuleRecord
  | CopyRecord
  | SkippedRecord;
