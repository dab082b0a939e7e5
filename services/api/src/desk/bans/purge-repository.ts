import { defineStatement } from "@parley/database";
import type { Queryable } from "@parley/database/prisma";
import { z } from "zod";
import { memberKey } from "../../platform/jobs/resting-rows.js";

/** Returns a row while a purge is due; an index answers it. */
export const duePurges = "SELECT FROM ban_purges WHERE due_at <= now()";

/** How long a process has a claimed purge to itself; one that has died delays it by as much. */
const claimSeconds = 4;
/**
 * How long a purge goes on looking: a message whose author was still a member when its statement began may be committed
 * after the ban, with an older time.
 */
const lateSeconds = 3;

/** The messages to delete: of one user in one server. */
const purge = z.object({
  server_id: z.string(),
  user_id: z.string(),
  since: z.date(),
  until: z.date().nullable(),
});
export type Purge = z.infer<typeof purge>;

const claimStatement = defineStatement({
  name: "ban_purge_claim",
  text: `UPDATE ban_purges SET due_at = now() + make_interval(secs => ${claimSeconds})
    WHERE (server_id, user_id) IN (
      SELECT server_id, user_id FROM ban_purges p WHERE due_at <= now() AND ${memberKey("p")} <> ALL ($1)
      ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING server_id, user_id, since, until`,
  row: purge,
});

/** The messages of a channel that is gone are removed with it. */
const nextStatement = defineStatement({
  name: "ban_purge_next",
  text: `SELECT m.id, m.channel_id, m.created_at
    FROM messages m JOIN channels c ON c.id = m.channel_id
    WHERE m.author_id = $2 AND m.server_id = $1 AND NOT m.deleted
      AND m.created_at >= $3 AND m.created_at <= coalesce($4::timestamptz, 'infinity')
    ORDER BY m.created_at, m.id LIMIT $5`,
  row: z.object({ id: z.string(), channel_id: z.string(), created_at: z.date() }),
});

/** A ban in between may have set an earlier time, from which it then begins again. */
const advanceStatement = defineStatement({
  name: "ban_purge_advance",
  text: `UPDATE ban_purges SET due_at = now(),
      since = CASE WHEN since = $3 THEN greatest(since, $4::timestamptz - make_interval(secs => ${lateSeconds})) ELSE since END
    WHERE server_id = $1 AND user_id = $2`,
});

const restStatement = defineStatement({
  name: "ban_purge_rest",
  text: `UPDATE ban_purges SET due_at = now() + interval '1 second' WHERE server_id = $1 AND user_id = $2`,
});

const finishStatement = defineStatement({
  name: "ban_purge_finish",
  text: `DELETE FROM ban_purges WHERE server_id = $1 AND user_id = $2
    AND created_at < now() - make_interval(secs => ${lateSeconds})`,
});

/** Takes the purge that is due for the longest time; null when none is due. */
export async function claimPurge(connection: Queryable, except: readonly string[]): Promise<Purge | null> {
  const [claimed] = await connection.query(claimStatement, [except]);
  return claimed ?? null;
}

/** The oldest messages that a purge has still to delete, at most `size`. */
export function findPurged(connection: Queryable, { server_id, user_id, since, until }: Purge, size: number) {
  return connection.query(nextStatement, [server_id, user_id, since, until, size]);
}

/** Notes that the messages up to a time are deleted. */
export async function advancePurge(connection: Queryable, purge: Purge, reached: Date): Promise<void> {
  await connection.execute(advanceStatement, [purge.server_id, purge.user_id, purge.since, reached]);
}

/** After a look that found nothing: the purge has ended, or looks once more a little later. */
export async function restPurge(connection: Queryable, { server_id, user_id }: Purge): Promise<void> {
  if ((await connection.execute(finishStatement, [server_id, user_id])) > 0) return;
  await connection.execute(restStatement, [server_id, user_id]);
}
