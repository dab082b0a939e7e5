import { createReadStream, createWriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { finished } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract, type Header } from "tar-stream";
import { ArchiveError } from "../archive.js";
import type { Container } from "./container.js";
import { checkGrowth, Entries, shown } from "./entries.js";
import { checkMongoArchive } from "./mongo-archive.js";

/** Packed bytes that may be read before the entry that they belong to begins. */
const readAhead = 256 * 1024;
const unpackedFile = ["file", "contiguous-file"];

interface Place {
  start: number;
}

/**
 * Unpacks a tar into one file, an entry behind the other, so that no name of the archive becomes a path.
 *
 * @param spool the file's path; removed when the tar cannot be read, and by `close`
 */
export async function openTar(path: string, packed: boolean, maxBytes: number, spool: string): Promise<Container> {
  try {
    const entries = await unpack(path, packed, maxBytes, spool);
    return {
      entries: entries.withoutOuterFolders(),
      open: async ({ place, size }) => {
        const { start } = place as Place;
        return size === 0 ? Readable.from([]) : createReadStream(spool, { start, end: start + size - 1 });
      },
      close: () => rm(spool, { force: true }),
    };
  } catch (error) {
    await rm(spool, { force: true });
    throw sentence(error, packed);
  }
}

async function unpack(path: string, packed: boolean, maxBytes: number, spool: string): Promise<Entries<Place>> {
  const entries = new Entries<Place>(maxBytes);
  let consumed = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      consumed += chunk.length;
      done(null, chunk);
    },
  });
  const file = createReadStream(path);
  const tar = extract();
  const unpacker = packed
    ? createGunzip()
    : new Transform({ transform: (chunk, _encoding, done) => done(null, chunk) });
  const stages = [file, counted, unpacker];
  for (const stage of stages) stage.on("error", (error: Error) => tar.destroy(error));
  unpacker.once("data", (chunk: Buffer) => {
    try {
      checkMongoArchive(chunk);
    } catch (error) {
      tar.destroy(error as Error);
    }
  });
  file
    .pipe(counted)
    .pipe(unpacker)
    .pipe(tar as unknown as NodeJS.WritableStream);

  const target = createWriteStream(spool, { flags: "wx" });
  const written = finished(target);
  written.catch((error: Error) => tar.destroy(error));
  let start = 0;
  try {
    for await (const stream of tar) {
      const header = stream.header as Header;
      const name = entries.name(header.name);
      if (header.type !== "directory") {
        const size = header.size ?? 0;
        checkKind(name, header);
        const before = Math.max(0, consumed - readAhead);
        entries.add(name, size, null, { start });
        let length = 0;
        for await (const chunk of stream as AsyncIterable<Buffer>) {
          length += chunk.length;
          if (packed) checkGrowth(name, length, consumed - before);
          if (!target.write(chunk)) await drained(target);
        }
        start += length;
      } else {
        stream.resume();
      }
    }
    target.end();
    await written;
    return entries;
  } finally {
    for (const stage of stages) stage.destroy();
    target.destroy();
    await written.catch(() => undefined);
  }
}

function checkKind(name: string, header: Header): void {
  if (
    !unpackedFile.includes(String(header.type)) ||
    Object.keys(header.pax ?? {}).some((key) => key.startsWith("GNU.sparse"))
  ) {
    throw new ArchiveError(`${shown(name)}: the entry is a link, a device or of an unknown kind.`);
  }
}

function drained(target: ReturnType<typeof createWriteStream>): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error) => {
      target.off("drain", done).off("close", done).off("error", done);
      if (error) reject(error);
      else resolve();
    };
    target.once("drain", done).once("close", done).once("error", done);
  });
}

function sentence(error: unknown, packed: boolean): unknown {
  if (error instanceof ArchiveError || !(error instanceof Error) || "syscall" in error) return error;
  if (/unexpected end/i.test(error.message)) return new ArchiveError("The archive ends too early.", { cause: error });
  if (/invalid tar header|header exceeds|invalid header/i.test(error.message)) {
    return new ArchiveError(packed ? "The packed file is no tar." : "The tar cannot be read.", { cause: error });
  }
  return new ArchiveError(`The tar cannot be read: ${error.message}.`, { cause: error });
}
