import { errorTexts, notFound } from "@parley/contracts";
import { defineStatement } from "@parley/database";
import type { Database } from "@parley/database/prisma";
import { authorColumns, authorRow, resolveAuthor } from "./author-columns.js";
import { findMentions } from "./mentions.js";

const contextStatement = defineStatement({
  name: "message_edit_context",
  text: `SELECT ${authorColumns({ serverId: "s.id", userId: "$2", usernames: "$3::text" })}
    FROM servers s LEFT JOIN automod_configs a ON a.server_id = s.id
    WHERE s.id = $1`,
  row: authorRow,
});

/**
 * Reads the mentions, the author's standing and the auto-moderation settings for an edit.
 *
 * @throws ServiceError 403 while the author is timed out (docs/interface.md#10.3), 404 when the server is gone by now
 */
export async function requireEditContext(
  database: Database,
  { userId, serverId, content }: { userId: string; serverId: string; content: string },
) {
  const mentions = findMentions(content);
  const [row] = await database.query(contextStatement, [serverId, userId, JSON.stringify(mentions.usernames)]);
  if (row === undefined) throw notFound(errorTexts.message_not_found);
  return { ...resolveAuthor(row, mentions), automod: row.automod };
}
