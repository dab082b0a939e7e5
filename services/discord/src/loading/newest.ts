import { defineStatement, jsonTime, rowsOfArrays } from "@parley/database";
import { z } from "zod";
import type { Newest } from "../objects/channel.js";
import type { Reading } from "./context.js";

export const newestRow = z.object({ last_message_id: z.string().nullable(), last_pin_at: z.string().nullable() });

/** SQL of both for the channel of a server with this id. */
export const newestIn = (channelId: string) => ({
  last_message_id: `(SELECT newest.id FROM messages newest WHERE newest.channel_id = ${channelId} AND newest.listed
    ORDER BY newest.created_at DESC, newest.id DESC LIMIT 1)`,
  last_pin_at: `(SELECT ${jsonTime("newest.pinned_at")} FROM messages newest
    WHERE newest.channel_id = ${channelId} AND newest.pinned AND NOT newest.deleted
    ORDER BY newest.pinned_at DESC, newest.id DESC LIMIT 1)`,
});
const newest = newestIn("asked.id");

const findNewest = defineStatement({
  name: "discord_newest",
  text: `SELECT asked.id, coalesce(${newest.last_message_id}, (
      SELECT direct.id FROM dm_messages direct WHERE direct.channel_id = asked.id
      ORDER BY direct.created_at DESC, direct.id DESC LIMIT 1)) AS last_message_id, ${newest.last_pin_at} AS last_pin_at
    FROM ${rowsOfArrays("uuid")} AS asked (id)`,
  row: newestRow.extend({ id: z.string() }),
});

/** The newest of channels that a bot may view, by channel. */
export async function loadNewest(
  database: Reading,
  channelIds: readonly string[],
): Promise<ReadonlyMap<string, Newest>> {
  const rows = channelIds.length === 0 ? [] : await database.query(findNewest, [channelIds]);
  return new Map(rows.map((row) => [row.id, row]));
}
