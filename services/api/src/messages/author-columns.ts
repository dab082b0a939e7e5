import { forbidden } from "@parley/contracts";
import { automodColumn, automodSettings } from "@parley/moderation";
import { z } from "zod";
import { messageErrors } from "./error-texts.js";
import type { MentionCandidates } from "./mentions.js";

/**
 * SQL for text that is another one after the author's membership or timeout was changed: the versions of their rows. The
 * statement that stores a text compares it with what was read when the author's right was checked, so that nothing of
 * an author is stored after the answer to their removal or timeout. Roles and overrides are not compared: their versions
 * would add a quarter to the execution time of the statement that stores messages, these two add 2 to 5 %.
 *
 * @param sql what names the server and the author
 */
export const authorStanding = ({ serverId, userId }: { serverId: string; userId: string }) => `concat(
    (SELECT standing.xmin FROM members standing WHERE standing.server_id = ${serverId} AND standing.user_id = ${userId}), ' ',
    (SELECT standing.xmin FROM timeouts standing WHERE standing.server_id = ${serverId} AND standing.user_id = ${userId}))`;

/**
 * The columns that decide about an author's text, new or edited; resolved by {@link resolveAuthor}. They stand in a
 * statement with the server `s` and its auto-moderation `a`.
 *
 * @param sql what names the server, the author, and the names that the text may mention (a JSON array as text)
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
 * Whom the text mentions, in order of first mention, and what has to be unchanged when it is stored.
 *
 * @throws ServiceError 403 while the author is timed out (docs/interface.md#10.3)
 */
export function resolveAuthor(
  { timed_out, standing, mentioned }: z.infer<typeof authorRow>,
  mentions: MentionCandidates,
) {
  if (timed_out) throw forbidden(messageErrors.timedOut);
  const idByName = new Map(mentioned.map((user) => [user.username, user.id]));
  return {
    standing,
    mentionUserIds: mentions.usernames.flatMap((name) => idByName.get(name) ?? []),
    mentionEveryone: mentions.everyone,
  };
}
