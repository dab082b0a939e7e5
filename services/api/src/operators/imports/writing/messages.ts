import { randomUUID } from "node:crypto";
import { takesEveryKind } from "../../../platform/files/quotas/repository.js";
import { unlimited } from "../../../platform/files/quotas/reservations.js";
import type { ReceivedFile } from "../../../platform/files/receive.js";
import { receiveFile } from "../../../platform/files/receive.js";
import { type MessagePosition, renewLease } from "../core/repository.js";
import { coming, comingOwn, type JudgedFile } from "../reading/read-archive.js";
import { type BatchRecord, findBatch, findFurtherParts, storeBatch } from "./message-repository.js";
import { noteProgress } from "./repository.js";
import { furtherKeys, type Stored, toRows } from "./to-rows.js";
import type { MadeChannel, Structure, Writing } from "./writing.js";

/** Files that are stored at a time. */
const filesAtATime = 8;

/**
 * Writes the messages of a channel in batches, first those outside of threads. A batch is stored with the position behind it, so that
 * another process goes on there.
 *
 * @param from position of the import, if it is in this channel
 * @returns whether any message is new
 */
export async function writeMessages(
  writing: Writing,
  structure: Structure,
  { channel, from }: { channel: MadeChannel; from: MessagePosition | null },
): Promise<boolean> {
  const { importer, held, importId, signal } = writing;
  const start = () => ({ channel: channel.external, at: -1, place: -1, used: 0, skipped: writing.left.list() });
  let position: MessagePosition = from ?? { ...start(), replies: false };
  let anyNew = false;
  for (;;) {
    signal.throwIfAborted();
    const batch = await findBatch(importer.database, writing, position);
    const last = batch.at(-1);
    if (last === undefined) {
      if (position.replies) return anyNew;
      position = { ...start(), replies: true };
      continue;
    }
    const stored = await storeFiles(writing, batch);
    const further = await findFurtherParts(importer.database, writing.workspace, furtherKeys(structure, batch));
    const { rows, used, messages } = toRows(structure, {
      channel,
      batch,
      stored,
      further,
      position,
      left: writing.left,
    });
    const { at, place } = last;
    const next: MessagePosition = { ...position, at, place, used, skipped: writing.left.list() };
    await importer.database.transaction(async (transaction) => {
      await renewLease(transaction, held);
      await storeBatch(transaction, writing, rows);
      await noteProgress(transaction, importId, { messages, files: rows.attachments.length, position: next });
    });
    anyNew ||= rows.messages.length > 0;
    position = next;
  }
}

/** Stores the files of messages that have none yet, each in the folder of an id that its message gets. */
async function storeFiles({ archive, importer, left }: Writing, batch: readonly BatchRecord[]): Promise<Stored> {
  const stored = new Map<JudgedFile, ReceivedFile>();
  const files = batch
    .filter(({ has_files }) => !has_files)
    .flatMap(({ data, known }) =>
      (known === null ? coming : comingOwn)(data.files).map((file) => ({ file, messageId: data.id })),
    );
  const next = files[Symbol.iterator]();
  const room = { ...unlimited, takesEveryKind: () => takesEveryKind(importer.database) };
  const lane = async () => {
    for (const { file, messageId } of next) {
      const content = await archive.open(file.entry ?? "");
      const target = {
        storage: importer.storage,
        folder: "attachments",
        folderId: randomUUID(),
        existing: 0,
        room,
      } as const;
      try {
        stored.set(file, await receiveFile({ name: "file", filename: file.name, content }, target));
      } catch (error) {
        if (!(error instanceof Error) || error.name !== "ServiceError" || content.errored !== null) throw error;
        left.add("file", "type is not allowed", `${file.name} (message ${messageId})`);
      } finally {
        content.destroy();
      }
    }
  };
  await Promise.all(Array.from({ length: filesAtATime }, lane));
  return stored;
}
