import { z } from "zod";
import type { EventFacts } from "./event-facts.js";
import { Attachment } from "./resources/attachment.js";
import { Channel, ChannelOverride } from "./resources/channel.js";
import { AnyDmChannel, EditedDmMessage, GroupChannel, NewDmMessage } from "./resources/direct-message.js";
import { Draft } from "./resources/draft.js";
import { CustomEmoji } from "./resources/emoji.js";
import { timestamp, uuid } from "./resources/identifiers.js";
import { InboxUnread } from "./resources/inbox.js";
import { InteractionState, NewInteraction } from "./resources/interaction.js";
import { Invite } from "./resources/invite.js";
import {
  DeletedMessage,
  EditedMessage,
  ListedEvent,
  messagePreviews,
  NewMessage,
  Poll,
  reactionEmoji,
} from "./resources/message.js";
import { AuditLogEntry, reason } from "./resources/moderation.js";
import { NotificationSettings } from "./resources/notifications.js";
import { BlockChange, FriendChange } from "./resources/relation.js";
import { Reminder } from "./resources/reminder.js";
import { Report } from "./resources/report.js";
import { Role } from "./resources/role.js";
import { ServerRaid } from "./resources/safety.js";
import { SavedChange } from "./resources/saved.js";
import { ScheduledMessage } from "./resources/scheduled-message.js";
import { Member, RawServer } from "./resources/server.js";
import { ThreadChange, threadTitleLengthMax } from "./resources/thread.js";
import { presenceFields, User, username } from "./resources/user.js";
import { GoLiveSession, signalTypes, VoiceState } from "./resources/voice.js";
import type { WebhookEventType } from "./resources/webhook.js";

/**
 * Recipients of an event (docs/protocol/events.md#14.5): members with VIEW_CHANNEL in a channel, members of a server, one
 * user, or all users who share a server with a user.
 */
export type Audience = "channel" | "server" | "user" | "comembers";

/** An entry of the registry of events. */
export interface EventDefinition {
  /** Payload `d` of the frame, or of the bare JSON when the event is internal. */
  payload: z.ZodType;
  /** Summary in the description of the gateway; internal events have none. */
  summary?: string;
  /** Subject token; the name of the API resource. */
  resource: string;
  /** The audiences that the event may be addressed to. */
  audience: Audience;
  /** Durable events are committed with the rows that they describe; ephemeral ones reach current subscribers only. */
  kind: "durable" | "ephemeral";
  /** Internal events steer gateways and never reach a client. */
  internal?: true;
  /** Only connections with this `v` get it (docs/protocol/events.md#23.1); absent: all. */
  version?: 2;
  /**
   * Only connections with `members=all` get it, of users who may view its channel if it has one, and those of the member
   * that MEMBER_UPDATE is about (23.3).
   */
  toMemberWatchers?: true;
  /** Only connections whose `events` name it get it: clients that were written before it see nothing new. */
  mustBeNamed?: true;
  /**
   * It changes the viewers of a server or its channels: gateways read the permissions again before they deliver later
   * events, and the request that made the change is answered when the stream has the event.
   */
  changesVisibility?: true;
  /** In a passive server only connections that show the channel get it, and users whom it concerns (27). */
  inView?: true;
  webhook?: WebhookEventType;
  /** The facts of the payload that gateways need; they travel in headers. */
  facts?(payload: unknown): EventFacts;
}

const durable = <A extends Audience, P extends z.ZodType>(audience: A, resource: string, summary: string, payload: P) =>
  ({ kind: "durable", audience, resource, summary, payload }) as const;
const ephemeral = <A extends Audience, P extends z.ZodType>(
  audience: A,
  resource: string,
  summary: string,
  payload: P,
) => ({ kind: "ephemeral", audience, resource, summary, payload }) as const;
/** An event of the whole stream of changes (docs/protocol/events.md#23.2). */
const change = <A extends Audience, P extends z.ZodType>(audience: A, resource: string, summary: string, payload: P) =>
  ({ ...durable(audience, resource, summary, payload), version: 2 }) as const;
const memberChange = <P extends z.ZodType>(summary: string, payload: P) =>
  ({ ...change("server", "members", summary, payload), toMemberWatchers: true }) as const;
