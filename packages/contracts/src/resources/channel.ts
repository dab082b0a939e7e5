import { z } from "zod";
import { timestamp, uuid, uuidExample } from "./identifiers.js";
import { permissionField } from "./role.js";

export const channelTypes = ["text", "voice"] as const;

/** A channel of a server (docs/protocol/objects.md#4.9). */
export const Channel = z
  .object({
    id: uuid,
    server_id: uuid,
    name: z.string().meta({ minLength: 1, maxLength: 100, example: "general" }),
    type: z.enum(channelTypes),
    position: z.int().meta({ minimum: 0, example: 0 }),
    category: z.string().nullable().meta({ maxLength: 100, example: "Lobby" }),
    topic: z.string().nullable().meta({ maxLength: 1024, example: "Everything else" }),
    slow_mode_seconds: z.int().optional().meta({
      minimum: 1,
      maximum: 21_600,
      example: 10,
      description: "Between two messages of a member; no key without slow mode",
    }),
    user_limit: z.int().optional().meta({
      minimum: 1,
      maximum: 99,
      example: 10,
      description: "Most members in the voice channel; no key without a limit",
    }),
    created_at: timestamp,
  })
  .meta({ id: "Channel" });
export type Channel = z.infer<typeof Channel>;

/** A permission override of a channel for one role or one user (docs/protocol/objects.md#4.10). */
export const ChannelOverride = z
  .object({
    id: uuid,
    channel_id: uuid,
    role_id: uuid.nullable().meta({ example: uuidExample }),
    user_id: uuid.nullable(),
    allow: permissionField.meta({ example: 2 }),
    deny: permissionField.meta({ example: 8 }),
  })
  .meta({ id: "ChannelOverride", description: "Either `role_id` or `user_id` is set; the other is null" });
export type ChannelOverride = z.infer<typeof ChannelOverride>;
