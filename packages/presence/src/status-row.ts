import { PresenceStatus } from "@parley/contracts";
import { columnsOf, type Database, defineStatement, rowsOfArrays, serverExists } from "@parley/database";
import { z } from "zod";
import type { Transition } from "./registry.js";

/** A user as clients see them, and the servers whose members receive it. */
export const UserPresence = z.object({
  user_id: z.string(),
  status: PresenceStatus,
  custom_status: z.string().nullable(),
  activity: z.string().nullable(),
  server_ids: z
    .string()
    .nullable()
    .transform((ids) => ids?.split(",") ?? []),
});
export type UserPresence = z.infer<typeof UserPresence>;

/** A status that a user sets: absent fields stay as they are, null or "" clears a text. */
export interface StatusChange {
  status?: PresenceStatus | undefined;
  custom_status?: string | null | undefined;
  /** When the custom status ends; a new one without it has no end. */
  status_expires_at?: Date | null | undefined;
  activity?: string | null | undefined;
}

/** As text: the driver reads an array of 20 ids character by character, and there may be thousands of rows. */
const serverIds = `(SELECT string_agg(m.server_id::text, ',')
      FROM members m WHERE m.user_id = u.id AND ${serverExists("m.server_id")}) AS server_ids`;

/** Rows are locked in the order of their ids, so that two processes saving the same users never block each other. */
const saveStatement = defineStatement({
  name: "presence_save",
  text: `WITH wanted AS (
      SELECT * FROM ${rowsOfArrays("uuid", "bigint", "boolean", "boolean")} AS w (id, version, online, repair)
    ), u AS (
      SELECT users.id, users.presence_version, users.status, users.custom_status, users.activity
      FROM users JOIN wanted USING (id) ORDER BY users.id
      FOR NO KEY UPDATE OF users
    ), changed AS (
      UPDATE users SET connected = w.online, presence_version = w.version, status = CASE
          WHEN w.repair AND users.connected = w.online THEN users.status
          WHEN w.online THEN 'online'
          ELSE 'offline'
        END, presence_changed_at = CASE
          WHEN w.repair AND users.connected = w.online THEN users.presence_changed_at
          ELSE clock_timestamp()
        END
      FROM wanted w JOIN u USING (id)
      WHERE users.id = w.id AND users.presence_version < w.version
      RETURNING w.id, new.status, NOT w.repair OR old.connected <> w.online AS is_news
    )
    SELECT u.id::text AS user_id, u.presence_version::text AS stored, coalesce(changed.is_news, false) AS is_news,
      coalesce(changed.status, u.status) AS status, u.custom_status, u.activity, ${serverIds}
    FROM u LEFT JOIN changed USING (id)`,
  row: UserPresence.extend({ stored: z.string(), is_news: z.boolean() }),
});

const setStatement = defineStatement({
  name: "presence_set",
  text: `WITH u AS (
      UPDATE users SET
        status = coalesce($2, status),
        custom_status = CASE WHEN $3::boolean THEN $4 ELSE custom_status END,
        status_expires_at = CASE
          WHEN (CASE WHEN $3::boolean THEN $4 ELSE custom_status END) IS NULL THEN NULL
          WHEN $3::boolean OR $7::boolean THEN $8::timestamptz
          ELSE status_expires_at
        END,
        activity = CASE WHEN $5::boolean THEN $6 ELSE activity END,
        presence_changed_at = clock_timestamp()
      WHERE id = $1
      RETURNING id, status, custom_status, activity
    )
    SELECT u.id::text AS user_id, u.status, u.custom_status, u.activity, ${serverIds} FROM u`,
  row: UserPresence,
});

const readStatement = defineStatement({
  name: "presence_read",
  text: `SELECT u.id::text AS user_id, u.status, u.custom_status, u.activity, ${serverIds}
    FROM users u WHERE u.id = ANY ($1::uuid[])`,
  row: UserPresence,
});

/** A presence with the time when it was set, in seconds since 1970. */
const ChangedPresence = UserPresence.extend({ changed_at: z.number() });
export type ChangedPresence = z.infer<typeof ChangedPresence>;

const changedStatement = defineStatement({
  name: "presence_changed",
  text: `SELECT u.id::text AS user_id, u.status, u.custom_status, u.activity, ${serverIds},
      extract(epoch FROM u.presence_changed_at)::float8 AS changed_at
    FROM users u WHERE u.presence_changed_at >= to_timestamp($1::float8)
    ORDER BY u.presence_changed_at DESC LIMIT $2::bigint`,
  row: ChangedPresence,
});

const connectedStatement = defineStatement({
  name: "presence_connected",
  text: "SELECT id::text AS id FROM users WHERE connected AND id = ANY ($1::uuid[])",
  row: z.object({ id: z.string() }),
});

const connectedAfterStatement = defineStatement({
  name: "presence_connected_after",
  text: "SELECT id::text AS id FROM users WHERE connected AND id > $1::uuid ORDER BY id LIMIT $2",
  row: z.object({ id: z.string() }),
});

type Queries = Pick<Database, "query">;

/**
 * Saves transitions unless PostgreSQL has a newer one of the user.
 *
 * @returns for each user who exists: the version that PostgreSQL had before, and whether co-members are sent the change
 */
export async function saveTransitions(database: Queries, transitions: readonly Transition[]) {
  return database.query(saveStatement, columnsOf(transitions, "userId", "version", "online", "repair"));
}

/** Sets the status that a user chose; null when the account is deleted. */
export async function setPresence(
  database: Queries,
  userId: string,
  change: StatusChange,
): Promise<UserPresence | null> {
  const { status, custom_status, activity, status_expires_at } = change;
  const [presence] = await database.query(setStatement, [
    userId,
    status ?? null,
    ...[custom_status, activity].flatMap((text) => [text !== undefined, text === "" ? null : (text ?? null)]),
    status_expires_at !== undefined,
    status_expires_at?.toISOString() ?? null,
  ]);
  return presence ?? null;
}

/** The present rows of these users; none for deleted ones. */
export async function readPresences(database: Queries, userIds: readonly string[]): Promise<UserPresence[]> {
  return database.query(readStatement, [userIds]);
}

/** Presences set since a time in seconds since 1970, the newest first, at most `max`. */
export async function presencesChangedSince(
  database: Queries,
  seconds: number,
  max: number,
): Promise<ChangedPresence[]> {
  return database.query(changedStatement, [seconds, max]);
}

/** Which of these users are connected according to PostgreSQL. */
export async function connectedAmong(database: Queries, userIds: readonly string[]): Promise<Set<string>> {
  const rows = await database.query(connectedStatement, [userIds]);
  return new Set(rows.map(({ id }) => id));
}

/** The next users after `afterId`, by id, whom PostgreSQL counts as connected. */
export async function connectedAfter(database: Queries, afterId: string, max: number): Promise<string[]> {
  const rows = await database.query(connectedAfterStatement, [afterId, max]);
  return rows.map(({ id }) => id);
}
