import type {
  AnyDmChannel,
  Attachment,
  BotCommands,
  Channel,
  ChannelOverride,
  CustomEmoji,
  GoLiveSession,
  InboxUnread,
  InteractionMessage,
  InteractionState,
  InteractionsInvokeBody,
  LinkPreview,
  Member,
  Message,
  NotificationSettings,
  PresenceStatus,
  PublicProfile,
  RawServer,
  ReactionCount,
  Role,
  Thread,
  User,
  VoiceState,
} from "@parley/client";
import type { History } from "./history.js";

/** The parts of a counted unread message that matter when it goes, or mentions another user. */
export interface Counted extends Pick<Message, "id" | "author_id" | "created_at"> {
  /** Whether it names the user, as of when it arrived: their roles may change. */
  names: boolean;
}

/** The data of a user that is shown with their name. */
export interface Profile {
  id: string;
  username: string;
  avatar_url: string | null;
  /** The name that the user chose beside the username. */
  display_name?: string | undefined;
}

/** A user's status with its texts. */
export interface Presence {
  status: PresenceStatus;
  custom_status: string | null;
  activity: string | null;
}

/** A user who is a friend, asks for it, or was asked. */
export interface Friend {
  user: PublicProfile;
  state: "friends" | "incoming" | "outgoing";
}

/** A user who began to type; there is no event for the end. */
export interface Typist {
  userId: string;
  username: string;
  /** Milliseconds of the page's own clock. */
  at: number;
}

/** `connecting` until the first READY, `lost` while a connection that was there is away. */
export type ConnectionStatus = "connecting" | "connected" | "lost";

/**
 * How far the sending of a message is.
 *
 * - `sending`: an attempt is under way or about to begin, in this tab or in another one of the same browser
 * - `waiting`: the last attempt had no answer; it is repeated by itself once the server answers
 * - `failed`: the server could not store it, or its author has stopped it; it is repeated when the author asks for that
 * - `refused`: the server would refuse it again; the author changes or deletes it
 */
export type SendingState = "sending" | "waiting" | "failed" | "refused";

/** A message that was written in this browser and that the server has not confirmed. */
export interface PendingMessage {
  /** Identifies repeated attempts: the server stores the message once. */
  nonce: string;
  channelId: string;
  /** Root message for a reply in a thread. */
  threadId: string | null;
  content: string;
  replyTo: string | null;
  files: readonly File[];
  createdAt: string;
  state: SendingState;
  /** Attempts so far, with the one that is under way. */
  attempts: number;
  /** Error text of the last attempt; null before it has ended. */
  error: string | null;
}

/** A request of the user to a bot, with its channel. */
export interface Asked {
  channelId: string;
  botUserId: string;
  /** As it is shown: the name of a command with its sign, or the label of a component or form. */
  name: string;
  /** The component that was pressed; null for commands and forms. */
  pressed: { messageId: string; customId: string } | null;
  body: InteractionsInvokeBody;
}

/**
 * An interaction of this page with a bot, until the bot answers.
 *
 * - `waiting`: the request is under way, or about to be sent
 * - `deferred`: the bot will answer later
 * - `failed`: the bot did not answer, or a repeated request failed; the user tries again, or dismisses it
 */
export interface Interaction extends Asked {
  key: string;
  /** The id that the server gave it; null until the server has been asked. */
  id: string | null;
  state: "waiting" | "deferred" | "failed";
  /** Why it could not be asked again; null when the bot did not answer. */
  error: string | null;
}

export type Modal = NonNullable<InteractionState["modal"]>;

/** A form that a bot asks the user to fill in. */
export interface OpenModal {
  interactionId: string;
  asked: Asked;
  modal: Modal;
}

/** That the user is no longer in a server, without having left it. */
export interface Removal {
  serverName: string;
  /** `gone`: it was deleted, or the user was removed while the page had no connection. */
  how: "kick" | "ban" | "gone";
  reason: string | null;
}

