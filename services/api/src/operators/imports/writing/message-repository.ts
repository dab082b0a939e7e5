import type { MessageRecord } from "@parley/archives";
import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { guessLanguage } from "@parley/message-text";
import { z } from "zod";
import type { MessagePosition } from "../core/repository.js";
import type { ItemPlace } from "./repository.js";

/** Records of a batch, and UTF-16 units of their JSON, but for one that has more. */
const batchMax = 1_000;
const batchLengthMax = 4_000_000;

const recordRow = z.object({
  external_id: z.string(),
  at: z.coerce.number(),
  place: z.coerce.number(),
  data: z.unknown().transform((data) => data as MessageRecord),
  known: z.string().nullable(),
  root: z.string().nullable(),
  target: z.string().nullable(),
  /** Whether a stored message takes no files: it has some, or was deleted. */
  has_files: z.boolean(),
  others: z.coerce.number(),
});
export type BatchRecord = z.infer<typeof recordRow>;

/** Messages of one millisecond whose order between roots and replies is kept. */
const othersMax = 5_000;

/**
 * The next messages of a channel: those outside of threads come first, so that roots are there before their replies. `others` are
 * the messages of the same millisecond that stand before one and come in the other pass.
 */
const batchStatement = defineStatement({
  name: "import_batch",
  text: `SELECT b.external_id, b.at, b.place, b.data, k.target_id AS known, t.target_id AS root, a.target_id AS target,
      k.target_id IS NOT NULL AND (EXISTS (SELECT FROM attachments f WHERE f.message_id = k.target_id)
        OR NOT EXISTS (SELECT FROM messages m WHERE m.id = k.target_id AND NOT m.deleted)) AS has_files,
      (SELECT coalesce(sum(o.parts), 0) FROM (
        SELECT parts FROM import_records e WHERE e.import_id = $1 AND e.kind = 'message' AND e.channel = $3
          AND (e.thread IS NOT NULL) = NOT $4 AND e.at = b.at AND e.place < b.place ORDER BY e.place LIMIT ${othersMax}) o) AS others
    FROM (
      SELECT r.*, sum(length(r.data::text)) OVER (ORDER BY r.at, r.place) - length(r.data::text) AS before FROM (
        SELECT external_id, at, place, thread, reply_to, data FROM import_records
        WHERE import_id = $1 AND kind = 'message' AND channel = $3 AND (thread IS NOT NULL) = $4 AND (at, place) > ($5, $6)
        ORDER BY at, place LIMIT ${batchMax}) r) b
    LEFT JOIN import_items k ON k.workspace = $2 AND k.kind = 'message' AND k.external_id = b.external_id
    LEFT JOIN import_items t ON t.workspace = $2 AND t.kind = 'message' AND t.external_id = b.thread
    LEFT JOIN import_items a ON a.workspace = $2 AND a.kind = 'message' AND a.external_id = b.reply_to
    WHERE b.before < ${batchLengthMax} ORDER BY b.at, b.place`,
  row: recordRow,
});

export function findBatch(
  connection: Queryable,
  { workspace, importId }: ItemPlace,
  { channel, replies, at, place }: MessagePosition,
): Promise<BatchRecord[]> {
  return connection.query(batchStatement, [importId, workspace, channel, replies, at, place]);
}

const furtherStatement = defineStatement({
  name: "import_further_parts",
  text: `SELECT external_id, target_id FROM import_items
    WHERE workspace = $1 AND kind = 'message' AND external_id = ANY ($2::text[])`,
  row: z.object({ external_id: z.string(), target_id: z.string() }),
});

/** Those of the parts of messages that are stored, by their external ids. */
export async function findFurtherParts(
  connection: Queryable,
  workspace: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (keys.length === 0) return new Map();
  const rows = await connection.query(furtherStatement, [workspace, [...keys]]);
  return new Map(rows.map(({ external_id, target_id }) => [external_id, target_id]));
}

