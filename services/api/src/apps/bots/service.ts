import { type AccessTokens, generateToken, hashToken, type Identity } from "@parley/auth";
import {
  type Bot,
  type BotProfile,
  caps,
  createEvent,
  discordToken,
  errorTexts,
  invalidInput,
  notFound,
} from "@parley/contracts";
import type { Bot as BotRow, Database, Transaction } from "@parley/database/prisma";
import { lockAccount, requireBelowCap } from "../../access/caps.js";
import { endAllSessions } from "../../accounts/auth/repository.js";
import type { ChangeProfile } from "../../people/users/change-profile.js";
import type { ChangeTurns } from "../../platform/load/change-turns.js";
import { removeCommands } from "../commands/announce.js";
import { botAccountName } from "./account-name.js";
import { type OwnBot, requireInForce } from "./may.js";
import {
  countBots,
  findAddableBot,
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
  turns: ChangeTurns;
  accessTokens: AccessTokens;
  changeProfile: ChangeProfile;
  /** Whether bots may be asked without encryption; for development. */
  allowPlainHttp: boolean;
}) {
  const { database, turns, accessTokens, changeProfile, allowPlainHttp } = options;
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

    /** A URL gets a new secret each time that it is set. */
    async update(may: OwnBot, changes: Partial<UpdateBot>): Promise<ChangedBot> {
      const { interactions_url: url } = changes;
      if (typeof url === "string" && !allowPlainHttp && new URL(url).protocol !== "https:") {
        throw invalidInput(errorTexts.interactions_url_invalid);
      }
      const secret = typeof url === "string" ? generateToken() : null;
      const bot = await may.change(async ({ transaction, access: { id } }) => {
        if (url !== undefined) await noteAppKeys(transaction, id);
        const data = url === undefined ? changes : { ...changes, interactions_secret: secret };
        return requireChanged(await updateBot(transaction, id, data), errorTexts.bot_revoked);
      });
      return secret === null ? toBot(bot) : { ...toBot(bot), interactions_secret: secret };
    },

    /** A public bot, for everybody; any bot, for its creator. */
    async profile(userId: string, botId: string): Promise<BotProfile> {
      const bot = await findAddableBot(database, { userId, botId });
      if (bot === null) throw notFound(errorTexts.bot_not_found);
      return toBotProfile(bot, await findBotNumbers(database, bot));
    },

    /**
     * Sets the picture of the bot's account.
     *
     * @param keep does further work in the same transaction
     */
    async setAvatar(
      may: OwnBot,
      avatar_url: string | null,
      keep: (transaction: Transaction) => Promise<void> = async () => undefined,
    ): Promise<Bot> {
      const bot = await may.access();
      await changeProfile(bot.user_id, async (transaction) => {
        requireInForce(await may.access(transaction));
        await keep(transaction);
        return { avatar_url };
      });
      return toBot(bot);
    },

    /** Ends the bot's access at once, on every api and gateway. */
    revoke(may: OwnBot): Promise<void> {
      return may.change(async ({ transaction, emit, access: { id, user_id } }) => {
        if ((await updateBot(transaction, id, revocation())) === undefined)
          throw notFound(errorTexts.bot_not_found_or_revoked);
        await endAllSessions(transaction, user_id);
        emit(createEvent("SESSION_CLOSE", { user_id }, { connection_id: null }));
        await removeCommands(transaction, emit, [user_id]);
      });
    },

    /** Gives the bot another token; the access of the old one ends at once, on every api and gateway. */
    async regenerateToken(may: OwnBot): Promise<BotWithToken> {
      const token = generateToken();
      // The event names the version, so connections of the new token survive it in whatever order events arrive.
      const bot = await may.change(async ({ transaction, emit, access: { id, user_id } }) => {
        const updated = await updateBot(transaction, id, { token_hash: hashToken(token) });
        const changed = requireChanged(updated, errorTexts.bot_revoked_for_good);
        const before_version = await endAllSessions(transaction, user_id);
        if (before_version === null) throw notFound(errorTexts.bot_not_found);
        emit(createEvent("SESSION_CLOSE", { user_id }, { connection_id: null, before_version }));
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

export type BotService = ReturnType<typeof createBotService>;

/** @param whenRevoked text of the 400 for a bot that is revoked, which nothing changes */
function requireChanged(bot: BotRow | undefined, whenRevoked: string): BotRow {
  if (bot === undefined) throw invalidInput(whenRevoked);
  return bot;
}