/** A text that the user has begun to write; without content it was sent or deleted. */
export interface KeptDraft {
  channelId: string;
  threadId: string | null;
  content: string;
  replyTo: string | null;
  updatedAt: string;
  /** Whether it was written in this tab, which has it already. */
  isOwn: boolean;
}

/** What is said about a thread beside its messages; a thread without replies has no title and is open. */
export type ThreadState = Pick<Thread, "title" | "closed">;

/** The whole state of the application. Immutable: a change replaces the objects concerned. */
export interface AppState {
  connection: ConnectionStatus;
  /**
   * Number of connections that began with READY. Data that READY does not contain have to be read again after each of
   * them.
   */
  readyCount: number;
  /** Whether the server refuses connections until the account has a second factor. */
  needsFactor: boolean;
  me: User | null;
  /** Oldest membership first. */
  servers: readonly RawServer[];
  /** The last one; null while there was none. */
  removal: Removal | null;
  /** The server that the user is deleting in this tab, which needs no news of it. */
  deleting: string | null;
  channels: Readonly<Record<string, Channel>>;
  /** Ids of the channels of a server, in their order; absent until they have been read. */
  channelIds: Readonly<Record<string, readonly string[]>>;
  dmChannels: readonly AnyDmChannel[];
  /** By server. */
  roles: Readonly<Record<string, readonly Role[]>>;
  /** The everyone role of each server (docs/protocol/permissions.md#24.1). */
  everyone: Readonly<Record<string, Role>>;
  /** By channel. */
  overrides: Readonly<Record<string, readonly ChannelOverride[]>>;
  /** By server and user; only members that were read so far. */
  members: Readonly<Record<string, Readonly<Record<string, Member>>>>;
  /** By server and user: the authors of messages, whom the page may not have read as members. */
  authors: Readonly<Record<string, Readonly<Record<string, { nickname: string | null }>>>>;
  /** By server. */
  memberCounts: Readonly<Record<string, { total: number; online: number }>>;
  /** By user; null for deleted accounts. */
  profiles: Readonly<Record<string, Profile | null>>;
  /** By user. */
  presence: Readonly<Record<string, Presence>>;
  /** By user: whom the user has blocked; null until read. */
  blocks: Readonly<Record<string, PublicProfile>> | null;
  /** By user: friends and requests for friendship; null until read. */
  friends: Readonly<Record<string, Friend>> | null;
  /** The user's notification settings; null until read. */
  notifications: NotificationSettings | null;
  /** The unread items of the inbox; null until read. */
  inbox: InboxUnread | null;
  /** By message: those that the user keeps, as far as the page knows. */
  saved: Readonly<Record<string, true>>;
  /** By channel or root message. */
  drafts: Readonly<Record<string, KeptDraft>>;
  /** By channel, direct messages included, and by root message for threads that the user follows; absent is 0. */
  unread: Readonly<Record<string, number>>;
  mentions: Readonly<Record<string, number>>;
  /** By root message: the channel of threads with counts. */
  threadChannels: Readonly<Record<string, string>>;
  /** By channel or root message: messages of others since READY, the oldest first, as far as they are remembered, also when they were read since. */
  counted: Readonly<Record<string, readonly Counted[]>>;
  /** The servers that send only events concerning the channels in view or the user (docs/protocol/passive-servers.md#27.2). */
  passive: readonly string[];
  /** The channels in view, as the server has confirmed. */
  shown: readonly string[];
  /** The same: until when it is read, on any device. Events of messages before that may still be on their way. */
  readUpTo: Readonly<Record<string, string>>;
  /** The same: the mark of the newest READ_STATE_UPDATE. An older mark than this one goes back. */
  marked: Readonly<Record<string, string>>;
  /** By channel, direct messages included. */
  histories: Readonly<Record<string, History>>;
  /** When the user wrote last in each channel, threads included, as far as this page has seen. */
  lastSent: Readonly<Record<string, string>>;
  /** Replies by root message, oldest first. */
  threads: Readonly<Record<string, History>>;
  /** By root message: title and end of threads, as far as they were read. */
  threadStates: Readonly<Record<string, ThreadState>>;
  /** By channel, or by root message for a thread. */
  pending: Readonly<Record<string, readonly PendingMessage[]>>;
  /** Nonces of messages that are no longer pending: stored or given up. */
  arrived: readonly string[];
  /** Messages that go back into the composer, by channel or root message; pending until they are there. */
  takenBack: Readonly<Record<string, PendingMessage>>;
  /** Messages outside a history that are quoted or open a thread; null for deleted ones. */
  quoted: Readonly<Record<string, Message | null>>;
  /** By channel, newest pin first; absent until read, and again once a message was pinned that the page does not have. */
  pins: Readonly<Record<string, readonly Message[]>>;
  /** By message. */
  reactions: Readonly<Record<string, readonly ReactionCount[]>>;
  attachments: Readonly<Record<string, readonly Attachment[]>>;
  /** How much of the files of a message has been sent by this tab, 0 to 1, by nonce. */
  uploads: Readonly<Record<string, number>>;
  /** By channel. */
  typing: Readonly<Record<string, readonly Typist[]>>;
  /** By channel and user. */
  voice: Readonly<Record<string, Readonly<Record<string, VoiceState>>>>;
  goLive: Readonly<Record<string, GoLiveSession>>;
  /** By server. */
  emojis: Readonly<Record<string, readonly CustomEmoji[]>>;
  /** By server: rules that the user is to accept before they may write; null for none. Absent until read. */
  rules: Readonly<Record<string, string | null>>;
  /** By server: until when it is under raid; null when it is not. Only of servers whose raids the user manages. */
  raids: Readonly<Record<string, string | null>>;
  /** By server: the open reports, up to 100 as far as they were read. Only of servers whose reports the user reviews. */
  openReports: Readonly<Record<string, readonly string[]>>;
  /** How many registrations wait for an administrator, as far as this page has read. */
  waitingRegistrations: number;
  /** By address; null for those without one. */
  previews: Readonly<Record<string, LinkPreview | null>>;
  /** The requests of this page to bots that have no answer yet, oldest first. */
  interactions: readonly Interaction[];
  /** By channel: answers of bots for the user alone, which are nowhere else, oldest first. */
  ephemeral: Readonly<Record<string, readonly InteractionMessage[]>>;
  /** The forms that bots wait for; the first one is shown. */
  modals: readonly OpenModal[];
  /** By channel: the commands of its bots; absent until read, and again once they have changed. */
  commands: Readonly<Record<string, readonly BotCommands[]>>;
}

