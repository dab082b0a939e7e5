import { type AccessTokens, generateToken, hashToken, type Identity } from "@parley/auth";
import { type Bot, type BotLogEntry, caps, createEvent, errorTexts, invalidInput, notFound } from "@parley/contracts";
import type { Bot as BotRow, Database, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { lockAccount, requireBelow } from "../../access/caps.js";
import type { ChangeTurns } from "../../load/change-turns.js";
import { endAllSessions } from "../auth/sessions.js";
import { botAccountName } from "./account-name.js";
import { readBotLog } from "./log.js";
import { type BotWithToken, toBot } from "./resource.js";
import type { CreateBot, UpdateBot } from "./schema.js";

/** The pool, or the transaction that a step belongs to. */
type Connected = Pick<Transaction, "prisma">;

export function createBotService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  turns: ChangeTurns;
  accessTokens: AccessTokens;
}) {
  const { database, outbox, turns, accessTokens } = options;
  const { bot: bots } = database.prisma;

  const requireBot = async (userId: string, botId: string, { prisma }: Connected = database): Promise<BotRow> => {
    const bot = await prisma.bot.findUnique({ where: { id: botId, created_by: userId } });
    if (bot === null) throw notFound(errorTexts.bot_not_found);
    return bot;
  };

  /** Changes a bot; the condition on `revoked_at` in the same statement excludes a concurrent revocation. */
  const change = async (
    address: { userId: string; botId: string },
    data: { name?: string | undefined; description?: string | null | undefined; token_hash?: string },
    whenRevoked: string,
    connected: Connected = database,
  ): Promise<BotRow> => {
    const { userId, botId } = address;
    const [changed] = await connected.prisma.bot.updateManyAndReturn({
      where: { id: botId, created_by: userId, revoked_at: null },
      data,
    });
    if (changed !== undefined) return changed;
    await requireBot(userId, botId, connected);
    throw invalidInput(whenRevoked);
  };

  return {
    async create(userId: string, { name, description }: CreateBot): Promise<BotWithToken> {
      const token = generateToken();
      const insert = async (transaction: Transaction) => {
        await lockAccount(transaction, userId);
        await requireRoom(transaction, userId);
        return transaction.prisma.bot.create({
          data: {
            name,
            description: description ?? null,
            token_hash: hashToken(token),
            creator: { connect: { id: userId } },
            user: { create: { username: botAccountName(name) } },
          },
        });
      };
      const bot = await turns.run(userId, () => database.transaction(insert));
      return { bot: toBot(bot), token };
    },

    /** Oldest first, revoked ones included. */
    async list(userId: string): Promise<Bot[]> {
      const rows = await bots.findMany({
        where: { created_by: userId },
        orderBy: [{ created_at: "asc" }, { id: "asc" }],
      });
      return rows.map(toBot);
    },

    async get(userId: string, botId: string): Promise<Bot> {
      return toBot(await requireBot(userId, botId));
    },

    async update(userId: string, botId: string, { name, description }: UpdateBot): Promise<Bot> {
      return toBot(await change({ userId, botId }, { name, description }, errorTexts.bot_revoked));
    },

    /** Ends the bot's access at once, on every api and gateway. */
    async revoke(userId: string, botId: string): Promise<void> {
      // A bot is revoked once, so its event has no order to keep with others.
      await outbox.transaction([], async (transaction, emit) => {
        const [bot] = await transaction.prisma.bot.updateManyAndReturn({
          where: { id: botId, created_by: userId, revoked_at: null },
          data: { revoked_at: new Date() },
          select: { user_id: true },
        });
        if (bot === undefined) throw notFound(errorTexts.bot_not_found_or_revoked);
        emit(createEvent("SESSION_CLOSE", { user_id: bot.user_id }, { connection_id: null }));
      });
    },

    async log(userId: string, botId: string): Promise<BotLogEntry[]> {
      return readBotLog(database, await requireBot(userId, botId));
    },

    /** Gives the bot another token; the access of the old one ends at once, on every api and gateway. */
    async regenerateToken(userId: string, botId: string): Promise<BotWithToken> {
      const token = generateToken();
      const data = { token_hash: hashToken(token) };
      // The event names the version, so connections of the new token survive it in whatever order events arrive.
      const bot = await outbox.transaction([], async (transaction, emit) => {
        const changed = await change({ userId, botId }, data, errorTexts.bot_revoked_for_good, transaction);
        const before_version = await endAllSessions(transaction, changed.user_id);
        if (before_version === null) throw notFound(errorTexts.bot_not_found);
        emit(createEvent("SESSION_CLOSE", { user_id: changed.user_id }, { connection_id: null, before_version }));
        return changed;
      });
      return { bot: toBot(bot), token };
    },

    /** An access token for a bot that has shown its static token; it ends with that one. */
    connect({ userId, sessionVersion: version }: Identity): { access_token: string } {
      return { access_token: accessTokens.issue({ userId, bot: true, session: { id: null, version } }) };
    },
  };
}

/** Bots of the calling user; those of others are 404 (docs/interface.md#12). */
export type BotService = ReturnType<typeof createBotService>;

/** @throws ServiceError 400 when the account has as many bots as it may */
async function requireRoom({ prisma }: Transaction, userId: string): Promise<void> {
  const where = { created_by: userId };
  requireBelow(caps.bots, await prisma.bot.count({ where: { ...where, revoked_at: null }, take: caps.bots.max }));
  requireBelow(caps.botsEver, await prisma.bot.count({ where, take: caps.botsEver.max }));
}
