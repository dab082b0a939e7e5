import { z } from "zod";
import { timestamp, timestampExample, uuid, uuidExample } from "./identifiers.js";
import { username } from "./user.js";

/** Where a user is in voice; channel_id and joined_at are null once left (docs/protocol/objects.md#4.19). */
export const VoiceState = z
  .object({
    user_id: uuid,
    channel_id: uuid.nullable().meta({ example: uuidExample }),
    self_mute: z.boolean(),
    self_deaf: z.boolean(),
    self_video: z.boolean(),
    self_screen: z.boolean(),
    server_mute: z.boolean(),
    server_deaf: z.boolean(),
    joined_at: timestamp.nullable().meta({ example: timestampExample }),
    username,
    suppressed: z
      .literal(true)
      .optional()
      .meta({ description: "The member lacks SPEAK in the channel; in events with `v=2` only" }),
  })
  .meta({ id: "VoiceState" });
export type VoiceState = z.infer<typeof VoiceState>;

/** Kinds of signals that two clients exchange to connect (docs/protocol/connecting.md#14.3). */
export const signalTypes = ["offer", "answer", "candidate"] as const;

export const goLiveQualities = ["480p", "720p", "1080p"] as const;

/** A broadcast in a voice channel (docs/protocol/objects.md#4.20). */
export const GoLiveSession = z
  .object({ channel_id: uuid, broadcaster_id: uuid, quality: z.enum(goLiveQualities), started_at: timestamp })
  .meta({ id: "GoLiveSession" });
export type GoLiveSession = z.infer<typeof GoLiveSession>;

/** STUN and TURN servers; the camel case of the key is the clients' (docs/protocol/calls.md#9.3). */
export const IceServers = z
  .object({
    iceServers: z.array(
      z.object({
        urls: z.string().meta({ example: "turn:turn.example.com:3478" }),
        username: z.string().optional().meta({ example: "1767434645:ann" }),
        credential: z.string().optional().meta({ example: "Zm9yZ290dGVuIGluIGEgZGF5Lg==" }),
      }),
    ),
    ttl: z.int().meta({ description: "Seconds until the credentials expire", example: 86_400 }),
  })
  .meta({ id: "IceServers" });
export type IceServers = z.infer<typeof IceServers>;
