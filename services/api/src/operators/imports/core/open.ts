import { type Archive, openArchive } from "@parley/archives";
import type { Transaction } from "@parley/database/prisma";
import { importPartKey } from "../../../platform/files/storage/keys.js";
import type { Importer } from "./importer.js";
import { assemble } from "./parts.js";
import { clearRecords, deleteParts, findParts, type Held, type ImportRow, renewLease, setState } from "./repository.js";

/**
 * Puts an archive together on this machine and opens it for some work.
 *
 * @throws ArchiveError for one that is no archive, or is over the limits of docs/protocol/moving.md#32
 */
export async function withArchive<Result>(
  {
    database,
    storage,
    config,
    row,
    folder,
  }: Pick<Importer, "database" | "storage" | "config"> & {
    row: ImportRow;
    folder: string;
  },
  work: (archive: Archive) => Promise<Result>,
): Promise<Result> {
  const path = await assemble({ database, storage }, { id: row.id, folder });
  const maxBytes = config.IMPORT_MAX_BYTES;
  const archive = await openArchive(path, { maxBytes, temporaryFolder: folder, name: row.filename });
  try {
    return await work(archive);
  } finally {
    await archive.close();
  }
}

/** Ends an import with some last work; its archive and its records are not needed any more. */
export async function endImport(
  importer: Pick<Importer, "database" | "deleteFiles">,
  held: Held,
  state: "done" | "undone",
  work: (transaction: Transaction) => Promise<unknown>,
): Promise<void> {
  await dropArchive(importer, held.id, async (transaction) => {
    await renewLease(transaction, held);
    await work(transaction);
    await setState(transaction, held.id, state);
  });
}

/** Forgets the archive of an import, and what was read of it, together with some last work. */
export async function dropArchive(
  { database, deleteFiles }: Pick<Importer, "database" | "deleteFiles">,
  importId: string,
  work: (transaction: Transaction) => Promise<unknown>,
): Promise<void> {
  const parts = await findParts(database, importId);
  await database.transaction(async (transaction) => {
    await work(transaction);
    await deleteParts(transaction, importId);
  });
  await clearRecords(database, importId);
  await deleteFiles(parts.map(({ number, upload_id: uploadId }) => importPartKey({ importId, number, uploadId })));
}
