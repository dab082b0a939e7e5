import { isDeepStrictEqual } from "node:util";
import { type BotCommands, type Command, errorTexts, ServiceError } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { canGrant, hasPermission, resolveAccess } from "@parley/permissions";
import { requireChannel } from "../../access/channel-access.js";
import { announceCommands } from "./announce.js";
import { findChannelBots, findCommands, lockCommands, replaceCommands } from "./repository.js";
import type { CommandInput } from "./schema.js";

export function createCommandService({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }) {
  return {
    /** The commands of the calling bot, in its order. */
    list(botUserId: string): Promise<Command[]> {
      return findCommands(database, botUserId);
    },

    /** Replaces the commands of the calling bot; a list that changes nothing causes no event. */
    replace(botUserId: string, commands: readonly CommandInput[]): Promise<Command[]> {
      return outbox.transaction([], async (transaction, emit) => {
        const botId = await lockCommands(transaction, botUserId);
        if (botId === undefined) throw new ServiceError("unauthenticated", errorTexts.invalid_bot_token);
        const before = await findCommands(transaction, botUserId);
        await replaceCommands(transaction, botId, commands);
        const after = await findCommands(transaction, botUserId);
        if (!isDeepStrictEqual(before, after)) await announceCommands(transaction, emit, botUserId);
        return after;
      });
    },

    /** What a member can ask the bots of a channel to do. */
    async listInChannel(userId: string, channelId: string): Promise<BotCommands[]> {
      const { permissions } = await requireChannel(database, channelId, userId);
      const bots = await findChannelBots(database, channelId);
      return bots
        .filter((bot) => hasPermission(resolveAccess(bot, bot.user_id), "VIEW_CHANNEL"))
        .map(({ user_id, name, avatar_url, commands }) => ({
          bot_user_id: user_id,
          name,
          avatar_url,
          commands: commands.filter((command) => mayUse(command, permissions)),
        }))
        .filter(({ commands }) => commands.length > 0);
    },
  };
}

/** Whether a member's bits in the channel are those that the command asks for. */
export function mayUse({ default_permissions }: Pick<Command, "default_permissions">, permissions: number): boolean {
  return canGrant(permissions, default_permissions ?? 0);
}

export type CommandService = ReturnType<typeof createCommandService>;
