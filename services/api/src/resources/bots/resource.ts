import { Bot } from "@parley/contracts";
import type { Bot as BotRow } from "@parley/database/prisma";
import { z } from "zod";

/** A bot with its token, which is never shown again (docs/interface.md#12). */
export const BotWithToken = z.object({ bot: Bot, token: z.string() });
export type BotWithToken = z.infer<typeof BotWithToken>;

/** A bot as it goes over the wire (docs/interface.md#4.26). */
export function toBot(row: BotRow): Bot {
  return {
    id: row.id,
    user_id: row.user_id,
    name: row.name,
    description: row.description,
    created_by: row.created_by,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
