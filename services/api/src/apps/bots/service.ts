import { type AccessTokens, generateToken, hashToken, type Identity } from "@parley/auth";
import {
  type Bot,
  type BotLogEntry,
  type BotProfile,
  caps,
  createEvent,
  discordToken,
  errorTexts,
  invalidInput,
  notFound,
} from "@parley/contracts";
import type { Bot as BotRow, Database, Queryable, Transaction } from "@parley/database/prisma";
import type { Outbox } from "@parley/outbox";
import { lockAccount, requireBelowCap } from "../../access/caps.js";
import { endAllSessions } from "../../accounts/auth/repository.js";
import type { ChangeProfile } from "../../people/users/change-profile.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import { removeCommands } from "../commands/announce.js";
import { botAccountName } from "./account-name.js";
import { readBotLog } from "./log.js";
import {
  type BotAddress,
  countBots,
  findAddableBot,
  findBot,
  findBotNumbers,
  findBots,
  insertBot,
  noteAppKeys,
  revocation,
  updateBot,
} from "./repository.js";
import { type BotWithToken, type ChangedBot, toBot, toBotProfile } from "./resource.js";
import type { CreateBot, UpdateBot } from "./schema.js";

export function createBotService(options: {
  database: Database;
  outbox: Outbox<Transaction>;
  turns: ChangeTurns;
  accessTokens: AccessTokens;
  changeProfile: ChangeProfile;
  /** Whether bots may be asked without encryption; for development. */
  allowPlainHttp: boolean;
}) {
  const { database, outbox, turns, accessTokens, changeProfile, allowPlainHttp } = options;
  const requireBot = async (address: BotAddress, connection: Queryable = database): Promise<BotRow> => {
    const bot = await findBot(connection, address);
    if (bot === null) throw notFound(errorTexts.bot_not_found);
    return bot;
  };

  /** @param whenRevoked text of the 400 for a bot that is revoked */
  const change = async (
    address: BotAddress,
    { whenRevoked, ...data }: { whenRevoked: string } & Omit<Parameters<typeof updateBot>[2], "revoked_at">,
    connection: Queryable = database,
  ): Promise<BotRow> => {
    const changed = await updateBot(connection, address, data);
    if (changed !== undefined) return changed;
    await requireBot(address, connection);
    throw invalidInput(whenRevoked);
  };

  return {
    async create(userId: string, { name, description }: CreateBot): Promise<BotWithToken> {
      const token = generateToken();
      const insert = async (transaction: Transaction) => {
        await lockAccount(transaction, userId);
        const { inForce, ever } = await countBots(transaction, userId);
        requireBelowCap(caps.bots, inForce);
        requireBelowCap(caps.botsEver, ever);
        return insertBot(transaction, userId, {
          username: botAccountName(name),
          name,
          description: description ?? null,
          token_hash: hashToken(token),
        });
      };
      const bot = await turns.run(userId, () => database.transaction(insert));
      return { bot: toBot(bot), token, discord_token: discordToken(bot.user_id, token) };
    },

    /** Oldest first, revoked ones included. */
    async list(userId: string): Promise<Bot[]> {
      return (await findBots(database, userId)).map(toBot);
    },

    async get(userId: string, botId: string): Promise<Bot> {
      return toBot(await requireBot({ userId, botId }));
    },

    /** A URL gets a new secret each time that it is set. */
    async update(userId: string, botId: string, changes: UpdateBot): Promise<ChangedBot> {
      const { interactions_url: url } = changes;
      if (typeof url === "string" && !allowPlainHttp && new URL(url).protocol !== "https:") {
        throw invalidInput(errorTexts.interactions_url_invalid);
      }
      const address = { userId, botId };
      const whenRevoked = errorTexts.bot_revoked;
      if (url === undefined) return toBot(await change(address, { ...changes, whenRevoked }));
      await noteAppKeys(database, address);
      const interactions_secret = url === null ? null : generateToken();
      const bot = toBot(await change(address, { ...changes, interactions_secret, whenRevoked }));
      return interactions_secret === null ? bot : { ...bot, interactions_secret };
    },

    /** What anybody may see of a public bot, and its creator of theirs. */
    async profile(userId: string, botId: string): Promise<BotProfile> {
      const bot = await findAddableBot(database, { userId, botId });
      if (bot === null) throw notFound(errorTexts.bot_not_found);
      return toBotProfile(bot, await findBotNumbers(database, bot));
    },

    /** @throws ServiceError 404 for a bot of somebody else, 400 for a revoked one */
    async requireUpdatable(userId: string, botId: string): Promise<void> {
      requireInForce(await requireBot({ userId, botId }));
    },

    /**
     * Sets the picture of the bot's account.
     *
     * @param keep does what belongs to the same transaction
     */
    async setAvatar(
      userId: string,
      botId: string,
      avatar_url: string | null,
      keep: (transaction: Transaction) => Promise<void> = async () => undefined,
    ): Promise<Bot> {
      const bot = await requireBot({ userId, botId });
      await changeProfile(bot.user_id, async (transaction) => {
        requireInForce(await requireBot({ userId, botId }, transaction));
        await keep(transaction);
        return { avatar_url };
      });
      return toBot(bot);
    },

    /** Ends the bot's access at once, on every api and gateway. */
    async revoke(userId: string, botId: string): Promise<void> {
      // A bot is revoked once, so its event has no order to keep with others.
      await outbox.transaction([], async (transaction, emit) => {
        const bot = await updateBot(transaction, { userId, botId }, revocation());
        if (bot === undefined) throw notFound(errorTexts.bot_not_found_or_revoked);
        await endAllSessions(transaction, bot.user_id);
        emit(createEvent("SESSION_CLOSE", { user_id: bot.user_id }, { connection_id: null }));
        await removeCommands(transaction, emit, [bot.user_id]);
      });
    },

    async log(userId: string, botId: string): Promise<BotLogEntry[]> {
      return readBotLog(database, await requireBot({ userId, botId }));
    },

    /** Gives the bot another token; the access of the old one ends at once, on every api and gateway. */
    async regenerateToken(userId: string, botId: string): Promise<BotWithToken> {
      const token = generateToken();
      const changes = { token_hash: hashToken(token), whenRevoked: errorTexts.bot_revoked_for_good };
      // The event names the version, so connections of the new token survive it in whatever order events arrive.
      const bot = await outbox.transaction([], async (transaction, emit) => {
        const changed = await change({ userId, botId }, changes, transaction);
        const before_version = await endAllSessions(transaction, changed.user_id);
        if (before_version === null) throw notFound(errorTexts.bot_not_found);
        emit(createEvent("SESSION_CLOSE", { user_id: changed.user_id }, { connection_id: null, before_version }));
        return changed;
      });
      return { bot: toBot(bot), token, discord_token: discordToken(bot.user_id, token) };
    },

    /** An access token for a bot that has shown its static token; it ends with that one. */
    connect({ userId, sessionVersion: version }: Identity): { access_token: string } {
      return { access_token: accessTokens.issue({ userId, bot: true, session: { id: null, version } }) };
    },
  };
}

/** @throws ServiceError 400 */
function requireInForce(bot: BotRow): void {
  if (bot.revoked_at !== null) throw invalidInput(errorTexts.bot_revoked);
}

/** Bots of the calling user; those of others are 404 (docs/interface.md#12). */
export type BotService = ReturnType<typeof createBotService>;
