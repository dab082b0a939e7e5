import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { type Document, deserialize } from "bson";
import { type Archive, ArchiveError } from "../archive.js";
import { storableValue } from "../clean-text.js";
import { maxDepth, maxRecordBytes } from "../json-records.js";
import { checkGrowth, shown } from "../open/entries.js";

const smallest = 5;

/** A document of a collection. */
export interface BsonDocument {
  /** From 1. */
  place: number;
  value: Document;
}

/**
 * Reads the documents of a collection one behind the other; memory has one of them at a time.
 *
 * @param name an entry `.bson`, or `.bson.gz`
 * @throws ArchiveError at a wrong syntax, a document of more than 16 MiB and more than 100 levels: it names file and record
 */
export async function* bsonDocuments(archive: Archive, name: string): AsyncGenerator<BsonDocument> {
  let place = 1;
  const wrong = (reason: string, cause?: unknown) =>
    new ArchiveError(`${shown(name)}, record ${place}: ${reason}.`, { cause });
  const read = (bytes: Buffer) => {
    let value: Document;
    try {
      value = deserialize(bytes, { promoteBuffers: true, validation: { utf8: false } });
    } catch (error) {
      throw wrong(error instanceof RangeError ? `has more than ${maxDepth} levels` : "is not BSON", error);
    }
    if (!isShallow(value, maxDepth)) throw wrong(`has more than ${maxDepth} levels`);
    return storableParts(value) as Document;
  };

  let pieces: Buffer[] = [];
  let length = 0;
  /** Bytes of the document that begins the pieces; null while its length is not read. */
  let size: number | null = null;
  for await (const chunk of bytesOf(archive, name)) {
    pieces.push(chunk);
    length += chunk.length;
    while (length >= (size ?? 4)) {
      const bytes: Buffer = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
      if (size === null) {
        size = bytes.readInt32LE(0);
        if (size < smallest) throw wrong("is not BSON");
        if (size > maxRecordBytes) throw wrong(`has more than ${maxRecordBytes} bytes`);
        pieces = [bytes];
        continue;
      }
      yield { place, value: read(bytes.subarray(0, size)) };
      place += 1;
      pieces = [bytes.subarray(size)];
      length -= size;
      size = null;
    }
  }
  if (length > 0) throw wrong("the file ends too early");
}

async function* bytesOf(archive: Archive, name: string): AsyncGenerator<Buffer> {
  const stream = await archive.open(name);
  if (!name.endsWith(".gz")) {
    yield* stream as AsyncIterable<Buffer>;
    return;
  }
  const packed = archive.find(name)?.size ?? 0;
  const unpacker = createGunzip();
  stream.on("error", (error) => unpacker.destroy(error)).pipe(unpacker);
  let length = 0;
  try {
    for await (const chunk of unpacker as AsyncIterable<Buffer>) {
      length += chunk.length;
      checkGrowth(name, length, packed);
      yield chunk;
    }
  } catch (error) {
    if (!(error instanceof Error) || error instanceof ArchiveError || "syscall" in error) throw error;
    throw new ArchiveError(`${shown(name)}: the entry cannot be unpacked: ${error.message}.`, { cause: error });
  } finally {
    (stream as Readable).destroy();
    unpacker.destroy();
  }
}

/** The value without U+0000 and half surrogates in texts and keys; times, bytes and ids of MongoDB stay as they are. */
function storableParts(value: unknown): unknown {
  if (typeof value === "string") return storableValue(value);
  if (Array.isArray(value)) return value.map(storableParts);
  if (typeof value !== "object" || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [String(storableValue(key)), storableParts(part)]),
  );
}

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return true;
  return levels > 0 && Object.values(value).every((part) => isShallow(part, levels - 1));
}
