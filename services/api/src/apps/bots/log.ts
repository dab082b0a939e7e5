import type { BotLogEntry } from "@parley/contracts";
import type { Bot, Queryable } from "@parley/database/prisma";
import { findLoggedMessages } from "./repository.js";

/** The log of a bot: creation, messages and revocation (docs/protocol/objects.md#4.26), newest first. */
export async function readBotLog(connection: Queryable, bot: Bot): Promise<BotLogEntry[]> {
  const messages = await findLoggedMessages(connection, bot);
  const entry = (at: Date, event: BotLogEntry["event"], detail: string) => ({ at, event, detail });
  const entries = [
    ...(bot.revoked_at === null ? [] : [entry(bot.revoked_at, "bot_revoked", "Bot token was revoked")]),
    ...messages.map(({ created_at, preview }) => entry(created_at, "message_sent", preview)),
    entry(bot.created_at, "bot_created", `Bot "${bot.name}" was created`),
  ];
  return entries
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .map(({ at, event, detail }) => ({ timestamp: at.toISOString(), event, detail }));
}
