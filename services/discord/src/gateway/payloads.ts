import { GatewayOpcodes } from "discord-api-types/v10";
import { z } from "zod";
import { requestedUsersMax } from "./limits.js";
import { PresencePayload } from "./presence.js";

const snowflake = z.union([z.string().regex(/^\d{1,20}$/), z.int().transform(String)]);

/** Payloads that a client sends, by opcode (docs/discord.md#gateway). */
export const payloads = {
  [GatewayOpcodes.Heartbeat]: z.int().nullish(),
  [GatewayOpcodes.Identify]: z.object({
    token: z.string(),
    intents: z.number(),
    shard: z.tuple([z.int(), z.int()]).nullish(),
    presence: PresencePayload.nullish().catch(null),
  }),
  [GatewayOpcodes.PresenceUpdate]: PresencePayload,
  [GatewayOpcodes.VoiceStateUpdate]: z.object({ guild_id: snowflake, channel_id: snowflake.nullish() }),
  [GatewayOpcodes.Resume]: z.object({ token: z.string(), session_id: z.string(), seq: z.int().min(0) }),
  [GatewayOpcodes.RequestGuildMembers]: z.object({
    guild_id: z.union([snowflake, z.tuple([snowflake]).transform(([id]) => id)]),
    query: z.string().nullish(),
    limit: z.int().min(0).nullish(),
    presences: z.boolean().nullish(),
    user_ids: z.union([snowflake.transform((id) => [id]), z.array(snowflake).max(requestedUsersMax)]).nullish(),
    nonce: z.string().max(32).nullish(),
  }),
} as const;
export type ClientOpcode = keyof typeof payloads;
export type Payload<Opcode extends ClientOpcode> = z.infer<(typeof payloads)[Opcode]>;

const Envelope = z.object({ op: z.int(), d: z.unknown() });

/** A frame of a client: null where it cannot be read at all. */
export function readEnvelope(text: string): z.infer<typeof Envelope> | null {
  try {
    return Envelope.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

export const isClientOpcode = (op: number): op is ClientOpcode => op in payloads;
