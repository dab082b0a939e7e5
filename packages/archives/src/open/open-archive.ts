import { randomUUID } from "node:crypto";
import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { Readable } from "node:stream";
import { type Archive, ArchiveError } from "../archive.js";
import { recogniseReader } from "../readers.js";
import type { Container } from "./container.js";
import { type PlacedEntry, shown } from "./entries.js";
import { openFile, openFolder } from "./folder.js";
import { checkMongoArchive } from "./mongo-archive.js";
import { openTar } from "./tar.js";
import { openZip } from "./zip.js";

const extensions = /(?:\.zip|\.tar|\.tar\.gz|\.tgz|\.json|\.jsonl)$/i;
const ustarAt = 257;

export interface OpenOptions {
  /** `IMPORT_MAX_BYTES`: of the archive itself; its entries may have 20 times as many (section 32.1). */
  maxBytes: number;
  /** Where a tar is unpacked. What it has at the end is what it had before. */
  temporaryFolder: string;
  /** The name that the archive was sent with, where `path` has another. */
  name?: string;
}

/**
 * Opens a zip, tar, tar.gz, folder or single file, and checks its entries against the limits of section 32.1.
 *
 * @throws ArchiveError with a sentence for the administrator; nothing is left in the temporary folder
 */
export async function openArchive(
  path: string,
  { maxBytes, temporaryFolder, name = basename(path) }: OpenOptions,
): Promise<Archive> {
  const folder = await mkdtemp(join(temporaryFolder, "archive-"));
  try {
    const container = await openContainer(path, maxBytes, join(folder, "entries"), name);
    if (container.entries.size === 0) {
      await container.close();
      throw new ArchiveError("The archive is empty.");
    }
    return archiveOf(name.replace(extensions, ""), container, folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function openContainer(path: string, maxBytes: number, spool: string, name: string): Promise<Container> {
  const stats = await stat(path);
  if (stats.isDirectory()) return openFolder(path, maxBytes);
  if (!stats.isFile()) throw new ArchiveError("The archive is neither a file nor a folder.");
  if (stats.size > maxBytes) throw new ArchiveError(`The archive has more than ${maxBytes} bytes.`);
  const beginning = await beginningOf(path);
  if (beginning.subarray(0, 2).equals(Buffer.from([0x1f, 0x8b]))) return openTar(path, true, maxBytes, spool);
  if (beginning.subarray(ustarAt, ustarAt + 5).toString("latin1") === "ustar")
    return openTar(path, false, maxBytes, spool);
  if (beginning.subarray(0, 2).toString("latin1") === "PK") return openZip(path, maxBytes);
  checkMongoArchive(beginning);
  return openFile(path, stats.size, maxBytes, name);
}

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

function archiveOf(name: string, container: Container, folder: string): Archive {
  const provided = new Map<string, () => Readable>();
  let providing: Promise<void> | null = null;
  const archive: Archive = {
    name,
    entries: [...container.entries.values()],
    find: (name) => container.entries.get(name.normalize("NFC")),
    provide: (name, open) => void provided.set(name, open),
    open: async (name) => {
      const entry = container.entries.get(name.normalize("NFC"));
      // An archive that was opened anew has not been read: its reader provides what it puts together.
      if (entry === undefined && !provided.has(name)) {
        providing ??= provideFiles(archive);
        await providing;
      }
      const own = provided.get(name);
      if (own !== undefined) return own();
      if (entry === undefined) throw new ArchiveError(`${shown(name)}: the archive has no such entry.`);
      return Readable.from(bytesOf(container, entry), { objectMode: false });
    },
    temporaryFolder: async () => mkdtemp(join(folder, `${randomUUID()}-`)),
    close: async () => {
      await container.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return archive;
}

async function provideFiles(archive: Archive): Promise<void> {
  const reader = await recogniseReader(archive);
  await reader?.provideFiles?.(archive);
}

async function* bytesOf(container: Container, entry: PlacedEntry<unknown>): AsyncGenerator<Buffer> {
  let length = 0;
  try {
    for await (const chunk of await container.open(entry)) {
      length += chunk.length;
      yield chunk;
    }
  } catch (error) {
    throw error instanceof Error && !(error instanceof ArchiveError) && !("syscall" in error)
      ? new ArchiveError(`${shown(entry.name)}: the entry cannot be unpacked: ${error.message}.`, { cause: error })
      : error;
  }
  if (length !== entry.size)
    throw new ArchiveError(`${shown(entry.name)}: the entry has ${length} bytes instead of ${entry.size}.`);
}
