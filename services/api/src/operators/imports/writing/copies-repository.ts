import { defineStatement } from "@parley/database";
import type { Transaction } from "@parley/database/prisma";
import { authoredBy } from "../core/repository.js";
import type { ItemPlace } from "./repository.js";

/** Items of it were there before every import, so that no undo takes them back. */
const noImport = "00000000-0000-0000-0000-000000000000";

/** Between a server of the archive and the one that it goes into. */
const channelsStatement = defineStatement({
  name: "import_copied_channels",
  text: `INSERT INTO import_items (workspace, kind, external_id, target_id, import_id, digest)
    SELECT DISTINCT ON (c.external_id) $2, 'channel', c.external_id, here.id, '${noImport}'::uuid, 1
    FROM import_records r
    JOIN import_records c ON c.import_id = $1 AND c.kind = 'channel' AND c.external_id = r.channel
    JOIN import_items s ON s.workspace = $2 AND s.kind = 'server' AND s.external_id = c.server
    JOIN channels here ON here.id = (r.data #>> '{here,channel}')::uuid AND here.server_id = s.target_id
    WHERE r.import_id = $1 AND r.kind = 'copy' ORDER BY c.external_id, r.place
    ON CONFLICT DO NOTHING`,
});

/**
 * The digest of a copy that a bot made is that of its text, so that the archive's text replaces it. An original has none: it stays
 * as it is.
 */
const messagesStatement = defineStatement({
  name: "import_copied_messages",
  text: `WITH pair AS MATERIALIZED (
      SELECT r.external_id, m.id, m.content, m.server_id, m.author_id AS bot, p.id AS person_id,
        coalesce(p.claimed_by, p.id) AS author,
        r.data ->> 'isOriginalHere' = 'false' AND EXISTS (SELECT FROM bots b WHERE b.user_id = m.author_id)
          AND m.webhook IS NULL AND NOT m.deleted AS is_copy
      FROM import_records r
      JOIN import_records a ON a.import_id = $1 AND a.kind = 'message' AND a.external_id = r.external_id
        AND a.channel = r.channel AND a.thread IS NULL
      JOIN import_items c ON c.workspace = $2 AND c.kind = 'channel' AND c.external_id = r.channel
      JOIN messages m ON m.id = (r.data #>> '{here,message}')::uuid AND m.channel_id = c.target_id AND m.thread_id IS NULL
      LEFT JOIN import_people p ON p.workspace = $2 AND p.external_id = a.author
      WHERE r.import_id = $1 AND r.kind = 'copy'),
    item AS (
      INSERT INTO import_items (workspace, kind, external_id, target_id, import_id, digest)
      SELECT $2, 'message', external_id, id, '${noImport}'::uuid, CASE WHEN is_copy THEN hashtextextended(content, 0) ELSE 0 END
      FROM pair ON CONFLICT DO NOTHING RETURNING external_id),
    given AS MATERIALIZED (
      SELECT DISTINCT ON (id) * FROM pair JOIN item USING (external_id) WHERE is_copy AND author IS NOT NULL ORDER BY id),
    moved AS (UPDATE messages m SET author_id = given.author, search = ${authoredBy("m", "given.author")} FROM given WHERE m.id = given.id),
    person AS (
      UPDATE import_people p SET messages = p.messages + own.count
      FROM (SELECT person_id, count(*)::integer AS count FROM given GROUP BY person_id) own WHERE p.id = own.person_id)
    INSERT INTO message_count_changes (author_id, server_id, messages)
      SELECT bot, server_id, -count(*) FROM given GROUP BY bot, server_id
      UNION ALL SELECT author, server_id, count(*) FROM given GROUP BY author, server_id`,
});

const anyStatement = defineStatement({
  name: "import_any_copies",
  text: "SELECT FROM import_records WHERE import_id = $1 AND kind = 'copy' LIMIT 1",
  row: () => true,
});

async function take(statement: typeof channelsStatement, transaction: Transaction, { importId, workspace }: ItemPlace) {
  const [any] = await transaction.query(anyStatement, [importId]);
  if (any !== undefined) await transaction.execute(statement, [importId, workspace]);
}

/** Channels that a mirror has written to become those of the archive. */
export const takeCopiedChannels = (transaction: Transaction, place: ItemPlace) =>
  take(channelsStatement, transaction, place);

/** So do messages; those that a bot has copied become their authors'. */
export const takeCopiedMessages = (transaction: Transaction, place: ItemPlace) =>
  take(messagesStatement, transaction, place);
