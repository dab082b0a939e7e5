import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ArchiveError } from "@parley/archives";
import { ServiceError } from "@parley/contracts";
import type { Importer } from "./core/importer.js";
import { dropArchive, withArchive } from "./core/open.js";
import {
  failImport,
  findImport,
  type Held,
  LeaseLost,
  leaseSeconds,
  renewLease,
  workingStates,
} from "./core/repository.js";
import { readArchive } from "./reading/read-archive.js";
import { undoImport } from "./undoing/undo.js";
import { writeImport } from "./writing/write.js";

/**
 * Does what the state of an import asks for. Everything is done in batches, each with the proof that this process still has the
 * import, so that any of them may be the last of a process.
 *
 * @param options.signal aborted when the process ends: the batch under way is the last
 */
export async function workOnImport(
  importer: Importer,
  { id, lease, signal }: { id: string; lease: string; signal: AbortSignal },
): Promise<void> {
  const { database } = importer;
  const row = await findImport(database, id);
  const state = workingStates.find((each) => each === row?.state);
  if (row === undefined || state === undefined) return;
  const held: Held = { id, lease, state };
  const lost = new AbortController();
  const ends = AbortSignal.any([signal, lost.signal]);
  const renewal = setInterval(
    () => renewLease(database, held).catch((error: unknown) => error instanceof LeaseLost && lost.abort()),
    (leaseSeconds * 1_000) / 4,
  );
  const folder = join(tmpdir(), `parley-import-${id}`);
  try {
    // Of a process that was killed.
    await rm(folder, { recursive: true, force: true });
    const opened = { ...importer, row, folder };
    if (state === "reading")
      await withArchive(opened, (archive) => readArchive(importer, { archive, row, held, signal: ends }));
    else if (state === "running")
      await withArchive(opened, (archive) => writeImport(importer, { archive, held, signal: ends }));
    else await undoImport(importer, held, ends);
  } catch (error) {
    if (error instanceof LeaseLost || ends.aborted) return;
    const isSentence = error instanceof ArchiveError || (error instanceof ServiceError && error.kind !== "unavailable");
    if (!isSentence) throw error;
    const failed = { id, lease, error: error.message };
    // Nobody can mend an archive that is here.
    if (state === "reading")
      await dropArchive(importer, id, async (transaction) => {
        await renewLease(transaction, held);
        await failImport(transaction, failed);
      });
    else await failImport(database, failed);
  } finally {
    clearInterval(renewal);
    await rm(folder, { recursive: true, force: true });
  }
}
