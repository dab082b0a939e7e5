import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { errorTexts, invalidInput } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { metered, type Reservation, type Reservations } from "../../../platform/files/quotas/reservations.js";
import { importPartKey } from "../../../platform/files/storage/keys.js";
import type { FileStorage } from "../../../platform/files/storage/storage.js";
import { findParts } from "./repository.js";

/** Bytes of a piece of an archive (docs/protocol/moving.md#32). */
export const partBytesMax = 32 * 1024 * 1024;

/** A piece that is stored and has no row yet. */
export interface StoredPart {
  importId: string;
  number: number;
  uploadId: string;
  size: number;
  /** To be given back once there is a row. */
  room: Reservation;
}

/** Where pieces are stored, and what counts them. */
interface PartStores {
  storage: FileStorage;
  reservations: Reservations;
}

/**
 * Stores the bytes of one piece.
 *
 * @throws ServiceError 400 for no bytes, for more than a piece may have, and for more than the installation has room for
 */
export async function storePart(
  { storage, reservations }: PartStores,
  { importId, number, content }: { importId: string; number: number; content: AsyncIterable<Uint8Array> },
): Promise<StoredPart> {
  const part = { importId, number, uploadId: randomUUID(), size: 0, room: reservations.open("installation") };
  async function* bounded() {
    for await (const chunk of content) {
      part.size += chunk.length;
      if (part.size > partBytesMax) throw invalidInput(errorTexts.import_part_size);
      yield chunk;
    }
    if (part.size === 0) throw invalidInput(errorTexts.import_part_size);
  }
  try {
    await storage.put(importPartKey(part), metered(bounded(), part.room));
  } catch (error) {
    await part.room.end();
    throw error;
  }
  return part;
}

/** Stores an archive of any size in pieces, in constant memory. */
export async function* storeWhole(
  stores: PartStores,
  importId: string,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<StoredPart> {
  const chunks = content[Symbol.asyncIterator]();
  let rest: Uint8Array | undefined = (await chunks.next()).value;
  for (let number = 1; rest !== undefined; number += 1) {
    let free = partBytesMax;
    async function* piece() {
      while (rest !== undefined && free > 0) {
        const chunk: Uint8Array = rest.subarray(0, free);
        free -= chunk.length;
        yield chunk;
        rest = rest.length > chunk.length ? rest.subarray(chunk.length) : (await chunks.next()).value;
      }
    }
    yield await storePart(stores, { importId, number, content: piece() });
  }
}

/** Puts the pieces of an archive together in a folder of this machine. @returns the path of the file */
export async function assemble(
  { database, storage }: { database: Database; storage: FileStorage },
  { id, folder }: { id: string; folder: string },
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, "archive");
  async function* bytes() {
    for (const { upload_id: uploadId, number } of await findParts(database, id)) {
      const part = await storage.get(importPartKey({ importId: id, number, uploadId }));
      if (part === null) throw new Error(`piece ${number} of the archive is not in the storage`);
      yield* part;
    }
  }
  await pipeline(Readable.from(bytes(), { objectMode: false }), createWriteStream(path));
  return path;
}
