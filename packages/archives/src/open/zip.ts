import type { Readable } from "node:stream";
import { getFileNameLowLevel, openPromise, Entry as ZipEntry, type ZipFile } from "yauzl";
import { ArchiveError } from "../archive.js";
import type { Container } from "./container.js";
import { Entries, shown } from "./entries.js";
import { maxEntries } from "./limits.js";

const utf8 = new TextDecoder("utf-8", { fatal: true });
const nameIsUtf8 = 0x800;
/** Unix and macOS, whose entries say their kind. */
const hostsWithKinds = [3, 19];
const kindMask = 0xf000;
const unixFile = 0x8000;
const unixFolder = 0x4000;
const localHeaderBytes = 30;
const methods = [0, 8];

/** What is kept of an entry of the directory: there may be many. */
interface Place {
  offset: number;
  method: number;
  packed: number;
}

/** Reads the directory of a zip; the entries stay packed. */
export async function openZip(path: string, maxBytes: number): Promise<Container> {
  const zip = await openPromise(path, { autoClose: false, decodeStrings: false, strictFileNames: false }).catch(
    unreadable,
  );
  try {
    if (zip.entryCount > maxEntries) throw new ArchiveError(`The archive has more than ${maxEntries} entries.`);
    const entries = new Entries<Place>(maxBytes);
    const ranges: [number, number][] = [];
    for await (const entry of zip.eachEntry()) {
      const name = entries.name(nameOf(entry));
      ranges.push(rangeOf(entry));
      if (name.endsWith("/")) {
        entries.addFolder(name);
        continue;
      }
      checkKind(name, entry);
      const { relativeOffsetOfLocalHeader: offset, compressionMethod: method, compressedSize: packed } = entry;
      entries.add(name, entry.uncompressedSize, packed, { offset, method, packed });
    }
    checkOverlaps(ranges);
    return {
      entries: entries.withoutOuterFolders(),
      open: ({ place, size }) => openEntry(zip, place as Place, size),
      close: async () => zip.close(),
    };
  } catch (error) {
    zip.close();
    return unreadable(error);
  }
}

/** Zips of macOS have UTF-8 without saying so; a name that is none is of the old code page. */
function nameOf(entry: ZipEntry): string {
  const raw = entry.fileNameRaw;
  try {
    if ((entry.generalPurposeBitFlag & nameIsUtf8) === 0) return utf8.decode(raw);
  } catch {}
  return getFileNameLowLevel(entry.generalPurposeBitFlag, raw, entry.extraFields, false);
}

function checkKind(name: string, entry: ZipEntry): void {
  if (entry.isEncrypted()) throw new ArchiveError(`${shown(name)}: the entry is encrypted.`);
  if (!methods.includes(entry.compressionMethod)) {
    throw new ArchiveError(
      `${shown(name)}: the entry is packed by method ${entry.compressionMethod}; only deflate is read.`,
    );
  }
  const kind = hostsWithKinds.includes(entry.versionMadeBy >>> 8)
    ? (entry.externalFileAttributes >>> 16) & kindMask
    : 0;
  if (kind !== 0 && kind !== unixFile && kind !== unixFolder) {
    throw new ArchiveError(`${shown(name)}: the entry is a link or a device.`);
  }
}

function rangeOf(entry: ZipEntry): [number, number] {
  const start = entry.relativeOffsetOfLocalHeader;
  return [start, start + localHeaderBytes + entry.fileNameRaw.length + entry.compressedSize];
}

/** Bytes that two entries share are a bomb: small, and many times as large. */
function checkOverlaps(ranges: [number, number][]): void {
  ranges.sort((a, b) => a[0] - b[0]);
  let end = 0;
  for (const range of ranges) {
    if (range[0] < end) throw new ArchiveError("Entries of the archive overlap.");
    end = range[1];
  }
}

async function openEntry(zip: ZipFile, { offset, method, packed }: Place, size: number): Promise<Readable> {
  const entry = Object.assign(new ZipEntry(), {
    generalPurposeBitFlag: 0,
    relativeOffsetOfLocalHeader: offset,
    compressionMethod: method,
    compressedSize: packed,
    uncompressedSize: size,
  });
  return zip.openReadStreamPromise(entry).catch(unreadable);
}

function unreadable(error: unknown): never {
  if (error instanceof ArchiveError || !(error instanceof Error) || "syscall" in error) throw error;
  throw new ArchiveError(`The zip cannot be read: ${error.message}.`, { cause: error });
}
