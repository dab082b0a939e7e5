import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";
import { permissionField } from "./role.js";
import { avatarUrl } from "./user.js";

/** A bot (docs/protocol/objects.md#4.26). */
export const Bot = z
  .object({
    id: uuid,
    user_id: uuid,
    name: z.string(),
    description: z.string().nullable(),
    created_by: uuid.nullable(),
    revoked_at: timestamp.nullable(),
    created_at: timestamp,
    is_public: z
      .boolean()
      .optional()
      .meta({ description: "Whether others may add it to servers; absent until a key of apps was set" }),
    requested_permissions: permissionField
      .optional()
      .meta({ description: "What it asks for when it is added; absent until a key of apps was set" }),
    interactions_url: z
      .string()
      .nullable()
      .optional()
      .meta({ description: "Where it is asked by HTTP; absent until a key of apps was set" }),
  })
  .meta({ id: "Bot" });
export type Bot = z.infer<typeof Bot>;

/** A public bot for everybody (docs/protocol/apps.md#25.1). */
export const BotProfile = z
  .object({
    id: uuid,
    user_id: uuid,
    name: z.string(),
    description: z.string().nullable(),
    avatar_url: avatarUrl,
    is_public: z.boolean(),
    requested_permissions: permissionField,
    command_count: z.int().meta({ minimum: 0, maximum: 100, example: 3 }),
    server_count: z.int().meta({ minimum: 0, example: 12 }),
  })
  .meta({ id: "BotProfile" });
export type BotProfile = z.infer<typeof BotProfile>;

/** A line of a bot's log (docs/protocol/objects.md#4.26). */
export const BotLogEntry = z
  .object({
    timestamp,
    event: z.enum(["bot_created", "message_sent", "bot_revoked", "route_missing"]),
    detail: z.string().nullable(),
  })
  .meta({ id: "BotLogEntry" });
export type BotLogEntry = z.infer<typeof BotLogEntry>;
