import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { type Archive, ArchiveError } from "../archive.js";
import { jsonRecords } from "../json-records.js";
import { shown } from "../open/entries.js";
import { manifestSchema } from "./schema.js";

/** The version of the format that is read (section 32.4). */
const knownVersion = 1;
const manifest = "manifest.json";

/**
 * An archive with a manifest: what is read to its end must have the sum that stands there. Without a manifest it is one of
 * section 18.
 *
 * @throws ArchiveError for another version of the format
 */
export async function checkedArchive(archive: Archive): Promise<Archive> {
  if (archive.find(manifest) === undefined) return archive;
  const sums = new Map<string, string>();
  for await (const { key, place, value } of jsonRecords(archive, manifest)) {
    if (key === "version" && value !== knownVersion) {
      throw new ArchiveError(`${manifest}: version ${shown(String(value))} of the format is not known.`);
    }
    const part = key === "parts" && place !== null ? manifestSchema.safeParse(value).data : undefined;
    if (part !== undefined && /\.jsonl?$/.test(part.name)) sums.set(part.name, part.sha256);
  }
  return {
    ...archive,
    open: async (name) => {
      const sum = sums.get(name);
      const stream = await archive.open(name);
      return sum === undefined ? stream : Readable.from(checked(name, stream, sum), { objectMode: false });
    },
  };
}

async function* checked(name: string, stream: Readable, sum: string): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest("hex") !== sum) {
    throw new ArchiveError(`${shown(name)}: the file is another one than the manifest names.`);
  }
}
