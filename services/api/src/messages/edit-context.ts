import { forbidden } from "@parley/contracts";
import { type Database, defineStatement } from "@parley/database";
import { z } from "zod";
import { findMentions } from "./mentions.js";

/** What an edit needs beyond the message itself. */
export interface EditContext {
  mentionUserIds: string[];
  mentionEveryone: boolean;
  /** Edits pass the word filter only (contract.md 11.2). */
  wordFilter: boolean;
}

const contextStatement = defineStatement({
  name: "message_edit_context",
  text: `SELECT
      EXISTS (
        SELECT 1 FROM timeouts t
        WHERE t.server_id = s.id AND t.user_id = $2 AND t.expires_at > now()
          AND (NOT t.automatic OR coalesce(a.enabled, false))) AS timed_out,
      coalesce(a.enabled AND a.word_filter_enabled, false) AS word_filter,
      coalesce((
        SELECT json_agg(json_build_object('id', u.id, 'username', u.username))
        FROM users u JOIN members mm ON mm.user_id = u.id AND mm.server_id = s.id
        WHERE u.username = ANY($3::text[])), '[]') AS mentioned
    FROM servers s LEFT JOIN automod_configs a ON a.server_id = s.id
    WHERE s.id = $1`,
  row: z.object({
    timed_out: z.boolean(),
    word_filter: z.boolean(),
    mentioned: z.array(z.object({ id: z.string(), username: z.string() })),
  }),
});

/** @throws ServiceError 403 while the author is timed out (contract.md 10.3) */
export async function requireEditContext(
  database: Database,
  { userId, serverId, content }: { userId: string; serverId: string; content: string },
): Promise<EditContext> {
  const mentions = findMentions(content);
  const [row] = await database.query(contextStatement, [serverId, userId, mentions.usernames]);
  if (row?.timed_out) throw forbidden("User is timed out");
  const idByName = new Map(row?.mentioned.map((user) => [user.username, user.id]));
  return {
    mentionUserIds: mentions.usernames.flatMap((name) => idByName.get(name) ?? []),
    mentionEveryone: mentions.everyone,
    wordFilter: row?.word_filter ?? false,
  };
}
