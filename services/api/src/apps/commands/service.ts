import { isDeepStrictEqual } from "node:util";
import { type Command, errorTexts, type OwnCommand, ServiceError } from "@parley/contracts";
import type { Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { canGrant, hasPermission, resolveAccess } from "@parley/permissions";
import type { ChannelAccess } from "../../access/repository.js";
import { announceCommands } from "./announce.js";
import {
  botsChunkMax,
  findChannelBots,
  findCommands,
  findOffered,
  lockCommands,
  replaceCommands,
} from "./repository.js";
import type { BotPosition, CommandInput } from "./schema.js";

/** Bytes of the bots in one answer; a single bot may have more, as PostgreSQL writes out every digit of a large number. */
const pageBytesMax = 1_000_000;
/** Bots whose commands PostgreSQL puts together in one statement: up to some hundred KB each. */
const offeredChunkMax = 8;

export function createCommandService({ database, outbox }: { database: Database; outbox: Outbox<Transaction> }) {
  return {
    /** The commands of the calling bot, in its order. */
    list(botUserId: string): Promise<OwnCommand[]> {
      return findCommands(database, botUserId);
    },

    /** Replaces the commands of the calling bot; a list that changes nothing causes no event. */
    replace(botUserId: string, commands: readonly CommandInput[]): Promise<OwnCommand[]> {
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

    /**
     * The commands that a member can give the bots of a channel.
     *
     * @param after where the page before ended
     * @returns the JSON of each bot, and where the next page begins; null after the last one
     */
    async listInChannel(
      { channel: { id: channelId }, serverId, permissions }: ChannelAccess,
      after: BotPosition | null,
    ): Promise<{ bots: string[]; next: BotPosition | null }> {
      const page = { bots: [] as string[], bytes: 0, end: after };
      while (true) {
        const found = await findChannelBots(database, channelId, page.end);
        const seeing = found.filter((bot) => hasPermission(resolveAccess(bot, bot.user_id), "VIEW_CHANNEL"));
        for (let at = 0; at < seeing.length; at += offeredChunkMax) {
          const chunk = seeing.slice(at, at + offeredChunkMax);
          const bytes = pageBytesMax - page.bytes;
          const ids = chunk.map(({ id }) => id);
          for (const { botId, text } of await findOffered(database, ids, { permissions, serverId, bytes })) {
            page.bytes += Buffer.byteLength(text);
            if (page.bytes > pageBytesMax && page.bots.length > 0) return { bots: page.bots, next: page.end };
            page.bots.push(text);
            page.end = positionOf(chunk.find(({ id }) => id === botId));
          }
        }
        if (found.length < botsChunkMax) return { bots: page.bots, next: null };
        page.end = positionOf(found.at(-1));
      }
    },
  };
}

function positionOf(bot: { name: string; id: string } | undefined): BotPosition {
  if (bot === undefined) throw new Error("A bot was lost on its way out");
  return { name: bot.name, botId: bot.id };
}

/** Whether a member's bits in the channel are those that the command asks for. */
export function mayUse({ default_permissions }: Pick<Command, "default_permissions">, permissions: number): boolean {
  return canGrant(permissions, default_permissions ?? 0);
}

export type CommandService = ReturnType<typeof createCommandService>;
