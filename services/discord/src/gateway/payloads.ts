import { isStorableText } from "@parley/contracts";
import { GatewayOpcodes } from "discord-api-types/v10";
import { z } from "zod";
import { parseJson } from "../json.js";
import { snowflakeInput } from "../rest/input.js";
import { requestedUsersMax } from "./limits.js";
import { PresencePayload } from "./presence.js";

/** Servers whose sounds one payload asks for. */
const soundGuildsMax = 100;

/** Payloads that a client sends, by opcode (docs/discord.md#gateway). */
export const payloads = {
  [GatewayOpcodes.Heartbeat]: z.int().nullish(),
  [GatewayOpcodes.Identify]: z.object({
    token: z.string(),
    intents: z.number(),
    shard: z.tuple([z.int(), z.int()]).nullish(),
    presence: PresencePayload.nullish().catch(null),
    large_threshold: z.int().nullish().catch(null),
  }),
  [GatewayOpcodes.PresenceUpdate]: PresencePayload,
  [GatewayOpcodes.VoiceStateUpdate]: z.object({ guild_id: snowflakeInput, channel_id: snowflakeInput.nullish() }),
  [GatewayOpcodes.Resume]: z.object({ token: z.string(), session_id: z.string(), seq: z.int().min(0) }),
  [GatewayOpcodes.RequestGuildMembers]: z.object({
    guild_id: z.union([snowflakeInput, z.tuple([snowflakeInput]).transform(([id]) => id)]),
    query: z.string().refine(isStorableText).nullish(),
    limit: z.int().min(0).nullish(),
    presences: z.boolean().nullish(),
    user_ids: z
      .union([snowflakeInput.transform((id) => [id]), z.array(snowflakeInput).max(requestedUsersMax)])
      .nullish(),
    nonce: z.string().max(32).nullish(),
  }),
  [GatewayOpcodes.RequestSoundboardSounds]: z.object({ guild_ids: z.array(snowflakeInput).max(soundGuildsMax) }),
} as const;
export type ClientOpcode = keyof typeof payloads;
export type Payload<Opcode extends ClientOpcode> = z.infer<(typeof payloads)[Opcode]>;

const Envelope = z.object({ op: z.int(), d: z.unknown() });

/** A frame of a client: null where it cannot be read at all. */
export function readEnvelope(text: string): z.infer<typeof Envelope> | null {
  try {
    return Envelope.parse(parseJson(text));
  } catch {
    return null;
  }
}

export const isClientOpcode = (op: number): op is ClientOpcode => op in payloads;
