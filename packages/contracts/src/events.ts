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

const define = <const D extends EventDefinition>(definition: D) => definition;

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
  MESSAGE_CREATE: define({
    payload: SentMessage,
    resource: "messages",
    audience: "channel",
    kind: "durable",
    webhook: "message.created",
  }),
  MESSAGE_UPDATE: define({
    payload: Message,
    resource: "messages",
    audience: "channel",
    kind: "durable",
    webhook: "message.updated",
  }),
  MESSAGE_DELETE: define({
    payload: DeletedMessage,
    resource: "messages",
    audience: "channel",
    kind: "durable",
    webhook: "message.deleted",
  }),
  THREAD_MESSAGE_CREATE: define({
    payload: SentMessage,
    resource: "messages",
    audience: "channel",
    kind: "durable",
    webhook: "message.created",
  }),
  REACTION_ADD: define({ payload: Reaction, resource: "reactions", audience: "channel", kind: "durable" }),
  REACTION_REMOVE: define({ payload: Reaction, resource: "reactions", audience: "channel", kind: "durable" }),
  MESSAGE_PIN: define({
    payload: z.object({ message_id: uuid, channel_id: uuid, pinned_by: uuid, pinned_at: timestamp }),
    resource: "pins",
    audience: "channel",
    kind: "durable",
  }),
  MESSAGE_UNPIN: define({
    payload: z.object({ message_id: uuid, channel_id: uuid, unpinned_by: uuid }),
    resource: "pins",
    audience: "channel",
    kind: "durable",
  }),
  POLL_VOTE: define({
    payload: z.object({ poll_id: uuid, channel_id: uuid, message_id: uuid, updated_poll: Poll }),
    resource: "polls",
    audience: "channel",
    kind: "durable",
  }),
  TYPING_START: define({ payload: Typing, resource: "typing", audience: "channel", kind: "ephemeral" }),
  PRESENCE_UPDATE: define({
    payload: z.object({
      user_id: uuid,
      ...presenceFields,
    }),
    resource: "presence",
    audience: "comembers",
    kind: "ephemeral",
  }),
  VOICE_STATE_UPDATE: define({ payload: VoiceState, resource: "voice", audience: "channel", kind: "durable" }),
  VOICE_SIGNAL: define({
    payload: z.object({
      from_user_id: uuid,
      type: z.enum(signalTypes),
      sdp: z.string().nullable(),
      candidate: z.string().nullable(),
      stream_type: z.string().nullable(),
    }),
    resource: "voice",
    audience: "user",
    kind: "ephemeral",
  }),
  GO_LIVE_START: define({ payload: GoLiveSession, resource: "go-live", audience: "channel", kind: "durable" }),
  GO_LIVE_STOP: define({
    payload: z.object({ channel_id: uuid, broadcaster_id: uuid }),
    resource: "go-live",
    audience: "channel",
    kind: "durable",
  }),
  DM_CHANNEL_CREATE: define({ payload: DmChannel, resource: "direct-messages", audience: "user", kind: "durable" }),
  DM_MESSAGE_CREATE: define({ payload: SentDmMessage, resource: "direct-messages", audience: "user", kind: "durable" }),
  MEMBER_KICK: define({ payload: Removal, resource: "moderation", audience: "server", kind: "durable" }),
  MEMBER_BAN: define({ payload: Removal, resource: "moderation", audience: "server", kind: "durable" }),
  MEMBER_TIMEOUT: define({
    payload: z.object({ server_id: uuid, user_id: uuid, expires_at: timestamp, reason }),
    resource: "moderation",
    audience: "server",
    kind: "durable",
  }),
  MEMBER_TIMEOUT_REMOVE: define({ payload: Membership, resource: "moderation", audience: "server", kind: "durable" }),
  MEMBER_UNBAN: define({ payload: Membership, resource: "moderation", audience: "server", kind: "durable" }),
  ROLE_CREATE: define({ payload: Role, resource: "roles", audience: "server", kind: "durable" }),
  ROLE_UPDATE: define({
    payload: Role,
    resource: "roles",
    audience: "server",
    kind: "durable",
    changesVisibility: true,
  }),
  ROLE_DELETE: define({
    payload: z.object({ server_id: uuid, role_id: uuid }),
    resource: "roles",
    audience: "server",
    kind: "durable",
    changesVisibility: true,
  }),
  MEMBER_ROLE_ADD: define({
    payload: MemberRole,
    resource: "roles",
    audience: "server",
    kind: "durable",
    changesVisibility: true,
  }),
  MEMBER_ROLE_REMOVE: define({
    payload: MemberRole,
    resource: "roles",
    audience: "server",
    kind: "durable",
    changesVisibility: true,
  }),
  INVITE_CREATE: define({ payload: Invite, resource: "invites", audience: "server", kind: "durable" }),
  INVITE_DELETE: define({
    payload: z.object({ server_id: uuid, invite_id: uuid }),
    resource: "invites",
    audience: "server",
    kind: "durable",
  }),
  CUSTOM_EMOJI_CREATE: define({ payload: CustomEmoji, resource: "emojis", audience: "server", kind: "durable" }),
  CUSTOM_EMOJI_DELETE: define({
    payload: z.object({ server_id: uuid, emoji_id: uuid }),
    resource: "emojis",
    audience: "server",
    kind: "durable",
  }),
  CHANNEL_OVERRIDE_UPDATE: define({
    payload: ChannelOverride,
    resource: "channels",
    audience: "server",
    kind: "durable",
    changesVisibility: true,
  }),
  CHANNEL_OVERRIDE_DELETE: define({
    payload: z.object({ channel_id: uuid, override_id: uuid }),
    resource: "channels",
    audience: "server",
    kind: "durable",
    changesVisibility: true,
  }),

  /** A user became a member: their connections start to receive the server's events. */
  SERVER_JOINED: define({
    payload: Membership,
    resource: "servers",
    audience: "user",
    kind: "durable",
    internal: true,
    changesVisibility: true,
  }),
  /** A user is no member any more: their connections stop receiving the server's events. */
  SERVER_LEFT: define({
    payload: Membership,
    resource: "servers",
    audience: "user",
    kind: "durable",
    internal: true,
    changesVisibility: true,
  }),
  /** A server was handed over to a member, who may see everything in it from now on. */
  SERVER_OWNER_CHANGED: define({
    payload: Membership,
    resource: "servers",
    audience: "server",
    kind: "durable",
    internal: true,
    changesVisibility: true,
  }),
  /** A server was deleted, with all memberships. */
  SERVER_DELETED: define({
    payload: z.object({ server_id: uuid }),
    resource: "servers",
    audience: "server",
    kind: "durable",
    internal: true,
  }),
  /**
   * Connections of a user are to be closed (1000): all, the one named, those of the session named, or those from before
   * a version of the account's sessions. Durable: access must not outlive an outage.
   */
  SESSION_CLOSE: define({
    payload: z.object({
      connection_id: z.string().nullable(),
      session_id: uuid.optional(),
      before_version: z.int().optional(),
    }),
    resource: "sessions",
    audience: "user",
    kind: "durable",
    internal: true,
  }),
} as const;

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
