import { errorTexts, forbidden } from "@parley/contracts";
import { automodColumn, automodSettings } from "@parley/moderation";
import { z } from "zod";
import type { MentionCandidates } from "./mentions.js";

/**
 * SQL for the author's standing: the versions (xmin) of the rows of their membership and timeout, as text. It differs
 * after every change of these rows. The statement that stores a message or an edit compares it with the value read when
 * the author's right was checked, so that nothing of an author is stored after the answer to their removal or timeout.
 * Roles and overrides are not compared: their versions would add a quarter to the execution time of the statement that
 * stores messages, these two add 2 to 5 %.
 *
 * @param sql expressions of the server's and the author's id
 */
export const authorStanding = ({ serverId, userId }: { serverId: string; userId: string }) => `concat(
    (SELECT standing.xmin FROM members standing WHERE standing.server_id = ${serverId} AND standing.user_id = ${userId}), ' ',
    (SELECT standing.xmin FROM timeouts standing WHERE standing.server_id = ${serverId} AND standing.user_id = ${userId}))`;

/**
 * Columns for the checks of a new or edited message, resolved by {@link resolveAuthor}. The statement must have the
 * server as `s` and its auto-moderation as `a`.
 *
 * @param sql expressions of the server, the author, and the names that the text may mention (a JSON array as text)
 */
export const authorColumns = (sql: { serverId: string; userId: string; usernames: string }) => `EXISTS (
    SELECT 1 FROM timeouts t
    WHERE t.server_id = ${sql.serverId} AND t.user_id = ${sql.userId} AND t.expires_at > now()
      AND (NOT t.automatic OR coalesce(a.enabled, false))) AS timed_out,
  ${authorStanding(sql)} AS standing,
  ${automodColumn},
  CASE WHEN ${sql.usernames} = '[]' THEN '[]' ELSE coalesce((
    SELECT json_agg(json_build_object('id', u.id, 'username', u.username))
    FROM jsonb_array_elements_text(${sql.usernames}::jsonb) AS wanted (username)
    JOIN users u ON u.username = wanted.username
    JOIN members mm ON mm.user_id = u.id AND mm.server_id = ${sql.serverId}), '[]') END AS mentioned`;

/** Row shape of {@link authorColumns}. */
export const authorRow = z.object({
  timed_out: z.boolean(),
  standing: z.string(),
  automod: automodSettings,
  mentioned: z.array(z.object({ id: z.string(), username: z.string() })),
});

/**
 * The members that the text mentions, in order of first mention, and the author's standing, which has to be the same
 * when the text is stored.
 *
 * @throws ServiceError 403 while the author is timed out (docs/interface.md#10.3)
 */
export function resolveAuthor(
  { timed_out, standing, mentioned }: z.infer<typeof authorRow>,
  mentions: MentionCandidates,
) {
  if (timed_out) throw forbidden(errorTexts.timed_out);
  const idByName = new Map(mentioned.map((user) => [user.username, user.id]));
  return {
    standing,
    mentionUserIds: mentions.usernames.flatMap((name) => idByName.get(name) ?? []),
    mentionEveryone: mentions.everyone,
  };
}