/** A message to be stored, or the newer form of one that was. */
export interface MessageRow {
  /** Its external id, or that of the message that it is a further part of. */
  key: string;
  id: string;
  channel_id: string;
  server_id: string;
  author_id: string | null;
  content: string;
  reply_to: string | null;
  thread_id: string | null;
  mention_user_ids: string[];
  mention_everyone: boolean;
  mention_role_ids: string[];
  mention_here: boolean;
  edited_at: string | null;
  deleted: boolean;
  pinned: boolean;
  pinned_by: string | null;
  pinned_at: string | null;
  embeds: unknown;
  embed_texts: string | null;
  webhook: unknown;
  interaction: unknown;
  forwarded: unknown;
}

/** Rows that belong to the messages of a batch. */
export interface BatchRows {
  messages: MessageRow[];
  known: MessageRow[];
  reactions: { message_id: string; emoji: string; user_id: string; created_at: string }[];
  attachments: Record<string, unknown>[];
  polls: Record<string, unknown>[];
  options: { id: string; poll_id: string; position: number; text: string }[];
  votes: { poll_id: string; user_id: string; option_id: string; also: string[] }[];
  events: Record<string, unknown>[];
  interests: { event_id: string; user_id: string }[];
  /** External ids of the roots of replies, by their ids here. */
  roots: { id: string; external_id: string }[];
  mentions: { person_id: string; message_id: string }[];
  /** Messages of people, by their ids. */
  counts: { id: string; messages: number }[];
}

const messageColumns = `key text, id uuid, channel_id uuid, server_id uuid, author_id uuid, content text, reply_to uuid,
  thread_id uuid, mention_user_ids uuid[], mention_everyone boolean, mention_role_ids uuid[], mention_here boolean, edited_at timestamptz,
  deleted boolean, pinned boolean, pinned_by uuid, pinned_at timestamptz, embeds jsonb, embed_texts text, webhook jsonb, interaction jsonb,
  forwarded jsonb, language text`;
const names = messageColumns
  .split(",")
  .map((column) => column.trim().split(" ")[0] ?? "")
  .filter((name) => name !== "key" && name !== "language")
  .join(", ");

/** SQL of the language of a message: of one that is too short to tell by itself, the one that its server says. */
const languageOf = (message: string) =>
  `coalesce(input.language, (SELECT lower(left(s.language, 2)) FROM servers s WHERE s.id = ${message}.server_id))`;

const insertStatement = defineStatement({
  name: "import_messages",
  text: `WITH input AS MATERIALIZED (SELECT * FROM json_to_recordset($1::json) AS input (${messageColumns})),
    item AS (
      INSERT INTO import_items (workspace, kind, external_id, target_id, import_id, digest, pinned)
      SELECT $2, 'message', key, id, $3, hashtextextended(content, 0), pinned FROM input)
    INSERT INTO messages (${names}, language) SELECT ${names}, ${languageOf("input")} FROM input ORDER BY thread_id, id`,
});

/** Only what nobody has changed here since: a pin follows the archive while it is as the archive had it. */
const updateStatement = defineStatement({
  name: "import_update_messages",
  text: `WITH input AS MATERIALIZED (SELECT * FROM json_to_recordset($1::json) AS input (${messageColumns})),
    changed AS (
      UPDATE messages m SET content = input.content, edited_at = input.edited_at, mention_user_ids = input.mention_user_ids,
        mention_everyone = input.mention_everyone, mention_role_ids = input.mention_role_ids, mention_here = input.mention_here, embeds = input.embeds, embed_texts = input.embed_texts,
        language = ${languageOf("m")}, (pinned, pinned_by, pinned_at) = (
          SELECT input.pinned, input.pinned_by, input.pinned_at WHERE i.pinned = m.pinned
          UNION ALL SELECT m.pinned, m.pinned_by, m.pinned_at WHERE i.pinned IS DISTINCT FROM m.pinned)
      FROM input JOIN import_items i ON i.workspace = $2 AND i.kind = 'message' AND i.external_id = input.key
      WHERE m.id = input.id AND i.digest = hashtextextended(m.content, 0) AND NOT m.deleted
        AND (i.digest <> hashtextextended(input.content, 0) OR input.edited_at > coalesce(m.edited_at, '-infinity')
          OR (i.pinned = m.pinned AND i.pinned <> input.pinned))
      RETURNING input.key, input.content, input.pinned)
    UPDATE import_items i SET digest = hashtextextended(changed.content, 0),
      pinned = CASE WHEN i.pinned IS NOT NULL THEN changed.pinned END FROM changed
    WHERE i.workspace = $2 AND i.kind = 'message' AND i.external_id = changed.key`,
});

