import { sources } from "@parley/archives";
import { defineStatement, type RawRow } from "@parley/database";
import type { Queryable, Transaction } from "@parley/database/prisma";
import { z } from "zod";
import { type Import, ImportReport, importOptions } from "./schema.js";

/** States in which a process is at an import. */
export const workingStates = ["reading", "running", "undoing"] as const;
/** Imports that processes are at, of the whole installation. */
export const runningMax = 2;
/** How long a process that says nothing is taken for alive. */
export const leaseSeconds = 20;
/** Processes that may die at one batch before the import has failed. */
const attemptsMax = 3;

export const messagePosition = z.object({
  channel: z.string(),
  replies: z.boolean(),
  at: z.number(),
  place: z.number(),
  /** Ids that the millisecond has already. */
  used: z.number(),
  /** What of the messages up to here had no place. */
  skipped: ImportReport.shape.skipped.default([]),
});
export type MessagePosition = z.infer<typeof messagePosition>;

const importRow = z.object({
  id: z.string(),
  state: z.enum(["receiving", "ready", "paused", "done", "failed", "undone", ...workingStates]),
  source: z.enum(sources).nullable(),
  filename: z.string(),
  size: z.coerce.number(),
  workspace: z.string().nullable(),
  report: ImportReport.nullable(),
  options: importOptions.nullable(),
  messages: z.int(),
  messages_of: z.int(),
  files: z.int(),
  files_of: z.int(),
  position: messagePosition.nullable(),
  server_id: z.string().nullable(),
  created_by: z.string().nullable(),
  created_at: z.date(),
  finished_at: z.date().nullable(),
  error: z.string().nullable(),
});
export type ImportRow = z.infer<typeof importRow>;

const columns = Object.keys(importRow.shape).join(", ");

export function toImport(row: ImportRow): Import {
  const { id, source, report, server_id, created_by, error } = row;
  return {
    id,
    source,
    state: row.state === "undoing" ? "running" : row.state,
    report,
    progress: { messages: row.messages, of: row.messages_of, files: row.files, of_files: row.files_of },
    server_id,
    created_by,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    error,
  };
}

const listStatement = defineStatement({
  name: "import_list",
  text: `SELECT ${columns} FROM imports ORDER BY created_at DESC, id DESC LIMIT 1000`,
  row: importRow,
});
const findStatement = defineStatement({
  name: "import_find",
  text: `SELECT ${columns} FROM imports WHERE id = $1`,
  row: importRow,
});
const lockStatement = defineStatement({
  name: "import_lock",
  text: `SELECT ${columns} FROM imports WHERE id = $1 FOR UPDATE`,
  row: importRow,
});
const insertStatement = defineStatement({
  name: "import_insert",
  text: `INSERT INTO imports (state, source, filename, size, created_by) VALUES ('receiving', $1, $2, $3, $4) RETURNING ${columns}`,
  row: importRow,
});
const partsStatement = defineStatement({
  name: "import_parts",
  text: "SELECT number, upload_id, size FROM import_parts WHERE import_id = $1 ORDER BY number",
  row: z.object({ number: z.int(), upload_id: z.string(), size: z.int() }),
});
const putPartStatement = defineStatement({
  name: "import_put_part",
  text: `INSERT INTO import_parts (import_id, number, upload_id, size) VALUES ($1, $2, $3, $4)
    ON CONFLICT (import_id, number) DO UPDATE SET upload_id = excluded.upload_id, size = excluded.size`,
});
const stateStatement = defineStatement({
  name: "import_state",
  text: `UPDATE imports SET state = $2, error = NULL, attempts = 0,
      finished_at = CASE WHEN $2 IN ('done', 'undone') THEN now() END, leased_until = now() WHERE id = $1`,
});
const busyStatement = defineStatement({
  name: "import_busy",
  text: "SELECT count(*)::integer AS count FROM imports WHERE state = ANY ($1) AND id IS DISTINCT FROM $2::uuid",
  row: (row: RawRow) => Number(row.count),
});

export function findImports(connection: Queryable): Promise<ImportRow[]> {
  return connection.query(listStatement, []);
}

export async function findImport(connection: Queryable, id: string): Promise<ImportRow | undefined> {
  const [row] = await connection.query(findStatement, [id]);
  return row;
}

export async function lockImport(transaction: Transaction, id: string): Promise<ImportRow | undefined> {
  const [row] = await transaction.query(lockStatement, [id]);
  return row;
}

export async function insertImport(
  transaction: Transaction,
  { source, filename, size, adminId }: { source: string | null; filename: string; size: number; adminId: string },
): Promise<ImportRow> {
  const [row] = await transaction.query(insertStatement, [source, filename, size, adminId]);
  if (row === undefined) throw new Error("An INSERT returned no row");
  return row;
}

/** The uploaded pieces of an archive, in their order. */
export function findParts(connection: Queryable, importId: string) {
  return connection.query(partsStatement, [importId]);
}