/** The state while no user is logged in. */
export const emptyState: AppState = {
  connection: "connecting",
  readyCount: 0,
  needsFactor: false,
  me: null,
  servers: [],
  removal: null,
  deleting: null,
  channels: {},
  channelIds: {},
  dmChannels: [],
  roles: {},
  everyone: {},
  overrides: {},
  members: {},
  authors: {},
  memberCounts: {},
  profiles: {},
  presence: {},
  blocks: null,
  friends: null,
  notifications: null,
  inbox: null,
  saved: {},
  drafts: {},
  unread: {},
  mentions: {},
  threadChannels: {},
  counted: {},
  passive: [],
  shown: [],
  readUpTo: {},
  marked: {},
  histories: {},
  lastSent: {},
  threads: {},
  threadStates: {},
  pending: {},
  arrived: [],
  takenBack: {},
  quoted: {},
  pins: {},
  reactions: {},
  attachments: {},
  uploads: {},
  typing: {},
  voice: {},
  goLive: {},
  emojis: {},
  rules: {},
  raids: {},
  openReports: {},
  waitingRegistrations: 0,
  previews: {},
  interactions: [],
  ephemeral: {},
  modals: [],
  commands: {},
};

/** A copy of a record without some keys; the same record when it has none of them. */
export function without<Value>(
  record: Readonly<Record<string, Value>>,
  keys: readonly string[],
): Record<string, Value> {
  if (!keys.some((key) => key in record)) return record;
  const gone = new Set(keys);
  return Object.fromEntries(Object.entries(record).filter(([key]) => !gone.has(key)));
}
