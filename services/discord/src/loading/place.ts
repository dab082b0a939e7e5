import { defineStatement } from "@parley/database";
import { z } from "zod";
import { rangeOf } from "../ids/snowflake.js";
import { discordError } from "../rest/errors.js";
import type { Reading } from "./context.js";

/** The place that a channel's id names: a channel of a server, direct messages, or a thread by its root message. */
export type Place =
  | { readonly kind: "channel"; readonly id: string; readonly serverId: string }
  | { readonly kind: "direct"; readonly id: string; readonly serverId: null }
  | { readonly kind: "thread"; readonly id: string; readonly channelId: string; readonly serverId: string };

const findPlaceStatement = defineStatement({
  name: "discord_place",
  text: `
(SELECT 'channel' AS kind, id, server_id, id AS channel_id FROM channels WHERE id BETWEEN $1::uuid AND $2::uuid ORDER BY id LIMIT 1)
UNION ALL
(SELECT 'direct', id, NULL, id FROM dm_channels WHERE id BETWEEN $1::uuid AND $2::uuid ORDER BY id LIMIT 1)
UNION ALL
(SELECT 'thread', id, server_id, channel_id FROM messages
  WHERE id BETWEEN $1::uuid AND $2::uuid AND thread_id IS NULL AND NOT deleted ORDER BY id LIMIT 1)`,
  row: z.object({
    kind: z.enum(["channel", "direct", "thread"]),
    id: z.string(),
    server_id: z.string().nullable(),
    channel_id: z.string(),
  }),
});

/** @throws DiscordError 10003 when there is none */
export async function findPlace(database: Reading, snowflake: string): Promise<Place> {
  const range = rangeOf(snowflake);
  const [row] = range === null ? [] : await database.query(findPlaceStatement, [range.from, range.to]);
  if (row === undefined) throw discordError(10003);
  const { kind, id, server_id, channel_id } = row;
  if (server_id === null) return { kind: "direct", id, serverId: null };
  return kind === "thread"
    ? { kind, id, channelId: channel_id, serverId: server_id }
    : { kind: "channel", id, serverId: server_id };
}

/** The channel of the api that a place is in, and the path of its messages there. */
export function pathsOf(place: Place): { channelId: string; messages: string; send: string; message: string } {
  if (place.kind === "direct") {
    const base = `/dm-channels/${place.id}/messages`;
    return { channelId: place.id, messages: base, send: base, message: base };
  }
  const channelId = place.kind === "thread" ? place.channelId : place.id;
  const message = `/channels/${channelId}/messages`;
  const thread = `${message}/${place.id}/thread`;
  return place.kind === "thread"
    ? { channelId, messages: thread, send: thread, message }
    : { channelId, messages: message, send: message, message };
}
