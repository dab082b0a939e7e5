import { columnsOf, defineStatement, type Queryable, rowsOfArrays, type Transaction } from "@parley/database";
import type { Emit } from "@parley/outbox";
import { z } from "zod";
import type { Change, VoiceChannel } from "./change.js";
import { eventsOf } from "./events.js";

/**
 * A voice state or broadcast whose beginning was announced to clients and whose end was not: a row of
 * `voice_announcements`.
 */
const Announcement = z.object({
  channel_id: z.string(),
  user_id: z.string(),
  kind: z.enum(["go_live", "voice"]),
  server_id: z.string(),
  username: z.string().nullable(),
});
export type Announcement = z.infer<typeof Announcement>;

const columns = "channel_id, user_id, kind, server_id, username";

const recordStatement = defineStatement({
  name: "voice_announcements_record",
  text: `WITH published AS (
      SELECT * FROM ${rowsOfArrays("uuid", "uuid", "text", "uuid", "text", "boolean")} AS p (${columns}, begins)),
    ended AS (
      DELETE FROM voice_announcements a USING published p
      WHERE (a.channel_id, a.user_id, a.kind) = (p.channel_id, p.user_id, p.kind) AND NOT p.begins)
    INSERT INTO voice_announcements AS a (${columns}) SELECT ${columns} FROM published WHERE begins
    ON CONFLICT (channel_id, user_id, kind) DO UPDATE SET username = excluded.username
      WHERE a.username IS DISTINCT FROM excluded.username`,
});

const pageStatement = defineStatement({
  name: "voice_announcements_page",
  text: `SELECT ${columns} FROM voice_announcements WHERE (channel_id, user_id, kind) > ($1::uuid, $2::uuid, $3)
    ORDER BY channel_id, user_id, kind LIMIT $4`,
  row: Announcement,
});

const recordedStatement = defineStatement({
  name: "voice_announcements_recorded",
  text: `SELECT ${columns} FROM voice_announcements
    WHERE (channel_id, user_id, kind) IN (SELECT * FROM ${rowsOfArrays("uuid", "uuid", "text")})`,
  row: Announcement,
});

/**
 * Primary key of an announcement. In its order the announcements of a channel are adjacent, a user's broadcast first.
 */
export type AnnouncementKey = Pick<Announcement, "channel_id" | "user_id" | "kind">;
export const textOf = ({ channel_id, user_id, kind }: AnnouncementKey) => `${channel_id} ${user_id} ${kind}`;

/** Emits the events of changes, and records the announcements that these begin and end. */
export async function emitChanges(transaction: Transaction, emit: Emit, changes: readonly Change[]): Promise<void> {
  for (const event of changes.flatMap(eventsOf)) emit(event);
  const last = new Map(changes.flatMap(announcementsOf).map((entry) => [textOf(entry), entry]));
  const names = ["channel_id", "user_id", "kind", "server_id", "username", "begins"] as const;
  await transaction.execute(recordStatement, columnsOf([...last.values()], ...names));
}

/** The announcements that follow one in the order of their keys, at most `limit`. */
export function announcementsAfter(connection: Queryable, after: AnnouncementKey, limit: number) {
  return connection.query(pageStatement, [after.channel_id, after.user_id, after.kind, limit]);
}

/** The keys, as {@link textOf} writes them, of those announcements that are still recorded. */
export async function stillRecorded(connection: Queryable, keys: readonly AnnouncementKey[]): Promise<Set<string>> {
  const rows = await connection.query(recordedStatement, columnsOf(keys, "channel_id", "user_id", "kind"));
  return new Set(rows.map(textOf));
}

function announcementsOf(change: Change): (Announcement & { begins: boolean })[] {
  const { kind } = change;
  if (change.kind === "go_live") {
    const { server_id, channel_id, broadcaster_id: user_id, session } = change;
    return [{ kind, server_id, channel_id, user_id, username: null, begins: session !== null }];
  }
  const { user_id, username, previous, state } = change;
  const at = ({ server_id, channel_id }: VoiceChannel, begins: boolean) => [
    { kind, server_id, channel_id, user_id, username, begins },
  ];
  return [...(previous === null ? [] : at(previous, false)), ...(state === null ? [] : at(state, true))];
}