/** For clients that follow a server more closely than others, and say so. */
const toFollowers = { toMemberWatchers: true, mustBeNamed: true } as const;
/** Names the user who changed a count in a channel; only bots that keep lists of people need it. */
const counted = <P extends z.ZodType>(resource: string, summary: string, payload: P) =>
  ({ ...change("channel", resource, summary, payload), inView: true, ...toFollowers }) as const;
const Interest = z.object({ event_id: uuid, channel_id: uuid, user_id: uuid });
const PollChoice = z.object({ poll_id: uuid, option_id: uuid, message_id: uuid, channel_id: uuid, user_id: uuid });
/** An event of the whole stream of changes that only connections of the moment get. */
const appEvent = <P extends z.ZodType>(summary: string, payload: P) =>
  ({ ...ephemeral("user", "interactions", summary, payload), version: 2 }) as const;
/** An event in a channel, for connections that show it (docs/protocol/passive-servers.md#27). */
const inView = <Definition extends EventDefinition>(definition: Definition) =>
  ({ ...definition, inView: true }) as const;
/** An event of whose payload gateways need facts. */
const withFacts = <Definition extends EventDefinition>(
  definition: Definition,
  facts: (payload: z.infer<Definition["payload"]>) => EventFacts,
) => ({ ...definition, facts }) as const;
const internal = <A extends Audience, P extends z.ZodType>(audience: A, resource: string, payload: P) =>
  ({ kind: "durable", audience, resource, payload, internal: true }) as const;

const Reaction = z.object({ message_id: uuid, channel_id: uuid, user_id: uuid, emoji: reactionEmoji });
const RemovedReaction = Reaction.extend({
  cleared: z
    .enum(["all", "emoji", "more"])
    .optional()
    .meta({
      description:
        "With `v=2`, where reactions are removed together: `all` of the message or all of the `emoji` on the first of them, " +
        "`more` on those that follow",
    }),
});
const AddedAttachments = z.object({ channel_id: uuid, message_id: uuid, attachments: z.array(Attachment) });
const Removal = z.object({ server_id: uuid, user_id: uuid, reason });
const MemberRole = z.object({
  server_id: uuid,
  user_id: uuid,
  role_id: uuid,
  role_name: Role.shape.name,
  role_color: Role.shape.color,
});
const Membership = z.object({ server_id: uuid, user_id: uuid });
const MemberOf = z.object({ server_id: uuid, member: Member });
const memberOf = ({ user_id }: { user_id: string }): EventFacts => ({ user: user_id });
/** Whom a message mentions; absent for nobody. */
const mentionsOf = ({ mention_everyone, mention_user_ids }: z.infer<typeof EditedMessage>) =>
  mention_everyone ? "everyone" : mention_user_ids.join(",") || undefined;
const messageFacts = (message: z.infer<typeof EditedMessage>): EventFacts => ({
  message: message.id,
  mentions: mentionsOf(message),
  roles: message.mention_role_ids?.join(","),
  here: message.mention_here ? "1" : undefined,
});
const newMessageFacts = (message: z.infer<typeof NewMessage>): EventFacts => ({
  ...messageFacts(message),
  author: message.author_id ?? undefined,
  thread: message.thread_id ?? undefined,
});
const Typing = z.object({ user_id: uuid, username, channel_id: uuid, timestamp });

/** Why a user is no member any more. */
export const LeaveReason = z.enum(["left", "kicked", "banned", "account_deleted"]);
export type LeaveReason = z.infer<typeof LeaveReason>;

