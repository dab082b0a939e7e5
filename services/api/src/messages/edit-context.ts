import { forbidden } from "@parley/contracts";
import { type Database, defineStatement } from "@parley/database";
import { z } from "zod";
import { type AutomodSettings, automodColumn, automodSettings } from "../automod/settings.js";
import { findMentions } from "./mentions.js";

/** What an edit needs beyond the message itself. */
export interface EditContext {
  mentionUserIds: string[];
  mentionEveryone: boolean;
  automod: AutomodSettings;
}

const contextStatement = defineStatement({
  name: "message_edit_context",
  text: `SELECT
      EXISTS (
        SELECT 1 FROM timeouts t
        WHERE t.server_id = s.id AND t.user_id = $2 AND t.expires_at > now()
          AND (NOT t.automatic OR coalesce(a.enabled, false))) AS timed_out,
      ${automodColumn},
      coalesce((
        SELECT json_agg(json_build_object('id', u.id, 'username', u.username))
        FROM users u JOIN members mm ON mm.user_id = u.id AND mm.server_id = s.id
        WHERE u.username = ANY($3::text[])), '[]') AS mentioned
    FROM servers s LEFT JOIN automod_configs a ON a.server_id = s.id
    WHERE s.id = $1`,
  row: z.object({
    timed_out: z.boolean(),
    automod: automodSettings,
    mentioned: z.array(z.object({ id: z.string(), username: z.string() })),
  }),
});

/** @throws ServiceError 403 while the author is timed out (docs/interface.md#10.3) */
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
    automod: row?.automod ?? null,
  };
}
