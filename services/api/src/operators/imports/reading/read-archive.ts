import {
  type Archive,
  ArchiveError,
  type ArchiveRecord,
  type FormFile,
  type MessageRecord,
  type PersonRecord,
  type Reader,
  readers,
  readRecords,
  recogniseReader,
} from "@parley/archives";
import { attachmentBytesMax, errorTexts } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { inspect } from "../../../platform/files/inspect.js";
import { takesEveryKind } from "../../../platform/files/quotas/repository.js";
import { clearRecords, type Held, type ImportRow, renewLease } from "../core/repository.js";
import { ImportReport } from "../core/schema.js";
import { lengthAtMost, messagesOf, renderText, usernameOf } from "../core/texts.js";
import {
  correctRecords,
  findLongMessages,
  recordsOf,
  reportServers,
  type StagedRecord,
  setParts,
  setReady,
  setSource,
  setWorkspace,
  stageRecords,
} from "./repository.js";
import { SkippedThings } from "./skipped.js";

/** Records of one statement, and UTF-16 units of all of them together. */
const batchMax = 500;
const batchLengthMax = 1_000_000;
/** Files up to this size are judged whole, larger ones by their first bytes. */
const judgedWholeMax = 256 * 1024;

/** A file with the reason why it does not come. */
export type JudgedFile = FormFile & { refused?: string };

/**
 * Reads an archive into the table of records, merges and corrects them, and makes the report of them: the import is ready then.
 *
 * @throws ArchiveError at a wrong syntax, and for an archive that no source makes
 */
export async function readArchive(
  { database }: { database: Database },
  { archive, row, held, signal }: { archive: Archive; row: ImportRow; held: Held; signal: AbortSignal },
): Promise<void> {
  const reader = await readerOf(archive, row);
  await setSource(database, row.id, reader.source);
  await clearRecords(database, row.id);
  const skipped = new SkippedThings();
  const takesAll = await takesEveryKind(database);
  const stage = stageInBatches(database, row.id, signal);
  for await (const record of readRecords(reader, archive)) {
    if (record.kind === "skipped") {
      skipped.add(record.thing, record.reason, record.example, record.count);
      continue;
    }
    if (record.kind === "message") {
      await judgeFiles(archive, record, { skipped, takesAll });
      countNameless(record, skipped);
    }
    await stage.add(record);
  }
  await stage.end();
  const workspace = await setWorkspace(database, row.id);
  if (workspace === null) throw new ArchiveError("The archive has no server.");
  for (const { kind, reason, count, example } of await correctRecords(database, row.id, workspace))
    skipped.add(kind, reason, example, count);
  await measureLongMessages(database, row.id);
  const servers = await reportServers(database, row.id, row.filename);
  const report = ImportReport.parse({ servers, skipped: skipped.list() });
  await database.transaction(async (transaction) => {
    await renewLease(transaction, held);
    await setReady(transaction, row.id, report);
  });
}

async function readerOf(archive: Archive, { source }: ImportRow): Promise<Reader> {
  const reader =
    source === null ? await recogniseReader(archive) : (readers.find((each) => each.source === source) ?? null);
  if (reader === null) throw new ArchiveError(errorTexts.import_format_unknown);
  return reader;
}

function stageInBatches(database: Database, importId: string, signal: AbortSignal) {
  let number = 0;
  let batch: StagedRecord[] = [];
  let length = 0;
  const flush = async () => {
    signal.throwIfAborted();
    await stageRecords(database, importId, batch);
    [batch, length] = [[], 0];
  };
  return {
    async add(record: Exclude<ArchiveRecord, { kind: "skipped" }>) {
      number += 1;
      batch.push(toStaged(record, number));
      length += "text" in record ? lengthAtMost(record.text) : 0;
      if (batch.length >= batchMax || length >= batchLengthMax) await flush();
    },
    end: flush,
  };
}

function toStaged(record: Exclude<ArchiveRecord, { kind: "skipped" }>, number: number): StagedRecord {
  const base: StagedRecord = {
    number,
    kind: record.kind,
    external_id: "id" in record ? record.id : String(number),
    server: "server" in record ? record.server : null,
    channel: "channel" in record ? record.channel : null,
    at: null,
    thread: null,
    reply_to: null,
    author: null,
    version: record.kind === "person" ? number : 0,
    parts: 1,
    files: 0,
    bytes: 0,
    data: record,
  };
  if (record.kind !== "message") return base;
  const files = coming(record.files);
  const own = comingOwn(record.files);
  return {
    ...base,
    at: record.at,
    thread: record.thread,
    reply_to: record.replyTo,
    author: record.author,
    version: record.version,
    parts: lengthAtMost(record.text) > 4_000 || own.length > 10 ? 0 : 1,
    files: files.length,
    bytes: files.reduce((bytes, { size }) => bytes + size, 0),
  };
}

/** The files that are not refused. */
export const coming = (files: readonly JudgedFile[]): JudgedFile[] =>
  files.filter(({ refused, entry }) => refused === undefined && entry !== null);

/** Those of them that are not of a message which the message forwards. */
export const comingOwn = (files: readonly JudgedFile[]): JudgedFile[] =>
  coming(files).filter(({ ofForward }) => ofForward !== true);

async function judgeFiles(
  archive: Archive,
  message: MessageRecord,
  { skipped, takesAll }: { skipped: SkippedThings; takesAll: boolean },
): Promise<void> {
  for (const file of message.files) {
    const refused = await refusalOf(archive, file, takesAll);
    if (refused === null) continue;
    Object.assign(file, { refused });
    skipped.add("file", refused, `${file.name} (message ${message.id})`);
  }
}

/** Why a file does not come, by the rules of 7.6; null for one that does. */
async function refusalOf(
  archive: Archive,
  { entry, missing, size }: FormFile,
  takesAll: boolean,
): Promise<string | null> {
  if (entry === null) return missing ?? "not in the archive";
  if (size === 0) return "empty";
  if (size > attachmentBytesMax) return "too large";
  const content = await archive.open(entry);
  try {
    const file = await inspect(content, async () => takesAll);
    if (size <= judgedWholeMax) for await (const _ of file.content);
    return null;
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    return "type is not allowed";
  } finally {
    content.destroy();
  }
}

/** People whom a source counts and does not name have no place. */
function countNameless({ id, reactions, poll }: MessageRecord, skipped: SkippedThings): void {
  for (const { count, people } of reactions) {
    if (count > people.length) skipped.add("reaction", "people are not in the archive", id, count - people.length);
  }
  if (poll !== null && poll.namelessVotes > 0)
    skipped.add("poll_vote", "people are not in the archive", poll.question, poll.namelessVotes);
}

/** How many messages the long ones become; the names that accounts get may have a number more behind them. */
async function measureLongMessages(database: Database, importId: string): Promise<void> {
  const people = new Map<string, { id: string; username: string; name: string }>();
  for await (const person of recordsOf<PersonRecord>(database, importId, "person"))
    people.set(person.id, { id: person.id, username: usernameOf(person), name: person.name });
  const names = { person: (id: string) => people.get(id), channel: () => undefined, emoji: () => undefined };
  for (;;) {
    const rows = await findLongMessages(database, importId);
    if (rows.length === 0) return;
    const measured = rows.map(({ number, data }) => {
      const { text, files } = data as MessageRecord;
      return { number, parts: messagesOf(renderText(text, names).content, comingOwn(files).length).length };
    });
    await setParts(database, importId, measured);
  }
}
