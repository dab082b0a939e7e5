import { forbidden } from "@parley/contracts";
import { automodColumn, automodSettings } from "@parley/moderation";
import { z } from "zod";
import { messageErrors } from "./error-texts.js";
import type { MentionCandidates } from "./mentions.js";

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
  ${automodColumn},
  CASE WHEN ${sql.usernames} = '[]' THEN '[]' ELSE coalesce((
    SELECT json_agg(json_build_object('id', u.id, 'username', u.username))
    FROM jsonb_array_elements_text(${sql.usernames}::jsonb) AS wanted (username)
    JOIN users u ON u.username = wanted.username
    JOIN members mm ON mm.user_id = u.id AND mm.server_id = ${sql.serverId}), '[]') END AS mentioned`;

/** Row shape of {@link authorColumns}. */
export const authorRow = z.object({
  timed_out: z.boolean(),
  automod: automodSettings,
  mentioned: z.array(z.object({ id: z.string(), username: z.string() })),
});

/**
 * Whom the text mentions, in order of first mention.
 *
 * @throws ServiceError 403 while the author is timed out (docs/interface.md#10.3)
 */
export function resolveAuthor({ timed_out, mentioned }: z.infer<typeof authorRow>, mentions: MentionCandidates) {
  if (timed_out) throw forbidden(messageErrors.timedOut);
  const idByName = new Map(mentioned.map((user) => [user.username, user.id]));
  return {
    mentionUserIds: mentions.usernames.flatMap((name) => idByName.get(name) ?? []),
    mentionEveryone: mentions.everyone,
  };
}
