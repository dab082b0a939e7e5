import { errorTexts, invalidInput, notFound } from "@parley/contracts";
import type { Bot } from "@parley/database/prisma";
import { asked, type CallerRight } from "../../access/asked.js";
import type { May } from "../../platform/http/may.js";
import { findBot, findBotOf } from "./repository.js";

/** A bot of the caller, revoked or not. */
export type OwnBot = CallerRight<Bot>;

/** The right of a bot's creator; bots of others are 404 (docs/protocol/apps.md#12). */
export const ownBot = botRight(errorTexts.bot_not_found);
/** The same to revoke it. */
export const mayRevoke = botRight(errorTexts.bot_not_found_or_revoked);

/** The right of a bot to its own profile. */
export const itself: May<Record<string, never>, OwnBot> = {
  right: "the bot itself",
  errors: { not_found: [errorTexts.bot_not_found] },
  ask: (stores, { userId }) =>
    asked<Bot>(stores, {
      async judge(connection) {
        const bot = await findBotOf(connection, userId);
        if (bot === null) throw notFound(errorTexts.bot_not_found);
        return bot;
      },
      scopesOf: () => [],
    }),
};

function botRight(missing: string): May<{ id: string }, OwnBot> {
  return {
    right: "owner of the bot",
    errors: { not_found: [missing] },
    ask: (stores, { userId, params }) =>
      asked<Bot>(stores, {
        async judge(connection) {
          const bot = await findBot(connection, { userId, botId: params.id });
          if (bot === null) throw notFound(missing);
          return bot;
        },
        // Its events have no order to keep with others.
        scopesOf: () => [],
      }),
  };
}

/** @throws ServiceError 400 */
export function requireInForce(bot: Bot): void {
  if (bot.revoked_at !== null) throw invalidInput(errorTexts.bot_revoked);
}
