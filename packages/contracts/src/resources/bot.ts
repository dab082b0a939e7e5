import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";

/** A bot (docs/interface.md#4.26). */
export const Bot = z
  .object({
    id: uuid,
    user_id: uuid,
    name: z.string(),
    description: z.string().nullable(),
    created_by: uuid.nullable(),
    revoked_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: "Bot" });
export type Bot = z.infer<typeof Bot>;

/** A line of a bot's log (docs/interface.md#4.26). */
export const BotLogEntry = z
  .object({
    timestamp,
    event: z.enum(["bot_created", "message_sent", "bot_revoked"]),
    detail: z.string().nullable(),
  })
  .meta({ id: "BotLogEntry" });
export type BotLogEntry = z.infer<typeof BotLogEntry>;
