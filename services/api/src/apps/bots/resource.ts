import { Bot, type BotProfile } from "@parley/contracts";
import type { Bot as BotRow } from "@parley/database/prisma";
import { z } from "zod";

/** A bot with its token, which is never shown again (docs/protocol/apps.md#12). */
export const BotWithToken = z.object({
  bot: Bot,
  token: z.string(),
  discord_token: z.string().meta({
    description: "The same token for libraries that are written for Discord's API",
    example: `MTQyMzM0MjQ4NTQ1ODQzNzYxNg.x.${"5a".repeat(32)}`,
  }),
});
export type BotWithToken = z.infer<typeof BotWithToken>;

/** A bot that was changed; with the secret of its URL when that was set, which is never shown again (docs/protocol/apps.md#25.1). */
export const ChangedBot = Bot.extend({
  interactions_secret: z
    .string()
    .optional()
    .meta({ description: "Signs the requests to interactions_url; 64 hex digits, in the answer that sets it alone" }),
}).meta({ id: "ChangedBot" });
export type ChangedBot = z.infer<typeof ChangedBot>;

/** A bot as it goes over the wire (docs/protocol/objects.md#4.26). */
export function toBot(row: BotRow): Bot {
  return {
    id: row.id,
    user_id: row.user_id,
    name: row.name,
    description: row.description,
    created_by: row.created_by,
    revoked_at: row.revoked_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    ...(row.is_public === null && row.requested_permissions === null
      ? {}
      : { ...appKeys(row), interactions_url: row.interactions_url }),
  };
}

/** The view of other users (docs/protocol/apps.md#25.1). */
export function toBotProfile(
  row: BotRow,
  { avatar_url, command_count, server_count }: Pick<BotProfile, "avatar_url" | "command_count" | "server_count">,
): BotProfile {
  const { id, user_id, name, description } = row;
  return { id, user_id, name, description, avatar_url, ...appKeys(row), command_count, server_count };
}

const appKeys = ({ is_public, requested_permissions }: BotRow) => ({
  is_public: is_public ?? false,
  requested_permissions: requested_permissions ?? 0,
});
