import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type Archive, ArchiveError } from "../archive.js";
import type { FormFile } from "../form-parts.js";
import { bsonDocuments } from "./bson-documents.js";
import { chunkSchema } from "./schema.js";

/** Chunks whose places are in memory. */
const maxChunks = 2_000_000;

interface Chunk {
  n: number;
  start: number;
  size: number;
}

/** Files of GridFS, whose chunks may stand in any order. */
export class GridFiles {
  readonly #archive: Archive;
  readonly #chunks = new Map<string, Chunk[]>();

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  /**
   * Puts the chunks of an entry aside, one behind the other, and provides the files in the archive.
   *
   * @param name the collection of the chunks
   * @param isWanted by the file's id
   */
  async collect(name: string, isWanted: (id: string) => boolean): Promise<void> {
    const path = join(await this.#archive.temporaryFolder(), "chunks");
    const target = await open(path, "wx");
    const own = new Map<string, Chunk[]>();
    try {
      await this.#put(target, name, isWanted, own);
    } finally {
      await target.close();
    }
    for (const [id, chunks] of own) {
      chunks.sort((a, b) => a.n - b.n);
      this.#chunks.set(id, chunks);
      this.#archive.provide(entryOf(id), () => Readable.from(bytesOf(path, chunks), { objectMode: false }));
    }
  }

  async #put(
    target: FileHandle,
    name: string,
    isWanted: (id: string) => boolean,
    own: Map<string, Chunk[]>,
  ): Promise<void> {
    let [start, count] = [0, 0];
    for await (const { value } of bsonDocuments(this.#archive, name)) {
      const { data: chunk } = chunkSchema.safeParse(value);
      if (chunk === undefined || !isWanted(chunk.files_id)) continue;
      count += 1;
      if (count > maxChunks) throw new ArchiveError(`${name} has more than ${maxChunks} records.`);
      const { n, data } = chunk;
      await target.write(data);
      const known = own.get(chunk.files_id);
      const place = { n, start, size: data.length };
      if (known === undefined) own.set(chunk.files_id, [place]);
      else known.push(place);
      start += data.length;
    }
  }

  /** @param size bytes that the file has to have; null where nothing says it */
  file(id: string, name: string, size: number | null): FormFile {
    const chunks = this.#chunks.get(id) ?? [];
    const bytes = chunks.reduce((sum, chunk) => sum + chunk.size, 0);
    const isWhole = chunks.length > 0 && chunks.every(({ n }, at) => n === at) && (size === null || size === bytes);
    return isWhole ? { entry: entryOf(id), name, size: bytes } : { entry: null, name, size: 0 };
  }
}

const entryOf = (id: string): string => `GridFS:${id}`;

async function* bytesOf(path: string, chunks: readonly Chunk[]): AsyncGenerator<Buffer> {
  for (const { start, size } of chunks) {
    if (size > 0) yield* createReadStream(path, { start, end: start + size - 1 }) as AsyncIterable<Buffer>;
  }
}
