import { CommandOption, commandContexts, type OwnCommand } from "@parley/contracts";
import { defineStatement, type RawRow, serverExists } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { accessColumns, accessRow } from "@parley/permissions";
import { z } from "zod";
import type { BotPosition, CommandInput } from "./schema.js";

const commandRow = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  context: z.enum(commandContexts),
  options: z.array(CommandOption),
  default_permissions: z.int().nullable(),
});

const ownRow = commandRow
  .extend({ server_ids: z.array(z.string()).nullable(), form: z.record(z.string(), z.unknown()).nullable() })
  .transform(
    ({ server_ids, form, ...command }): OwnCommand => ({
      ...command,
      ...(server_ids === null ? {} : { server_ids }),
      ...(form === null ? {} : { form }),
    }),
  );

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
  text: `SELECT ${commandColumns}, c.server_ids, c.form FROM app_commands c JOIN bots b ON b.id = c.bot_id
    WHERE b.user_id = $1 ORDER BY c.position`,
  row: ownRow,
});

/** A command of the bot $1 that is called otherwise in the list $2 keeps its id, if the list has none of its old name. */
const renameStatement = defineStatement({
  name: "command_rename",
  text: `WITH input AS (
      SELECT * FROM jsonb_to_recordset($2::jsonb) AS input (name text, context text, former_name text))
    UPDATE app_commands c SET name = input.name FROM input
    WHERE c.bot_id = $1 AND c.context = input.context AND c.name = input.former_name
      AND NOT EXISTS (SELECT FROM input kept WHERE kept.context = c.context AND kept.name = c.name)
      AND NOT EXISTS (SELECT FROM app_commands other
        WHERE other.bot_id = $1 AND other.context = input.context AND other.name = input.name)`,
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
  text: `INSERT INTO app_commands (bot_id, position, name, description, context, options, default_permissions, server_ids, form)
    SELECT $1, input.position, input.name, input.description, input.context, input.options, input.default_permissions,
      input.server_ids, input.form
    FROM jsonb_to_recordset($2::jsonb) AS input (position integer, name text, description text, context text,
      options jsonb, default_permissions integer, server_ids uuid[], form jsonb)
    ON CONFLICT (bot_id, context, name) DO UPDATE SET position = excluded.position,
      description = excluded.description, options = excluded.options,
      default_permissions = excluded.default_permissions, server_ids = excluded.server_ids, form = excluded.form`,
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

/** Bots that one statement reads; those of a server have no cap. */
export const botsChunkMax = 100;

/**
 * The bots with commands that are members of the channel's server, each with the columns of its access to the channel.
 */
const channelStatement = defineStatement({
  name: "command_channel_bots",
  text: `SELECT b.id, b.user_id, b.name, ${accessColumns("b.user_id")}
    FROM channels c
    JOIN servers s ON s.id = c.server_id
    JOIN members m ON m.server_id = c.server_id
    JOIN bots b ON b.user_id = m.user_id
    WHERE c.id = $1 AND EXISTS (SELECT FROM app_commands own WHERE own.bot_id = b.id)
      AND ($2::text IS NULL OR (b.name, b.id) > ($2, $3::uuid))
    ORDER BY b.name, b.id LIMIT ${botsChunkMax}`,
  row: accessRow.extend({ id: z.string(), user_id: z.string(), name: z.string() }),
});

/** Until they have $3 bytes together, and the one that passes them: PostgreSQL then sends no more than that. */
const offeredStatement = defineStatement({
  name: "command_offered",
  text: `SELECT id, text FROM (
      SELECT asked.id, asked.place, offered.text, sum(octet_length(offered.text)) OVER (ORDER BY asked.place)
        - octet_length(offered.text) AS bytes_before
      FROM unnest((SELECT $1::uuid[])) WITH ORDINALITY AS asked (id, place)
      JOIN bots b ON b.id = asked.id
      JOIN users u ON u.id = b.user_id
      CROSS JOIN LATERAL (
        SELECT json_build_object('bot_user_id', b.user_id, 'name', b.name, 'avatar_url', u.avatar_url, 'commands',
          json_agg(json_build_object(${Object.keys(commandRow.shape)
            .map((column) => `'${column}', c.${column}`)
            .join(", ")}) ORDER BY c.position))::text AS text
        FROM app_commands c
        WHERE c.bot_id = b.id AND coalesce(c.default_permissions, 0) & ~$2::integer = 0
          AND (c.server_ids IS NULL OR $4::uuid = ANY (c.server_ids))
        HAVING count(*) > 0) AS offered) AS sized
    WHERE bytes_before <= $3 ORDER BY place`,
  row: (row: RawRow) => ({ botId: String(row.id), text: String(row.text) }),
});

/** Locks a bot's commands. @returns the bot's id; undefined when it is revoked */
export async function lockCommands(transaction: Transaction, botUserId: string): Promise<string | undefined> {
  const [id] = await transaction.query(lockStatement, [botUserId]);
  return id;
}

/** The commands of a bot, in its order. */
export function findCommands(connection: Queryable, botUserId: string): Promise<OwnCommand[]> {
  return connection.query(listStatement, [botUserId]);
}

/** Replaces the commands of a bot that is locked. */
export async function replaceCommands(
  transaction: Transaction,
  botId: string,
  commands: readonly CommandInput[],
): Promise<void> {
  const rows = JSON.stringify(commands.map((command, position) => ({ ...command, position })));
  await transaction.execute(renameStatement, [botId, rows]);
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

/**
 * The next bots with commands in a channel's server, at most {@link botsChunkMax}, each with its access to the channel.
 */
export function findChannelBots(connection: Queryable, channelId: string, after: BotPosition | null) {
  return connection.query(channelStatement, [channelId, after?.name ?? null, after?.botId ?? null]);
}

/**
 * The JSON of `BotCommands` of bots, in their order, without those that offer nothing in the server to a member with these
 * bits.
 *
 * @param bytes ends the list after the bot that passes it
 */
export function findOffered(
  connection: Queryable,
  botIds: readonly string[],
  { permissions, serverId, bytes }: { permissions: number; serverId: string; bytes: number },
): Promise<{ botId: string; text: string }[]> {
  return connection.query(offeredStatement, [botIds, permissions, bytes, serverId]);
}
