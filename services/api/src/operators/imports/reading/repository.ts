import type { ServerRecord } from "@parley/archives";
import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import type { ImportReport } from "../core/schema.js";

/** A record of an archive, with what is asked for in SQL beside it. */
export interface StagedRecord {
  number: number;
  kind: string;
  external_id: string;
  server: string | null;
  channel: string | null;
  at: number | null;
  thread: string | null;
  reply_to: string | null;
  author: string | null;
  version: number;
  /** Messages that it becomes; 0: too long to know without the names. */
  parts: number;
  /** Files that come, and their bytes. */
  files: number;
  bytes: number;
  data: unknown;
}

const stageStatement = defineStatement({
  name: "import_stage",
  text: `INSERT INTO import_records (import_id, number, kind, external_id, server, channel, at, place, thread, reply_to, author,
      version, parts, files, bytes, data)
    SELECT $1, number, kind, external_id, server, channel, at, number, thread, reply_to, author, version, parts, files, bytes, data
    FROM json_to_recordset($2::json) AS record (number bigint, kind text, external_id text, server text, channel text, at bigint,
      thread text, reply_to text, author text, version bigint, parts integer, files integer, bytes bigint, data json)`,
});
/** Of equal records the newest form stays, the later one of equal forms, in the place of the first. */
const mergeStatement = defineStatement({
  name: "import_merge",
  text: `WITH twice AS MATERIALIZED (
      SELECT kind, external_id FROM import_records WHERE import_id = $1 GROUP BY kind, external_id HAVING count(*) > 1),
    ranked AS MATERIALIZED (
      SELECT r.number, min(r.number) OVER same AS place,
        row_number() OVER (same ORDER BY r.version DESC, r.number DESC) AS rank
      FROM import_records r JOIN twice USING (kind, external_id) WHERE r.import_id = $1
      WINDOW same AS (PARTITION BY kind, external_id)),
    kept AS (
      UPDATE import_records r SET place = ranked.place FROM ranked
      WHERE r.import_id = $1 AND r.number = ranked.number AND ranked.rank = 1)
    DELETE FROM import_records r USING ranked WHERE r.import_id = $1 AND r.number = ranked.number AND ranked.rank > 1`,
});

const countRow = z.object({ count: z.int(), example: z.string().nullable() });
const counted = (name: string, change: string) =>
  defineStatement({
    name: `import_${name}`,
    text: `WITH changed AS (${change} RETURNING r.external_id)
      SELECT count(*)::integer AS count, min(external_id) AS example FROM changed`,
    row: countRow,
  });

/** What names something that is not there, and why it is counted (docs/protocol/moving.md#32). */
const corrections = [
  {
    kind: "message",
    reason: "channel is not in the archive",
    statement: counted(
      "without_channel",
      `DELETE FROM import_records r WHERE r.import_id = $1 AND r.kind = 'message' AND NOT EXISTS (
        SELECT FROM import_records c WHERE c.import_id = $1 AND c.kind = 'channel' AND c.external_id = r.channel)`,
    ),
  },
  {
    kind: "thread",
    reason: "root is not in the archive",
    statement: counted(
      "without_root",
      `UPDATE import_records r SET thread = NULL WHERE r.import_id = $1 AND r.thread IS NOT NULL AND NOT EXISTS (
          SELECT FROM import_records t WHERE t.import_id = $1 AND t.kind = 'message' AND t.external_id = r.thread
            AND t.channel = r.channel AND t.thread IS NULL)
        AND NOT EXISTS (SELECT FROM import_items i WHERE i.workspace = $2 AND i.kind = 'message' AND i.external_id = r.thread)`,
    ),
  },
  {
    kind: "reply",
    reason: "answered message is not in the archive",
    statement: counted(
      "without_target",
      `UPDATE import_records r SET reply_to = NULL WHERE r.import_id = $1 AND r.reply_to IS NOT NULL AND NOT EXISTS (
          SELECT FROM import_records t WHERE t.import_id = $1 AND t.kind = 'message' AND t.external_id = r.reply_to
            AND t.channel = r.channel)
        AND NOT EXISTS (SELECT FROM import_items i WHERE i.workspace = $2 AND i.kind = 'message' AND i.external_id = r.reply_to)`,
    ),
  },
] as const;

/** A reply to a reply of a thread is one of its root. */
const rootsStatement = defineStatement({
  name: "import_roots",
  text: `UPDATE import_records r SET thread = t.thread FROM import_records t
    WHERE r.import_id = $1 AND r.thread IS NOT NULL AND t.import_id = $1 AND t.kind = 'message' AND t.external_id = r.thread
      AND t.thread IS NOT NULL AND t.thread <> r.external_id`,
});

const ofKind = defineStatement({
  name: "import_records_of_kind",
  text: `SELECT number, external_id, data FROM import_records
    WHERE import_id = $1 AND kind = $2 AND number > $3 ORDER BY number LIMIT 500`,
  row: z.object({ number: z.coerce.number(), external_id: z.string(), data: z.unknown() }),
});
const longStatement = defineStatement({
  name: "import_long",
  text: "SELECT number, data FROM import_records WHERE import_id = $1 AND parts = 0 LIMIT 100",
  row: z.object({ number: z.coerce.number(), data: z.unknown() }),
});
const partsStatement = defineStatement({
  name: "import_set_parts",
  text: `UPDATE import_records SET parts = input.parts FROM unnest($2::bigint[], $3::integer[]) AS input (number, parts)
    WHERE import_id = $1 AND import_records.number = input.number`,
});

