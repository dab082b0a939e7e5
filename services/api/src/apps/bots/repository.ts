import { caps } from "@parley/contracts";
import { defineStatement, serverExists } from "@parley/database";
import type { Bot, Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";

/** A bot of a user. */
export interface BotAddress {
  userId: string;
  botId: string;
}

/** Messages of a bot that its log shows, and how much of each (docs/protocol/limits.md#16.1). */
const loggedMessagesMax = 50;
const previewLengthMax = 80;

const messagesStatement = defineStatement({
  name: "bot_log_messages",
  text: `SELECT m.created_at, left(m.content, $3) AS preview FROM messages m
    WHERE m.author_id = $1 AND NOT m.deleted AND EXISTS (SELECT FROM channels c WHERE c.id = m.channel_id)
    ORDER BY m.created_at DESC, m.id DESC LIMIT $2`,
  row: z.object({ created_at: z.date(), preview: z.string() }),
});

/** The latest messages of a bot, newest first, and the beginning of each. */
export function findLoggedMessages(connection: Queryable, bot: Bot) {
  return connection.query(messagesStatement, [bot.user_id, loggedMessagesMax, previewLengthMax]);
}

/** A user's bots, revoked ones included, oldest first. */
export function findBots({ prisma }: Queryable, userId: string): Promise<Bot[]> {
  return prisma.bot.findMany({ where: { created_by: userId }, orderBy: [{ created_at: "asc" }, { id: "asc" }] });
}

/** A bot, revoked or not. */
export function findBot({ prisma }: Queryable, { userId, botId }: BotAddress): Promise<Bot | null> {
  return prisma.bot.findUnique({ where: { id: botId, created_by: userId } });
}

/** The bot of an account; null for a person's. */
export function findBotOf({ prisma }: Queryable, userId: string): Promise<Bot | null> {
  return prisma.bot.findUnique({ where: { user_id: userId } });
}

const numbersStatement = defineStatement({
  name: "bot_numbers",
  text: `SELECT u.avatar_url,
      (SELECT count(*)::integer FROM app_commands c WHERE c.bot_id = $2) AS command_count,
      (SELECT count(*)::integer FROM members m WHERE m.user_id = u.id AND ${serverExists("m.server_id")}) AS server_count
    FROM users u WHERE u.id = $1`,
  row: z.object({ avatar_url: z.string().nullable(), command_count: z.int(), server_count: z.int() }),
});

/** A bot that a user may add to servers: a public one, or their own. */
export async function findAddableBot({ prisma }: Queryable, { userId, botId }: BotAddress): Promise<Bot | null> {
  return prisma.bot.findFirst({ where: { id: botId, OR: [{ is_public: true }, { created_by: userId }] } });
}

/** The picture of a bot's account, and how many commands and servers it has. */
export async function findBotNumbers(connection: Queryable, bot: Bot) {
  const [numbers] = await connection.query(numbersStatement, [bot.user_id, bot.id]);
  return numbers ?? { avatar_url: null, command_count: 0, server_count: 0 };
}

/** How many bots a user has, and how many with revoked ones, each counted up to its cap. */
export async function countBots({ prisma }: Transaction, userId: string): Promise<{ inForce: number; ever: number }> {
  const where = { created_by: userId };
  const inForce = await prisma.bot.count({ where: { ...where, revoked_at: null }, take: caps.bots.max });
  return { inForce, ever: await prisma.bot.count({ where, take: caps.botsEver.max }) };
}

/** Stores a bot with its account. */
export function insertBot(
  { prisma }: Transaction,
  userId: string,
  { username, ...bot }: { username: string; name: string; description: string | null; token_hash: string },
): Promise<Bot> {
  return prisma.bot.create({
    data: { ...bot, creator: { connect: { id: userId } }, user: { create: { username } } },
  });
}

/** Gives each bot of a user that is in force another token. @returns their accounts */
export async function replaceBotTokens(
  { prisma }: Transaction,
  userId: string,
  newHash: () => string,
): Promise<string[]> {
  const bots = await prisma.bot.findMany({ where: { created_by: userId, revoked_at: null }, select: { id: true } });
  const replaced: string[] = [];
  for (const { id } of bots) {
    const { user_id } = await prisma.bot.update({ where: { id }, data: { token_hash: newHash() } });
    replaced.push(user_id);
  }
  return replaced;
}

/** The columns of a revoked bot; the dispatcher sends it no interactions any more. */
export const revocation = () => ({ revoked_at: new Date(), interactions_url: null, interactions_secret: null });

/** Notes that a key of apps was set, for a bot without any of the others: its URL may be cleared again. */
export async function noteAppKeys({ prisma }: Queryable, id: string): Promise<void> {
  const where = { id, revoked_at: null, is_public: null };
  await prisma.bot.updateMany({ where, data: { is_public: false } });
}

/** Changes a bot; the condition on `revoked_at` in the same statement excludes a concurrent revocation. */
export async function updateBot(
  { prisma }: Queryable,
  id: string,
  data: {
    name?: string | undefined;
    description?: string | null | undefined;
    is_public?: boolean | undefined;
    requested_permissions?: number | undefined;
    interactions_url?: string | null | undefined;
    interactions_secret?: string | null;
    token_hash?: string;
    revoked_at?: Date;
  },
): Promise<Bot | undefined> {
  const where = { id, revoked_at: null };
  return (await prisma.bot.updateManyAndReturn({ where, data }))[0];
}