/** Every event of docs/protocol/events.md#14.5 and docs/protocol/events.md#23.2, and below them those that only gateways see. */
export const events = {
  MESSAGE_CREATE: {
    ...inView(
      withFacts(
        durable("channel", "messages", "A message or a poll was sent to a channel.", NewMessage),
        newMessageFacts,
      ),
    ),
    webhook: "message.created",
  },
  MESSAGE_UPDATE: {
    ...inView(
      withFacts(durable("channel", "messages", "A message or a thread reply was edited.", EditedMessage), messageFacts),
    ),
    webhook: "message.updated",
  },
  MESSAGE_DELETE: {
    ...inView(durable("channel", "messages", "A message or a thread reply was deleted.", DeletedMessage)),
    webhook: "message.deleted",
  },
  THREAD_MESSAGE_CREATE: {
    ...inView(withFacts(durable("channel", "messages", "A reply was sent to a thread.", NewMessage), newMessageFacts)),
    webhook: "message.created",
  },
  THREAD_UPDATE: inView(
    change("channel", "threads", "A thread got another title, was closed or opened.", ThreadChange),
  ),
  THREAD_START: inView({
    ...ephemeral(
      "channel",
      "threads",
      "A bot written for Discord named a thread that nobody has replied in yet.",
      z.object({
        id: uuid,
        channel_id: uuid,
        title: z.string().meta({ minLength: 1, maxLength: threadTitleLengthMax, example: "The hall" }),
      }),
    ),
    version: 2,
    ...toFollowers,
  } as const),
  REACTION_ADD: inView(durable("channel", "reactions", "Somebody reacted to a message.", Reaction)),
  REACTION_REMOVE: inView(durable("channel", "reactions", "A reaction was taken back.", RemovedReaction)),
  MESSAGE_PIN: inView(
    durable(
      "channel",
      "pins",
      "A message was pinned.",
      z.object({ message_id: uuid, channel_id: uuid, pinned_by: uuid, pinned_at: timestamp }),
    ),
  ),
  MESSAGE_UNPIN: inView(
    durable(
      "channel",
      "pins",
      "A message was unpinned.",
      z.object({ message_id: uuid, channel_id: uuid, unpinned_by: uuid }),
    ),
  ),
  POLL_VOTE: inView(
    durable(
      "channel",
      "polls",
      "Somebody voted; `user_vote` is the vote of whoever receives the event.",
      z.object({ poll_id: uuid, channel_id: uuid, message_id: uuid, updated_poll: Poll }),
    ),
  ),
  POLL_END: inView(
    change(
      "channel",
      "polls",
      "A poll has ended; `user_vote` and `user_votes` are those of whoever receives the event.",
      z.object({ poll_id: uuid, channel_id: uuid, message_id: uuid, updated_poll: Poll }),
    ),
  ),
  TYPING_START: inView(
    ephemeral("channel", "typing", "Somebody began to type; there is no event for its end.", Typing),
  ),
  PRESENCE_UPDATE: ephemeral(
    "comembers",
    "presence",
    "Status, status text or activity of a user changed.",
    z.object({
      user_id: uuid,
      ...presenceFields,
    }),
  ),
  VOICE_STATE_UPDATE: durable(
    "channel",
    "voice",
    "Somebody joined, left or changed in a voice channel; `channel_id` is null once they left.",
    VoiceState,
  ),
  VOICE_MOVE: change(
    "user",
    "voice",
    "A moderator moved the user of the connection into another voice channel; VOICE_STATE_UPDATE follows.",
    z.object({ server_id: uuid, channel_id: uuid }),
  ),
  VOICE_SIGNAL: ephemeral(
    "user",
    "voice",
    "Somebody in the same voice channel sent a signal for a peer connection.",
    z.object({
      from_user_id: uuid,
      type: z.enum(signalTypes),
      sdp: z.string().nullable(),
      candidate: z.string().nullable(),
      stream_type: z.string().nullable(),
    }),
  ),
  GO_LIVE_START: durable("channel", "go-live", "A broadcast began in a voice channel.", GoLiveSession),
  GO_LIVE_STOP: durable(
    "channel",
    "go-live",
    "A broadcast ended.",
    z.object({ channel_id: uuid, broadcaster_id: uuid }),
  ),
  DM_CHANNEL_CREATE: withFacts(
    durable(
      "user",
      "direct-messages",
      "A direct-message channel was opened; `recipient` is the other participant. With `v=2` also: the user of the " +
        "connection came into a group.",
      AnyDmChannel,
    ),
    ({ recipient }) => ({ user: recipient.id }),
  ),
  DM_MESSAGE_CREATE: durable("user", "direct-messages", "A direct message was sent.", NewDmMessage),
  DM_MESSAGE_UPDATE: durable("user", "direct-messages", "A direct message was edited.", EditedDmMessage),
  DM_MESSAGE_DELETE: durable("user", "direct-messages", "A direct message was deleted.", DeletedMessage),
  DM_REACTION_ADD: durable("user", "direct-messages", "Somebody reacted to a direct message.", Reaction),
  DM_REACTION_REMOVE: durable("user", "direct-messages", "A reaction to a direct message was taken back.", Reaction),
  DM_ATTACHMENT_CREATE: durable("user", "direct-messages", "Files were added to a direct message.", AddedAttachments),
  MEMBER_KICK: durable(
    "server",
    "moderation",
    "A member was kicked; they receive it, too, as their last event of the server.",
    Removal,
  ),
  MEMBER_BAN: durable(
    "server",
    "moderation",
    "A user was banned; if they are a member they receive it, too. The last three keys with `v=2` only.",
    Removal.extend({
      banned_by: uuid.nullable().optional(),
      created_at: timestamp.optional(),
      expires_at: timestamp.nullable().optional(),
    }),
  ),
  MEMBER_TIMEOUT: durable(
    "server",
    "moderation",
    "A member was timed out.",
    z.object({ server_id: uuid, user_id: uuid, expires_at: timestamp, reason }),
  ),
  MEMBER_TIMEOUT_REMOVE: durable("server", "moderation", "A timeout was removed.", Membership),
  MEMBER_UNBAN: durable("server", "moderation", "A ban was removed.", Membership),
  ROLE_CREATE: durable("server", "roles", "A role was created.", Role),
  ROLE_UPDATE: { ...durable("server", "roles", "A role was changed.", Role), changesVisibility: true },
  ROLE_DELETE: {
    ...durable(
      "server",
      "roles",
      "A role was deleted, with its assignments and overrides.",
      z.object({ server_id: uuid, role_id: uuid }),
    ),
    changesVisibility: true,
  },
  MEMBER_ROLE_ADD: {
    ...withFacts(durable("server", "roles", "A role was given to a member.", MemberRole), memberOf),
    changesVisibility: true,
  },
  MEMBER_ROLE_REMOVE: {
    ...withFacts(durable("server", "roles", "A role was taken from a member.", MemberRole), memberOf),
    changesVisibility: true,
  },
  INVITE_CREATE: durable("server", "invites", "An invite was created.", Invite),
  INVITE_DELETE: durable("server", "invites", "An invite was revoked.", z.object({ server_id: uuid, invite_id: uuid })),
  CUSTOM_EMOJI_CREATE: durable("server", "emojis", "A custom emoji was added.", CustomEmoji),
  CUSTOM_EMOJI_DELETE: durable(
    "server",
    "emojis",
    "A custom emoji was removed.",
    z.object({ server_id: uuid, emoji_id: uuid }),
  ),
  CHANNEL_OVERRIDE_UPDATE: {
    ...durable("server", "channels", "A permission override of a channel was created or replaced.", ChannelOverride),
    changesVisibility: true,
  },
  CHANNEL_OVERRIDE_DELETE: {
    ...durable(
      "server",
      "channels",
      "A permission override of a channel was removed.",
      z.object({ channel_id: uuid, override_id: uuid }),
    ),
    changesVisibility: true,
  },
  SERVER_JOIN: change(
    "user",
    "servers",
    "The user of the connection joined or made a server; before any other event of it.",
    z.object({
      server: RawServer,
      roles: z.array(Role),
      channel_overrides: z.record(z.string(), z.array(ChannelOverride)),
      member: Member,
    }),
  ),
  SERVER_LEAVE: change(
    "user",
    "servers",
    "The user of the connection is no member of a server any more; the last event of it.",
    z.object({ server_id: uuid, reason: z.enum(["left", "kicked", "banned", "deleted"]) }),
  ),
  SERVER_UPDATE: change("server", "servers", "A server was changed.", RawServer),
  CHANNEL_CREATE: change("channel", "channels", "A channel was created.", Channel),
  CHANNEL_UPDATE: change("channel", "channels", "A channel was changed.", Channel),
  CHANNEL_DELETE: change(
    "channel",
    "channels",
    "A channel was deleted, with everything in it.",
    z.object({ id: uuid, server_id: uuid }),
  ),
  MEMBER_JOIN: memberChange("A user joined a server.", MemberOf),
  MEMBER_UPDATE: withFacts(memberChange("Nickname, name or picture of a member changed.", MemberOf), ({ member }) =>
    memberOf(member),
  ),
  MEMBER_LEAVE: memberChange("A member left a server or was removed.", Membership.extend({ reason: LeaveReason })),
  AUDIT_LOG_ENTRY_CREATE: {
    ...change(
      "server",
      "audit-log",
      "A change in a server was recorded; to holders of `view_audit_log`.",
      AuditLogEntry,
    ),
    ...toFollowers,
  },
  DM_CHANNEL_UPDATE: change(
    "user",
    "direct-messages",
    "Name, picture, people or owner of a group changed.",
    GroupChannel,
  ),
  DM_CHANNEL_LEAVE: change(
    "user",
    "direct-messages",
    "Somebody left a group or was removed; they receive it, too, as their last event of the group.",
    z.object({ channel_id: uuid, user_id: uuid }),
  ),
  USER_UPDATE: change("user", "users", "The profile of the connection's user was changed.", User),
  FRIEND_UPDATE: change(
    "user",
    "friends",
    "A friendship or a request for one began or ended; `state` is what the user of the connection is to `user` now.",
    FriendChange,
  ),
  BLOCK_UPDATE: change(
    "user",
    "blocks",
    "The user of the connection blocked somebody, or no longer does; to nobody else.",
    BlockChange,
  ),
  NOTIFICATIONS_UPDATE: withFacts(
    change(
      "user",
      "notifications",
      "The user of the connection changed what they want to hear of, or follows a thread; these are all settings.",
      NotificationSettings,
    ),
    ({ threads }) => {
      const followed = Object.entries(threads).flatMap(([id, { level }]) => (level === "all" ? [id] : []));
      return { follows: followed.join(",") || "none" };
    },
  ),
  SAVED_UPDATE: change(
    "user",
    "saved-messages",
    "The user of the connection saved a message, changed its note, or no longer keeps it: then `saved` is null.",
    SavedChange,
  ),
  INBOX_UPDATE: change(
    "user",
    "inbox",
    "The inbox of the connection's user has other items, or other ones are read; `unread` counts those that are not.",
    z.object({ unread: InboxUnread }),
  ),
  DRAFT_UPDATE: change(
    "user",
    "drafts",
    "The user of the connection has written on a draft, on this device or another; without content it was deleted. Of one " +
      "draft at most one a second.",
    Draft.extend({ content: Draft.shape.content.nullable() }),
  ),
  REMINDER_UPDATE: change(
    "user",
    "reminders",
    "The user of the connection set a reminder; `reminder` is null once it is deleted or its time has come.",
    z.object({ id: uuid, reminder: Reminder.nullable() }),
  ),
  SCHEDULED_MESSAGE_UPDATE: change(
    "user",
    "scheduled-messages",
    "The user of the connection planned a message, or it was changed or refused; `scheduled_message` is null once it is sent " +
      "or deleted.",
    z.object({ id: uuid, scheduled_message: ScheduledMessage.nullable() }),
  ),
  ATTACHMENT_CREATE: inView(change("channel", "attachments", "Files were added to a message.", AddedAttachments)),
  MESSAGE_PREVIEWS: inView(
    change(
      "channel",
      "messages",
      "The link cards of a message were made or removed; these are all that it has now.",
      z.object({ channel_id: uuid, message_id: uuid, previews: messagePreviews }),
    ),
  ),
  EVENT_UPDATE: inView(
    change(
      "channel",
      "scheduled-events",
      "A scheduled event was changed, or somebody is interested or no longer so.",
      ListedEvent.omit({ me: true }),
    ),
  ),
  EVENT_DELETE: inView(
    change(
      "channel",
      "scheduled-events",
      "A scheduled event was deleted.",
      z.object({ id: uuid, channel_id: uuid, message_id: uuid }),
    ),
  ),
  EVENT_INTEREST_ADD: counted("scheduled-events", "A user is interested in a scheduled event.", Interest),
  EVENT_INTEREST_REMOVE: counted("scheduled-events", "A user is no longer interested in a scheduled event.", Interest),
  POLL_VOTE_ADD: counted("polls", "A user chose an option of a poll.", PollChoice),
  POLL_VOTE_REMOVE: counted("polls", "A user no longer chooses an option of a poll.", PollChoice),
  READ_STATE_UPDATE: withFacts(
    change(
      "user",
      "read-states",
      "The user of the connection marked a channel as read, or with `thread_id` a thread that they follow.",
      z.object({
        channel_id: uuid,
        thread_id: uuid.optional(),
        last_read_at: timestamp,
        unread_count: z.int().meta({ minimum: 0, example: 0 }),
        mention_count: z.int().meta({ minimum: 0, example: 0 }),
      }),
    ),
    ({ channel_id, thread_id, last_read_at }) =>
      thread_id === undefined ? { channel: channel_id, read_at: last_read_at } : { thread: thread_id },
  ),
  MESSAGE_DELETE_BULK: inView(
    change(
      "channel",
      "messages",
      "Messages were deleted together.",
      z.object({ channel_id: uuid, ids: z.array(uuid).meta({ minItems: 1 }) }),
    ),
  ),
  SERVER_SETTINGS_UPDATE: change(
    "server",
    "settings",
    "Settings of a server that have an endpoint of their own were changed: read them again.",
    z.object({ server_id: uuid, part: z.enum(["automod", "webhooks", "retention", "moderation"]) }),
  ),
  COMMANDS_UPDATE: change(
    "server",
    "commands",
    "The commands of a bot in a server changed, came with it or went with it: read them again.",
    z.object({ server_id: uuid, bot_user_id: uuid }),
  ),
  INTERACTION_CREATE: appEvent(
    "Somebody used a command of the bot, or filled in a modal of it; exactly one connection of the bot gets it.",
    NewInteraction,
  ),
  INTERACTION_UPDATE: appEvent(
    "The bot answered what the user of the connection asked for, or did not in time.",
    InteractionState,
  ),
  REPORT_CREATE: change(
    "server",
    "reports",
    "A message was reported, or flagged by auto-moderation; to holders of `review_reports`, never to its author.",
    Report,
  ),
  REPORT_UPDATE: change(
    "server",
    "reports",
    "A report was closed or opened again, or others reported the same; recipients as of REPORT_CREATE.",
    Report,
  ),
  SERVER_RAID_START: change(
    "server",
    "raids",
    "A server is under raid, or longer or shorter than was said.",
    ServerRaid,
  ),
  SERVER_RAID_END: change("server", "raids", "A server is under raid no longer.", ServerRaid),

  /** Interactions with a bot wait for one of its connections: a gateway that has one claims them. */
  INTERACTION_PENDING: {
    ...ephemeral("user", "interactions", "", z.object({})),
    internal: true,
  },
  /** A user became a member: their connections get SERVER_JOIN, and from then on the server's events. */
  SERVER_JOINED: {
    ...withFacts(internal("user", "servers", Membership), ({ server_id }) => ({ server: server_id })),
    changesVisibility: true,
  },
  /** A user is no member any more: their connections get SERVER_LEAVE and no later event of the server. */
  SERVER_LEFT: {
    // Without a reason it was written by the version before.
    ...withFacts(
      internal("user", "servers", Membership.extend({ reason: LeaveReason.optional() })),
      ({ server_id, reason }) => ({ server: server_id, reason }),
    ),
    changesVisibility: true,
  },
  /** A server was handed over to a member, who may now see everything in it. */
  SERVER_OWNER_CHANGED: { ...internal("server", "servers", Membership), changesVisibility: true },
  /** A server was deleted, with all memberships: its members get SERVER_LEAVE. */
  SERVER_DELETED: internal("server", "servers", z.object({ server_id: uuid })),
  /**
   * Connections of a user are to be closed (1000): all, the one named, those of the session named, or those from before
   * a version of the account's sessions. Durable: access must not outlive an outage.
   */
  SESSION_CLOSE: withFacts(
    internal(
      "user",
      "sessions",
      z.object({
        connection_id: z.string().nullable(),
        session_id: uuid.optional(),
        before_version: z.int().optional(),
      }),
    ),
    ({ connection_id, session_id, before_version }) => {
      if (session_id !== undefined) return { ends: `session ${session_id}` };
      if (connection_id !== null) return { ends: `connection ${connection_id}` };
      return { ends: before_version === undefined ? "all" : `before ${before_version}` };
    },
  ),
} as const satisfies Record<string, EventDefinition>;

export type EventName = keyof typeof events;
/** Names of the events that reach clients. */
export type ClientEventName = {
  [Name in EventName]: (typeof events)[Name] extends { internal: true } ? never : Name;
}[EventName];
export type EventPayload<N extends EventName> = z.infer<(typeof events)[N]["payload"]>;

/**
 * The registry's entry of an event name read from a subject.
 *
 * @param name last token of a subject
 * @returns null for a name without an entry, of another version
 */
export function findEvent(name: string): EventDefinition | null {
  return isEventName(name) ? events[name] : null;
}

/** Whether the registry has the name. */
export function isEventName(name: string): name is EventName {
  return Object.hasOwn(events, name);
}

/** Every event that reaches clients, in the order of the registry. */
export const clientEventNames: readonly ClientEventName[] = Object.keys(events).filter(
  (name): name is ClientEventName => isEventName(name) && !("internal" in events[name]),
);
