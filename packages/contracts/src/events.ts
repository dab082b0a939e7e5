import { z } from "zod";
import { ChannelOverride } from "./resources/channel.js";
import { DmChannel, SentDmMessage } from "./resources/direct-message.js";
import { CustomEmoji } from "./resources/emoji.js";
import { timestamp, uuid } from "./resources/identifiers.js";
import { Invite } from "./resources/invite.js";
import { DeletedMessage, Message, Poll, reactionEmoji, SentMessage } from "./resources/message.js";
import { reason } from "./resources/moderation.js";
import { Role } from "./resources/role.js";
import { presenceFields, username } from "./resources/user.js";
import { GoLiveSession, signalTypes, VoiceState } from "./resources/voice.js";
import type { WebhookEventType } from "./resources/webhook.js";

/**
 * Recipients of an event (docs/interface.md#14.5): members with VIEW_CHANNEL in a channel, members of a server, one
 * user, or all users who share a server with a user.
 */
export type Audience = "channel" | "server" | "user" | "comembers";

/** An entry of the registry of events. */
export interface EventDefinition {
  /** Payload `d` of the frame, or of the bare JSON when the event is internal. */
  payload: z.ZodType;
  /** Subject token; the name of the API resource. */
  resource: string;
  /** The audiences that the event may be addressed to. */
  audience: Audience;
  /** Durable events are committed with the rows that they describe; ephemeral ones reach current subscribers only. */
  kind: "durable" | "ephemeral";
  /** Internal events steer gateways and never reach a client. */
  internal?: true;
  /**
   * It changes who may see a server or its channels: gateways read the permissions again before they deliver anything
   * that follows, and the request that made the change is answered when the stream has the event.
   */
  changesVisibility?: true;
  webhook?: WebhookEventType;
}

const durable = <A extends Audience, P extends z.ZodType>(audience: A, resource: string, payload: P) =>
  ({ kind: "durable", audience, resource, payload }) as const;
const ephemeral = <A extends Audience, P extends z.ZodType>(audience: A, resource: string, payload: P) =>
  ({ kind: "ephemeral", audience, resource, payload }) as const;

const Reaction = z.object({ message_id: uuid, channel_id: uuid, user_id: uuid, emoji: reactionEmoji });
const Removal = z.object({ server_id: uuid, user_id: uuid, reason });
const MemberRole = z.object({
  server_id: uuid,
  user_id: uuid,
  role_id: uuid,
  role_name: Role.shape.name,
  role_color: Role.shape.color,
});
const Membership = z.object({ server_id: uuid, user_id: uuid });
const Typing = z.object({ user_id: uuid, username, channel_id: uuid, timestamp });

/** Every event of docs/interface.md#14.5, and below them those that only gateways see. */
export const events = {
  MESSAGE_CREATE: { ...durable("channel", "messages", SentMessage), webhook: "message.created" },
  MESSAGE_UPDATE: { ...durable("channel", "messages", Message), webhook: "message.updated" },
  MESSAGE_DELETE: { ...durable("channel", "messages", DeletedMessage), webhook: "message.deleted" },
  THREAD_MESSAGE_CREATE: { ...durable("channel", "messages", SentMessage), webhook: "message.created" },
  REACTION_ADD: durable("channel", "reactions", Reaction),
  REACTION_REMOVE: durable("channel", "reactions", Reaction),
  MESSAGE_PIN: durable(
    "channel",
    "pins",
    z.object({ message_id: uuid, channel_id: uuid, pinned_by: uuid, pinned_at: timestamp }),
  ),
  MESSAGE_UNPIN: durable("channel", "pins", z.object({ message_id: uuid, channel_id: uuid, unpinned_by: uuid })),
  POLL_VOTE: durable(
    "channel",
    "polls",
    z.object({ poll_id: uuid, channel_id: uuid, message_id: uuid, updated_poll: Poll }),
  ),
  TYPING_START: ephemeral("channel", "typing", Typing),
  PRESENCE_UPDATE: ephemeral(
    "comembers",
    "presence",
    z.object({
      user_id: uuid,
      ...presenceFields,
    }),
  ),
  VOICE_STATE_UPDATE: durable("channel", "voice", VoiceState),
  VOICE_SIGNAL: ephemeral(
    "user",
    "voice",
    z.object({
      from_user_id: uuid,
      type: z.enum(signalTypes),
      sdp: z.string().nullable(),
      candidate: z.string().nullable(),
      stream_type: z.string().nullable(),
    }),
  ),
  GO_LIVE_START: durable("channel", "go-live", GoLiveSession),
  GO_LIVE_STOP: durable("channel", "go-live", z.object({ channel_id: uuid, broadcaster_id: uuid })),
  DM_CHANNEL_CREATE: durable("user", "direct-messages", DmChannel),
  DM_MESSAGE_CREATE: durable("user", "direct-messages", SentDmMessage),
  MEMBER_KICK: durable("server", "moderation", Removal),
  MEMBER_BAN: durable("server", "moderation", Removal),
  MEMBER_TIMEOUT: durable(
    "server",
    "moderation",
    z.object({ server_id: uuid, user_id: uuid, expires_at: timestamp, reason }),
  ),
  MEMBER_TIMEOUT_REMOVE: durable("server", "moderation", Membership),
  MEMBER_UNBAN: durable("server", "moderation", Membership),
  ROLE_CREATE: durable("server", "roles", Role),
  ROLE_UPDATE: { ...durable("server", "roles", Role), changesVisibility: true },
  ROLE_DELETE: { ...durable("server", "roles", z.object({ server_id: uuid, role_id: uuid })), changesVisibility: true },
  MEMBER_ROLE_ADD: { ...durable("server", "roles", MemberRole), changesVisibility: true },
  MEMBER_ROLE_REMOVE: { ...durable("server", "roles", MemberRole), changesVisibility: true },
  INVITE_CREATE: durable("server", "invites", Invite),
  INVITE_DELETE: durable("server", "invites", z.object({ server_id: uuid, invite_id: uuid })),
  CUSTOM_EMOJI_CREATE: durable("server", "emojis", CustomEmoji),
  CUSTOM_EMOJI_DELETE: durable("server", "emojis", z.object({ server_id: uuid, emoji_id: uuid })),
  CHANNEL_OVERRIDE_UPDATE: { ...durable("server", "channels", ChannelOverride), changesVisibility: true },
  CHANNEL_OVERRIDE_DELETE: {
    ...durable("server", "channels", z.object({ channel_id: uuid, override_id: uuid })),
    changesVisibility: true,
  },

  /** A user became a member: their connections start to receive the server's events. */
  SERVER_JOINED: { ...durable("user", "servers", Membership), internal: true, changesVisibility: true },
  /** A user is no member any more: their connections stop receiving the server's events. */
  SERVER_LEFT: { ...durable("user", "servers", Membership), internal: true, changesVisibility: true },
  /** A server was handed over to a member, who may see everything in it from now on. */
  SERVER_OWNER_CHANGED: { ...durable("server", "servers", Membership), internal: true, changesVisibility: true },
  /** A server was deleted, with all memberships. */
  SERVER_DELETED: { ...durable("server", "servers", z.object({ server_id: uuid })), internal: true },
  /**
   * Connections of a user are to be closed (1000): all, the one named, those of the session named, or those from before
   * a version of the account's sessions. Durable: access must not outlive an outage.
   */
  SESSION_CLOSE: {
    ...durable(
      "user",
      "sessions",
      z.object({
        connection_id: z.string().nullable(),
        session_id: uuid.optional(),
        before_version: z.int().optional(),
      }),
    ),
    internal: true,
  },
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
