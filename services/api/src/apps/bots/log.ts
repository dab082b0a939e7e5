import type { BotLogEntry } from "@parley/contracts";
import type { Bot, Queryable } from "@parley/database/prisma";
import type { MissingRoutes } from "@parley/redis";
import { findLoggedMessages } from "./repository.js";

/** The log of a bot: creation, messages, missing routes and revocation (docs/protocol/objects.md#4.26), newest first. */
export async function readBotLog(connection: Queryable, missing: MissingRoutes, bot: Bot): Promise<BotLogEntry[]> {
  const [messages, routes] = await Promise.all([findLoggedMessages(connection, bot), missing.list(bot.id)]);
  const entry = (at: Date, event: BotLogEntry["event"], detail: string) => ({ at, event, detail });
  const entries = [
    ...(bot.revoked_at === null ? [] : [entry(bot.revoked_at, "bot_revoked", "Bot token was revoked")]),
    ...messages.map(({ created_at, preview }) => entry(created_at, "message_sent", preview)),
    ...routes.map(({ at, route }) => entry(new Date(at), "route_missing", `${route} is not served`)),
    entry(bot.created_at, "bot_created", `Bot "${bot.name}" was created`),
  ];
  return entries
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .map(({ at, event, detail }) => ({ timestamp: at.toISOString(), event, detail }));
}