const reportStatement = defineStatement({
  name: "import_report",
  text: `WITH sums AS (
      SELECT channel, sum(parts)::integer AS messages, sum(files)::integer AS files, sum(bytes)::float8 AS bytes
      FROM import_records WHERE import_id = $1 AND kind = 'message' GROUP BY channel),
    shown AS (
      SELECT c.server, json_agg(json_build_object('name', c.data ->> 'name', 'private', c.data -> 'private',
          'archived', c.data -> 'archived', 'messages', coalesce(s.messages, 0)) ORDER BY c.place) AS channels,
        sum(s.messages)::integer AS messages, sum(s.files)::integer AS files, sum(s.bytes)::float8 AS bytes
      FROM import_records c LEFT JOIN sums s ON s.channel = c.external_id
      WHERE c.import_id = $1 AND c.kind = 'channel' GROUP BY c.server)
    SELECT coalesce(v.data ->> 'name', $2) AS name, coalesce(shown.channels, '[]') AS channels,
      json_build_object('messages', coalesce(shown.messages, 0), 'files', coalesce(shown.files, 0),
        'bytes', coalesce(shown.bytes, 0),
        'people', (SELECT count(*) FROM import_records p WHERE p.import_id = $1 AND p.kind = 'person'),
        'emoji', (SELECT count(*) FROM import_records e WHERE e.import_id = $1 AND e.kind = 'emoji' AND e.server = v.external_id),
        'roles', (SELECT count(*) FROM import_records o WHERE o.import_id = $1 AND o.kind = 'role' AND o.server = v.external_id
          AND o.data ->> 'everyone' IS NULL)) AS counts
    FROM import_records v LEFT JOIN shown ON shown.server = v.external_id
    WHERE v.import_id = $1 AND v.kind = 'server' ORDER BY v.place`,
  row: (row: RawRow) => row,
});
const readyStatement = defineStatement({
  name: "import_ready",
  text: `UPDATE imports SET state = 'ready', report = $2, messages_of = $3, files_of = $4, messages = 0, files = 0, position = NULL,
      attempts = 0, leased_until = now() WHERE id = $1`,
});
const foundStatement = defineStatement({
  name: "import_found",
  text: "UPDATE imports SET source = $2 WHERE id = $1",
});
const workspaceStatement = defineStatement({
  name: "import_workspace",
  text: `UPDATE imports SET workspace = source || ':' || (
      SELECT external_id FROM import_records WHERE import_id = $1 AND kind = 'server' ORDER BY number LIMIT 1)
    WHERE id = $1 RETURNING workspace`,
  row: (row: RawRow) => (row.workspace === null ? null : String(row.workspace)),
});

export async function stageRecords(connection: Queryable, importId: string, records: readonly StagedRecord[]) {
  if (records.length > 0) await connection.execute(stageStatement, [importId, JSON.stringify(records)]);
}

export async function setSource(connection: Queryable, importId: string, source: string): Promise<void> {
  await connection.execute(foundStatement, [importId, source]);
}

/** @returns null for an archive without a server */
export async function setWorkspace(connection: Queryable, importId: string): Promise<string | null> {
  const [workspace] = await connection.query(workspaceStatement, [importId]);
  return workspace ?? null;
}

/** Records that came twice become one, and what names something missing is corrected. @returns what is counted for it */
export async function correctRecords(connection: Queryable, importId: string, workspace: string) {
  await connection.execute(mergeStatement, [importId]);
  await connection.execute(rootsStatement, [importId]);
  const skipped: ImportReport["skipped"] = [];
  for (const { kind, reason, statement } of corrections) {
    const values = statement.text.includes("$2") ? [importId, workspace] : [importId];
    const [{ count, example } = { count: 0, example: null }] = await connection.query(statement, values);
    if (count > 0) skipped.push({ kind, reason, count, example: (example ?? "").slice(0, 200) });
  }
  return skipped;
}

/** The records of a kind that has no time, in their order. */
export async function* recordsOf<Kind>(connection: Queryable, importId: string, kind: string) {
  for (let after = -1; ; ) {
    const rows = await connection.query(ofKind, [importId, kind, after]);
    for (const { data } of rows) yield data as Kind;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.number;
  }
}

/** The servers of an archive, by their names here. */
export async function findServersOf(connection: Queryable, importId: string, filename: string) {
  const servers: { id: string; name: string; record: ServerRecord }[] = [];
  for await (const record of recordsOf<ServerRecord>(connection, importId, "server"))
    servers.push({ id: record.id, name: record.name ?? nameOfFile(filename), record });
  return servers;
}

/** An archive's own name, without extensions. */
export const nameOfFile = (filename: string): string =>
  filename.replace(/(?:\.zip|\.tar|\.tar\.gz|\.tgz|\.json|\.jsonl)$/i, "") || filename;

export function findLongMessages(connection: Queryable, importId: string) {
  return connection.query(longStatement, [importId]);
}

export async function setParts(
  connection: Queryable,
  importId: string,
  rows: readonly { number: number; parts: number }[],
): Promise<void> {
  await connection.execute(partsStatement, [
    importId,
    rows.map(({ number }) => number),
    rows.map(({ parts }) => parts),
  ]);
}

/** The servers of the report. */
export async function reportServers(connection: Queryable, importId: string, filename: string): Promise<unknown[]> {
  return connection.query(reportStatement, [importId, nameOfFile(filename)]);
}

export async function setReady(transaction: Transaction, importId: string, report: ImportReport): Promise<void> {
  const sum = (of: "messages" | "files") => report.servers.reduce((all, { counts }) => all + counts[of], 0);
  await transaction.execute(readyStatement, [importId, JSON.stringify(report), sum("messages"), sum("files")]);
}
