import { defineStatement, foldedName, type RawRow } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";

/**
 * SQL: whether $1 knows of the account `u`: they share a server or a conversation, or it wrote in a channel of $2, which $1
 * may read.
 */
const isKnown = `(u.id = $1
    OR EXISTS (SELECT FROM members a JOIN members b ON b.server_id = a.server_id WHERE a.user_id = $1 AND b.user_id = u.id)
    OR EXISTS (SELECT FROM dm_channels d WHERE d.user_low = least($1, u.id) AND d.user_high = greatest($1, u.id))
    OR EXISTS (SELECT FROM dm_group_members a JOIN dm_group_members b ON b.channel_id = a.channel_id
      WHERE a.user_id = $1 AND b.user_id = u.id)
    OR EXISTS (SELECT FROM messages m WHERE m.author_id = u.id AND m.channel_id = ANY ($2::uuid[])))`;

const person = z.object({ id: z.string(), username: z.string() });
/** Somebody whom the caller knows of. */
export type Person = z.infer<typeof person>;

const wanted = foldedName("normalize($3::text, NFC)");
const isShown = `${foldedName("u.display_name")} = ${wanted}`;

/** A name may be the username, the name that an account shows, or one in a server. People of archives are in no directory. */
const namedStatement = defineStatement({
  name: "search_people_named",
  text: `WITH named AS (
      SELECT d.user_id AS id FROM user_directory d WHERE d.search_name = lower($3)
      UNION SELECT b.user_id FROM members a JOIN members b ON b.server_id = a.server_id JOIN users u ON u.id = b.user_id
        WHERE a.user_id = $1 AND (${foldedName("b.nickname")} = ${wanted} OR ${isShown})
      UNION SELECT u.id FROM users u WHERE u.imported AND lower(u.username) = lower($3)
      UNION SELECT u.id FROM users u WHERE u.imported AND u.display_name IS NOT NULL AND ${isShown}
      UNION SELECT u.id FROM dm_channels d JOIN users u ON u.id IN (d.user_low, d.user_high)
        WHERE $1 IN (d.user_low, d.user_high) AND ${isShown}
      UNION SELECT u.id FROM dm_group_members a JOIN dm_group_members b ON b.channel_id = a.channel_id
        JOIN users u ON u.id = b.user_id WHERE a.user_id = $1 AND ${isShown})
    SELECT u.id, u.username FROM named JOIN users u USING (id) WHERE ${isKnown}`,
  isPlannedEachTime: true,
  row: person,
});

const knownStatement = defineStatement({
  name: "search_people_known",
  text: `SELECT u.id, u.username FROM users u WHERE u.id = ANY ($3::uuid[]) AND ${isKnown}`,
  isPlannedEachTime: true,
  row: person,
});

/** Of the most similar names of the installation those that the caller knows. */
const similarStatement = defineStatement({
  name: "search_people_similar",
  text: `SELECT u.username FROM (
      SELECT d.user_id, similarity(d.search_name, lower($3)) AS likeness FROM user_directory d
      WHERE d.search_name % lower($3) OR d.search_name LIKE '%' || replace(replace(lower($3), '\\', ''), '%', '') || '%'
      ORDER BY likeness DESC, d.username LIMIT 50) AS d
    JOIN users u ON u.id = d.user_id WHERE ${isKnown} ORDER BY likeness DESC, u.username LIMIT $4`,
  isPlannedEachTime: true,
  row: (row: RawRow) => String(row.username),
});

/** Time zone of an account's settings. */
const timeZoneStatement = defineStatement({
  name: "search_time_zone",
  text: "SELECT timezone FROM notification_settings WHERE user_id = $1",
  row: (row: RawRow) => String(row.timezone),
});

/** The asking user and the channels that they may read. */
export interface Viewer {
  userId: string;
  channelIds: readonly string[];
}

/** The people of that name whom the viewer knows of. */
export function findNamed(connection: Queryable, { userId, channelIds }: Viewer, name: string): Promise<Person[]> {
  return connection.query(namedStatement, [userId, channelIds, name]);
}

/** Those of the accounts whom the viewer knows of. */
export async function findKnown(
  connection: Queryable,
  { userId, channelIds }: Viewer,
  ids: readonly string[],
): Promise<Person[]> {
  return ids.length === 0 ? [] : connection.query(knownStatement, [userId, channelIds, ids]);
}

/** Usernames that look like a name, the most similar one first. */
export function findSimilar(
  connection: Queryable,
  { userId, channelIds }: Viewer,
  name: string,
  limit: number,
): Promise<string[]> {
  return connection.query(similarStatement, [userId, channelIds, name, limit]);
}

export async function findTimeZone(connection: Queryable, userId: string): Promise<string> {
  const [timeZone] = await connection.query(timeZoneStatement, [userId]);
  return timeZone ?? "UTC";
}
