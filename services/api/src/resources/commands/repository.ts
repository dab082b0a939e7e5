import { type Command, CommandOption, commandContexts } from "@parley/contracts";
import { defineStatement, type RawRow, serverExists } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { accessColumns, accessRow } from "@parley/permissions";
import { z } from "zod";
import type { CommandInput } from "./schema.js";

const commandRow = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  context: z.enum(commandContexts),
  options: z.array(CommandOption),
  default_permissions: z.int().nullable(),
});

const commandColumns = Object.keys(commandRow.shape)
  .map((column) => `c.${column}`)
  .join(", ");

/** Keeps another list of the same bot, and its revocation, waiting. */
const lockStatement = defineStatement({
  name: "command_bot_lock",
  text: "SELECT id FROM bots WHERE user_id = $1 AND revoked_at IS NULL FOR UPDATE",
  row: (row: RawRow) => String(row.id),
});

const listStatement = defineStatement({
  name: "command_list",
  text: `SELECT ${commandColumns} FROM app_commands c JOIN bots b ON b.id = c.bot_id
    WHERE b.user_id = $1 ORDER BY c.position`,
  row: commandRow,
});

const goneStatement = defineStatement({
  name: "command_delete_missing",
  text: `DELETE FROM app_commands c WHERE c.bot_id = $1 AND NOT EXISTS (
      SELECT FROM jsonb_to_recordset($2::jsonb) AS input (name text, context text)
      WHERE input.name = c.name AND input.context = c.context)`,
});

/** A command with the name and context of an earlier one keeps its id. */
const upsertStatement = defineStatement({
  name: "command_upsert",
  text: `INSERT INTO app_commands (bot_id, position, name, description, context, options, default_permissions)
    SELECT $1, input.position, input.name, input.description, input.context, input.options, input.default_permissions
    FROM jsonb_to_recordset($2::jsonb) AS input (position integer, name text, description text, context text,
      options jsonb, default_permissions integer)
    ON CONFLICT (bot_id, context, name) DO UPDATE SET position = excluded.position,
      description = excluded.description, options = excluded.options,
      default_permissions = excluded.default_permissions`,
});

const serversStatement = defineStatement({
  name: "command_servers",
  text: `SELECT m.server_id FROM members m WHERE m.user_id = $1 AND ${serverExists("m.server_id")}`,
  row: (row: RawRow) => String(row.server_id),
});

const removeStatement = defineStatement({
  name: "command_remove_all",
  text: `DELETE FROM app_commands c USING bots b WHERE b.id = c.bot_id AND b.user_id = ANY ($1::uuid[])
    RETURNING b.user_id`,
  row: (row: RawRow) => String(row.user_id),
});

/** The bots with commands that are members of the channel's server, each with what decides what it may do there. */
const channelStatement = defineStatement({
  name: "command_channel_bots",
  text: `SELECT b.user_id, b.name, u.avatar_url, ${accessColumns("b.user_id")},
      (SELECT json_agg(row_to_json(listed) ORDER BY listed.position) FROM (
        SELECT c.position, ${commandColumns} FROM app_commands c WHERE c.bot_id = b.id) AS listed) AS commands
    FROM channels c
    JOIN servers s ON s.id = c.server_id
    JOIN members m ON m.server_id = c.server_id
    JOIN bots b ON b.user_id = m.user_id
    JOIN users u ON u.id = b.user_id
    WHERE c.id = $1 AND EXISTS (SELECT FROM app_commands own WHERE own.bot_id = b.id)
    ORDER BY b.name, b.id`,
  row: accessRow.extend({
    user_id: z.string(),
    name: z.string(),
    avatar_url: z.string().nullable(),
    commands: z.array(commandRow),
  }),
});

/** Locks a bot's commands. @returns the bot's id; undefined when it is revoked */
export async function lockCommands(transaction: Transaction, botUserId: string): Promise<string | undefined> {
  const [id] = await transaction.query(lockStatement, [botUserId]);
  return id;
}

/** The commands of a bot, in its order. */
export function findCommands(connection: Queryable, botUserId: string): Promise<Command[]> {
  return connection.query(listStatement, [botUserId]);
}

/** Replaces the commands of a bot that is locked. */
export async function replaceCommands(
  transaction: Transaction,
  botId: string,
  commands: readonly CommandInput[],
): Promise<void> {
  const rows = JSON.stringify(commands.map((command, position) => ({ ...command, position })));
  await transaction.execute(goneStatement, [botId, rows]);
  await transaction.execute(upsertStatement, [botId, rows]);
}

/** The servers that a bot is in. */
export function findServersOfBot(connection: Queryable, botUserId: string): Promise<string[]> {
  return connection.query(serversStatement, [botUserId]);
}

/** Deletes the commands of bots. @returns those that had any */
export async function deleteCommands(transaction: Transaction, botUserIds: readonly string[]): Promise<Set<string>> {
  return new Set(await transaction.query(removeStatement, [botUserIds]));
}

/** The bots with commands in a channel's server, and what each may do in the channel. */
export function findChannelBots(connection: Queryable, channelId: string) {
  return connection.query(channelStatement, [channelId]);
}