export async function putPart(
  transaction: Transaction,
  { importId, number, uploadId, size }: { importId: string; number: number; uploadId: string; size: number },
): Promise<void> {
  await transaction.execute(putPartStatement, [importId, number, uploadId, size]);
}

/** A new state of an import whose row is locked, without an error. */
export async function setState(transaction: Transaction, id: string, state: ImportRow["state"]): Promise<void> {
  await transaction.execute(stateStatement, [id, state]);
}

/** Imports besides one that processes are at, or will be. */
export async function countBusy(connection: Queryable, besides: string | null): Promise<number> {
  const [count] = await connection.query(busyStatement, [[...workingStates], besides]);
  return count ?? 0;
}

/** The archive has as many bytes as its pieces. */
export async function setSize(
  { prisma }: Transaction,
  id: string,
  { size, source }: { size: number; source: string | undefined },
): Promise<void> {
  await prisma.import.update({ where: { id }, data: { size, source: source ?? null } });
}

export async function deleteParts({ prisma }: Transaction, importId: string): Promise<void> {
  await prisma.importPart.deleteMany({ where: { import_id: importId } });
}

export async function deleteImport({ prisma }: Transaction, id: string): Promise<void> {
  await prisma.import.delete({ where: { id }, select: { id: true } });
}

const clearStatement = defineStatement({
  name: "import_clear",
  text: `DELETE FROM import_records WHERE ctid = ANY (ARRAY(SELECT ctid FROM import_records WHERE import_id = $1 LIMIT 10000))`,
});

/** Forgets what was read, in steps. */
export async function clearRecords(connection: Queryable, importId: string): Promise<void> {
  while ((await connection.execute(clearStatement, [importId])) > 0);
}

// The process that is at an import.

/** Has a row while an import needs a process. */
export const dueImports = `SELECT FROM imports WHERE state IN ('reading', 'running', 'undoing') AND leased_until < now()`;

const claimStatement = defineStatement({
  name: "import_claim",
  text: `UPDATE imports SET lease = $1, leased_until = now() + make_interval(secs => ${leaseSeconds}), attempts = attempts + 1
    WHERE id = (${dueImports.replace("SELECT", "SELECT id")} ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING id, attempts > ${attemptsMax} AS has_failed`,
  row: z.object({ id: z.string(), has_failed: z.boolean() }),
});
const failStatement = defineStatement({
  name: "import_fail",
  text: "UPDATE imports SET state = 'failed', error = $3, leased_until = now() WHERE id = $1 AND lease = $2",
});
const renewStatement = defineStatement({
  name: "import_renew",
  text: `UPDATE imports SET leased_until = now() + make_interval(secs => ${leaseSeconds})
    WHERE id = $1 AND lease = $2 AND state = $3 RETURNING ${columns}`,
  row: importRow,
});
const keepStatement = defineStatement({
  name: "import_keep",
  text: `UPDATE imports SET leased_until = now() + make_interval(secs => ${leaseSeconds}) WHERE id = $1 AND lease = $2`,
});
const leaveStatement = defineStatement({
  name: "import_leave",
  text: "UPDATE imports SET leased_until = now() WHERE id = $1 AND lease = $2",
});

/** Takes an import that needs a process. */
export async function claimImport(connection: Queryable, lease: string) {
  const [claimed] = await connection.query(claimStatement, [lease]);
  return claimed;
}

export async function failImport(
  connection: Queryable,
  { id, lease, error }: { id: string; lease: string; error: string },
): Promise<void> {
  await connection.execute(failStatement, [id, lease, error.slice(0, 2_000)]);
}

/** An import that one process is at. */
export interface Held {
  readonly id: string;
  readonly lease: string;
  readonly state: (typeof workingStates)[number];
}

/** The process is at the import no more: somebody has paused or undone it, or another process has it. */
export class LeaseLost extends Error {}

/**
 * Confirms within a transaction that the process still has the import, and locks its row.
 *
 * @throws LeaseLost
 */
export async function renewLease(connection: Queryable, held: Held): Promise<ImportRow> {
  const [row] = await connection.query(renewStatement, [held.id, held.lease, held.state]);
  if (row === undefined) throw new LeaseLost("the import is not this process's any more");
  return row;
}

/** Keeps others from an import whose process is starting, or at a long statement. */
export async function keepLease(connection: Queryable, id: string, lease: string): Promise<void> {
  await connection.execute(keepStatement, [id, lease]);
}

/** Lets another process take the import at once. */
export async function leaveImport(connection: Queryable, id: string, lease: string): Promise<void> {
  await connection.execute(leaveStatement, [id, lease]);
}

/**
 * SQL of the words of a message with another author among its facts (docs/protocol/search.md#35.1), which no trigger writes when
 * the author alone changes. Null where the message has no words yet.
 */
export const authoredBy = (message: string, author: string): string =>
  `coalesce(ts_delete(${message}.search, search_person('@', ${message}.author_id)), ${message}.search)
    || array_to_tsvector(ARRAY[search_person('@', ${author})])`;
