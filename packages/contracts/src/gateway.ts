import { z } from "zod";
import { listOf } from "./bounded.js";
import { ChannelOverride } from "./resources/channel.js";
import { AnyDmChannel } from "./resources/direct-message.js";
import { uuid, uuidInput } from "./resources/identifiers.js";
import { Role } from "./resources/role.js";
import { RawServer } from "./resources/server.js";
import { PresenceStatus, User } from "./resources/user.js";
import { signalTypes } from "./resources/voice.js";
import { codePointLength, isStorableText } from "./text.js";

/** Path of the gateway on every host that serves it (docs/protocol/requests.md#1.1). */
export const gatewayPaths = ["/ws", "/api/ws"] as const;

/** Close codes of docs/protocol/connecting.md#14.1. */
export const closeCodes = { normal: 1000, goingAway: 1001, policyViolation: 1008, frameTooLarge: 1009 } as const;

const nullableText = (max: number) =>
  z
    .string()
    .refine((value) => isStorableText(value) && codePointLength(value) <= max)
    .meta({ maxLength: max })
    .nullable()
    .optional();
const signalText = z.string().nullable().default(null);

/** Status texts may be this long, in code points (docs/protocol/objects.md#4.1). */
export const statusTextLengthMax = 128;

/** Messages that a connection takes of its client per second; the others are dropped (docs/protocol/connecting.md#14.1). */
export const clientMessagesPerSecondMax = 20;

/** So many user ids fit into one frame of PRESENCE_SUBSCRIBE. */
export const presenceSubscriptionsMax = 400;

/** Channels that one connection may show (docs/protocol/passive-servers.md#27). */
export const viewedChannelsMax = 20;

/**
 * Payloads of the ops a client may send (docs/protocol/connecting.md#14.3); the gateway drops a frame that fails to
 * parse without an answer (docs/protocol/connecting.md#14.2).
 */
export const clientOps = {
  HEARTBEAT: z.unknown(),
  PRESENCE_UPDATE: z.object({
    status: PresenceStatus,
    custom_status: nullableText(statusTextLengthMax),
    activity: nullableText(statusTextLengthMax),
  }),
  TYPING_START: z.object({ channel_id: uuidInput() }),
  VOICE_SIGNAL: z.object({
    to_user_id: uuidInput(),
    type: z.enum(signalTypes),
    sdp: signalText,
    candidate: signalText,
    stream_type: signalText,
  }),
  PRESENCE_SUBSCRIBE: z.object({ user_ids: listOf(uuidInput(), { max: presenceSubscriptionsMax }) }),
  VIEW: z.object({
    channel_ids: listOf(uuidInput(), { max: viewedChannelsMax }),
    active: z.boolean().default(true).meta({ description: "Whether somebody looks at what is shown" }),
  }),
} as const;
export type ClientOp = keyof typeof clientOps;

/** A frame of a client: unknown keys are ignored, `t` and `d` may be absent (docs/protocol/connecting.md#14.2). */
export const ClientEnvelope = z.object({
  op: z.enum(["HEARTBEAT", "PRESENCE_UPDATE", "TYPING_START", "VOICE_SIGNAL", "PRESENCE_SUBSCRIBE", "VIEW"]),
  d: z.unknown().optional(),
});

/** Reasons for which a connection with a cursor gets READY instead of a replay. */
export const resyncReasons = ["unknown", "expired", "filter", "membership", "too_many"] as const;
export type ResyncReason = (typeof resyncReasons)[number];

const passiveServers = z
  .array(uuid)
  .meta({ description: "With `view`: servers of which only what concerns the channels in view is sent" });

/**
 * Payload of READY (docs/protocol/connecting.md#14.4); `resync` is present only when a connection with a cursor cannot continue.
 */
export const Ready = z.object({
  user: User,
  servers: z.array(RawServer),
  dm_channels: z.array(AnyDmChannel).meta({ description: "Groups with `v=2` only" }),
  unread_counts: z.array(z.object({ channel_id: uuid, unread_count: z.int().meta({ minimum: 1, example: 3 }) })),
  mention_counts: z.array(z.object({ channel_id: uuid, count: z.int().meta({ minimum: 1, example: 1 }) })),
  thread_unreads: z
    .array(
      z.object({
        thread_id: uuid,
        channel_id: uuid,
        unread_count: z.int().meta({ minimum: 1, example: 2 }),
        mention_count: z.int().meta({ minimum: 0, example: 1 }),
      }),
    )
    .optional()
    .meta({ description: "Followed threads with unread replies; with `v=2` only" }),
  server_roles: z.record(z.string(), z.array(Role)),
  channel_overrides: z.record(z.string(), z.array(ChannelOverride)),
  resync: z.enum(resyncReasons).optional(),
  passive: passiveServers.optional(),
});
export type Ready = z.infer<typeof Ready>;

/**
 * Payload of RESUMED, which ends the replay of a continued connection: the number of replayed events, and whether every
 * change of presence since the cursor was sent.
 */
export const Resumed = z.object({
  replayed: z.int().meta({ minimum: 0, example: 12 }),
  presence: z.enum(["current", "stale"]),
  passive: passiveServers.optional(),
});
export type Resumed = z.infer<typeof Resumed>;

/** Payload of VIEW_ACK: the answer to VIEW, and sent when other servers are passive (docs/protocol/passive-servers.md#27). */
export const ViewAck = z.object({
  channel_ids: z.array(uuid).meta({ description: "Those in effect: that may be viewed" }),
  passive: passiveServers,
});
export type ViewAck = z.infer<typeof ViewAck>;

/** Payload of CHANNEL_ACTIVITY: sums of the omitted events of passive servers (docs/protocol/passive-servers.md#27). */
export const ChannelActivity = z.object({
  server_id: uuid,
  channels: z
    .array(
      z.object({
        channel_id: uuid,
        last_message_id: uuid.nullable(),
        unread_count: z.int().meta({ minimum: 0, example: 3 }),
        mention_count: z.int().meta({ minimum: 0, example: 1 }),
      }),
    )
    .meta({ minItems: 1 }),
});
export type ChannelActivity = z.infer<typeof ChannelActivity>;

/** Key `s` of a numbered frame: an opaque cursor from which any gateway continues the connection. */
export const cursor = z.string().meta({ pattern: "^[A-Za-z0-9._~-]{1,128}$", example: "AZq3.k2Vd~0f-8" });

/** Values of the query's `presence`: a connection gets PRESENCE_UPDATE of subscribed users only, or none. */
export const presenceModes = ["subscribed", "none"] as const;

/** Answer to every HEARTBEAT (docs/protocol/connecting.md#14.2). */
export const heartbeatAckFrame = '{"op":"HEARTBEAT_ACK","t":null,"d":null}';
