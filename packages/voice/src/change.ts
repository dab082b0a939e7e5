import { GoLiveSession, VoiceState } from "@parley/contracts";
import { z } from "zod";

/** A user's voice state, as stored in Redis. `joined_at` is in milliseconds; `version` is unique among all states. */
export const StoredState = VoiceState.extend({
  channel_id: z.string(),
  joined_at: z.int(),
  username: z.string(),
  server_id: z.string(),
  version: z.int(),
  /** A moderator moved the user into the channel, who needs no right to connect to it. */
  moved: z.literal(true).optional(),
});
export type StoredState = z.infer<typeof StoredState>;

/** A broadcast, as stored in Redis. `started_at` is in milliseconds. */
export const StoredSession = GoLiveSession.extend({ started_at: z.int(), server_id: z.string(), version: z.int() });
export type StoredSession = z.infer<typeof StoredSession>;

const VoiceChannel = z.object({ server_id: z.string(), channel_id: z.string() });
export type VoiceChannel = z.infer<typeof VoiceChannel>;

/** A change of a user's voice state. `previous` is null for a join from no channel, `state` for a leave. */
const VoiceChange = z.object({
  kind: z.literal("voice"),
  user_id: z.string(),
  username: z.string(),
  previous: VoiceChannel.nullable(),
  state: StoredState.nullable(),
});
export type VoiceChange = z.infer<typeof VoiceChange>;

/**
 * A broadcast began or was renewed, with this `session`, or the broadcast of `broadcaster_id` ended (`session` null).
 */
const GoLiveChange = z.object({
  kind: z.literal("go_live"),
  server_id: z.string(),
  channel_id: z.string(),
  broadcaster_id: z.string(),
  session: StoredSession.nullable(),
});
export type GoLiveChange = z.infer<typeof GoLiveChange>;

/** A change that a script made. */
export const Change = z.discriminatedUnion("kind", [VoiceChange, GoLiveChange]);
export type Change = z.infer<typeof Change>;

/** The voice state as the wire has it (docs/protocol/objects.md#4.19). */
export function toVoiceState({
  server_id: _server,
  version: _version,
  moved: _moved,
  ...state
}: StoredState): VoiceState {
  return { ...state, joined_at: new Date(state.joined_at).toISOString() };
}

/** The voice state that clients receive when a user has left (docs/protocol/objects.md#4.19). */
export function leaveForm(user: { user_id: string; username: string }): VoiceState {
  return {
    user_id: user.user_id,
    channel_id: null,
    self_mute: false,
    self_deaf: false,
    self_video: false,
    self_screen: false,
    server_mute: false,
    server_deaf: false,
    joined_at: null,
    username: user.username,
  };
}

/** The go-live session as the wire has it (docs/protocol/objects.md#4.20). */
export function toGoLiveSession({ server_id: _server, version: _version, ...session }: StoredSession): GoLiveSession {
  return { ...session, started_at: new Date(session.started_at).toISOString() };
}