const insert = (table: string, columns: string, more = "") => {
  const list = columns.split(",").map((column) => column.trim().split(" ")[0]);
  return defineStatement({
    name: `import_${table}`,
    text: `INSERT INTO ${table} (${list.join(", ")}) SELECT ${list.join(", ")}
      FROM json_to_recordset($1::json) AS input (${columns}) ${more}`,
  });
};
const once = "ON CONFLICT DO NOTHING";
const reactionsStatement = insert(
  "reactions",
  "message_id uuid, emoji text, user_id uuid, created_at timestamptz(6)",
  once,
);
const attachmentsStatement = insert(
  "attachments",
  `id uuid, message_id uuid, upload_id uuid, filename text, stored_name text, file_size integer, mime_type text, width integer, height integer,
    forwarded boolean, created_at timestamptz`,
);
const pollsStatement = insert(
  "polls",
  `id uuid, message_id uuid, question text, multiple integer, ends_at timestamptz,
    end_due_at timestamptz`,
);
const optionsStatement = insert("poll_options", "id uuid, poll_id uuid, position integer, text text");
const votesStatement = insert("poll_votes", "poll_id uuid, user_id uuid, option_id uuid, also uuid[]", once);
const eventsStatement = insert(
  "scheduled_events",
  `id uuid, message_id uuid, channel_id uuid, name text, description text, starts_at timestamptz, created_by uuid,
    created_at timestamptz, ends_at timestamptz, place text, voice_channel_id uuid`,
);
const interestsStatement = insert("event_interests", "event_id uuid, user_id uuid", once);
const mentionsStatement = insert("import_mentions", "person_id uuid, message_id uuid", once);
const countsStatement = defineStatement({
  name: "import_people_counts",
  text: `UPDATE import_people p SET messages = p.messages + input.messages
    FROM json_to_recordset($1::json) AS input (id uuid, messages integer) WHERE p.id = input.id`,
});

const titleMax = 100;
/** Of the roots those that have no reply yet. */
const newThreadsStatement = defineStatement({
  name: "import_new_threads",
  text: `SELECT id FROM unnest($1::uuid[]) AS root (id) WHERE NOT EXISTS (SELECT FROM threads t WHERE t.root_id = root.id)`,
  row: (row: RawRow) => String(row.id),
});
const threadsStatement = defineStatement({
  name: "import_threads",
  text: `UPDATE threads t SET title = nullif(left(r.data ->> 'threadTitle', ${titleMax}), ''), closed = r.data ->> 'threadClosed' IS NOT NULL
    FROM json_to_recordset($1::json) AS input (id uuid, external_id text)
    JOIN import_records r ON r.import_id = $2 AND r.kind = 'message' AND r.external_id = input.external_id
    WHERE t.root_id = input.id`,
});

/** Stores a batch without an event. Triggers keep the counts. */
export async function storeBatch(transaction: Transaction, { workspace, importId }: ItemPlace, rows: BatchRows) {
  const run = async (statement: typeof reactionsStatement, list: readonly unknown[], more: string[] = []) => {
    if (list.length > 0) await transaction.execute(statement, [JSON.stringify(list), ...more]);
  };
  const roots = new Map(rows.roots.map((root) => [root.id, root]));
  const begun = roots.size === 0 ? [] : await transaction.query(newThreadsStatement, [[...roots.keys()]]);
  await run(insertStatement, rows.messages.map(withLanguage), [workspace, importId]);
  await run(
    threadsStatement,
    begun.flatMap((id) => roots.get(id) ?? []),
    [importId],
  );
  await run(updateStatement, rows.known.map(withLanguage), [workspace]);
  await run(reactionsStatement, rows.reactions);
  await run(attachmentsStatement, rows.attachments);
  await run(pollsStatement, rows.polls);
  await run(optionsStatement, rows.options);
  await run(votesStatement, rows.votes);
  await run(eventsStatement, rows.events);
  await run(interestsStatement, rows.interests);
  await run(mentionsStatement, rows.mentions);
  await run(countsStatement, rows.counts);
}

const withLanguage = (row: MessageRow) => ({ ...row, language: guessLanguage(row.content) });
