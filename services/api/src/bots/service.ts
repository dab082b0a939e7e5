import { type AccessTokens, generateToken, hashToken } from "@parley/auth";
import { type Bot, type BotLogEntry, createEvent, invalidInput, notFound } from "@parley/contracts";
import type { Bot as BotRow, Database, Transaction } from "@parley/database";
import type { Outbox } from "@parley/outbox";
import { caps, lockAccount, requireBelow } from "../access/caps.js";
import { botAccountName } from "./account-name.js";
import { readBotLog } from "./log.js";
import { type BotWithToken, toBot } from "./resource.js";
import type { CreateBot, UpdateBot } from "./schema.js";

/** Bots of the calling user; those of others are 404 (docs/interface.md#12). */
export interface BotService {
  create(userId: string, input: CreateBot): Promise<BotWithToken>;
  /** Oldest first, revoked ones included. */
  list(userId: string): Promise<Bot[]>;
  get(userId: string, botId: string): Promise<Bot>;
  update(userId: string, botId: string, changes: UpdateBot): Promise<Bot>;
  /** Ends the bot's access at once, on every api and gateway. */
  revoke(userId: string, botId: string): Promise<void>;
  log(userId: string, botId: string): Promise<BotLogEntry[]>;
  /** Gives the bot another token; the old one is invalid at once. */
  regenerateToken(userId: string, botId: string): Promise<BotWithToken>;
  /** An access token for a bot that has shown its static token. */
  connect(botUserId: string): { access_token: string };
}

export function createBotService(options: {
  database: Database;
  outbox: Outbox;
  accessTokens: AccessTokens;
}): BotService {
  const { database, outbox, accessTokens } = options;
  const { bot: bots } = database.prisma;

  const requireBot = async (userId: string, botId: string): Promise<BotRow> => {
    const bot = await bots.findUnique({ where: { id: botId, created_by: userId } });
    if (bot === null) throw notFound("Bot not found");
    return bot;
  };

  /** Changes a bot that is not revoked, whoever revokes it at the same moment. */
  const change = async (
    address: { userId: string; botId: string },
    data: { name?: string | undefined; description?: string | null | undefined; token_hash?: string },
    whenRevoked: string,
  ): Promise<BotRow> => {
    const { userId, botId } = address;
    const [changed] = await bots.updateManyAndReturn({
      where: { id: botId, created_by: userId, revoked_at: null },
      data,
    });
    if (changed !== undefined) return changed;
    await requireBot(userId, botId);
    throw invalidInput(whenRevoked);
  };

  return {
    async create(userId, { name, description }) {
      const token = generateToken();
      const bot = await database.transaction(async (transaction) => {
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
      });
      return { bot: toBot(bot), token };
    },

    async list(userId) {
      const rows = await bots.findMany({
        where: { created_by: userId },
        orderBy: [{ created_at: "asc" }, { id: "asc" }],
      });
      return rows.map(toBot);
    },

    async get(userId, botId) {
      return toBot(await requireBot(userId, botId));
    },

    async update(userId, botId, { name, description }) {
      return toBot(await change({ userId, botId }, { name, description }, "Cannot update a revoked bot"));
    },

    async revoke(userId, botId) {
      // A bot is revoked once: there is no other event to be ordered with.
      await outbox.transaction([], async (transaction, emit) => {
        const [bot] = await transaction.prisma.bot.updateManyAndReturn({
          where: { id: botId, created_by: userId, revoked_at: null },
          data: { revoked_at: new Date() },
          select: { user_id: true },
        });
        if (bot === undefined) throw notFound("Bot not found or already revoked");
        emit(createEvent("SESSION_CLOSE", { user_id: bot.user_id }, { connection_id: null }));
      });
    },

    async log(userId, botId) {
      return readBotLog(database, await requireBot(userId, botId));
    },

    async regenerateToken(userId, botId) {
      const token = generateToken();
      const data = { token_hash: hashToken(token) };
      const bot = await change({ userId, botId }, data, "Cannot regenerate the token of a revoked bot");
      return { bot: toBot(bot), token };
    },

    connect(botUserId) {
      return { access_token: accessTokens.issue({ userId: botUserId, bot: true }) };
    },
  };
}

/** @throws ServiceError 400 when the account has as many bots as it may */
async function requireRoom({ prisma }: Transaction, userId: string): Promise<void> {
  const where = { created_by: userId };
  requireBelow(caps.bots, await prisma.bot.count({ where: { ...where, revoked_at: null }, take: caps.bots.max }));
  requireBelow(caps.botsEver, await prisma.bot.count({ where, take: caps.botsEver.max }));
}
