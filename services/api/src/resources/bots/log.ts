import type { BotLogEntry } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Bot, Queryable } from "@parley/database/prisma";
import { z } from "zod";

/** Messages of a bot that its log shows, and how much of each (docs/interface.md#16.1). */
const loggedMessagesMax = 50;
const previewLengthMax = 80;

const messagesStatement = defineStatement({
  name: "bot_log_messages",
  text: `SELECT m.created_at, left(m.content, $3) AS preview FROM messages m
    WHERE m.author_id = $1 AND NOT m.deleted AND EXISTS (SELECT FROM channels c WHERE c.id = m.channel_id)
    ORDER BY m.created_at DESC, m.id DESC LIMIT $2`,
  row: z.object({ created_at: z.date(), preview: z.string() }),
});

/** The log of a bot: creation, messages and revocation (docs/interface.md#4.26), newest first. */
export async function readBotLog(connection: Queryable, bot: Bot): Promise<BotLogEntry[]> {
  const messages = await connection.query(messagesStatement, [bot.user_id, loggedMessagesMax, previewLengthMax]);
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
