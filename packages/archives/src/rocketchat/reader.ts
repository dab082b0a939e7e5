import type { Archive, Reader } from "../archive.js";
import { checkMongoArchive } from "../open/mongo-archive.js";
import { Dump, messagesEntry } from "./dump.js";
import { Messages } from "./messages.js";
import { readEmoji, readPeople, readRooms, readUploads } from "./structure.js";

/** Entries of an archive that may be a dump in one file. */
const dumpEntriesMax = 5;

/** Reads a `mongodump` of Rocket.Chat. Of its users neither passwords nor tokens are read, and no settings. */
export const rocketchatReader: Reader = {
  source: "rocketchat",
  async recognises(archive) {
    if (archive.entries.length <= dumpEntriesMax) {
      for (const { name } of archive.entries) checkMongoArchive(await beginningOf(archive, name));
    }
    return archive.entries.some(({ name }) => messagesEntry.test(name));
  },
  async provideFiles(archive) {
    const dump = new Dump(archive);
    for await (const _ of readEmoji(dump, ""));
    await readUploads(dump);
  },
  async *read(archive) {
    const dump = new Dump(archive);
    const server = yield* readPeople(dump);
    yield* readRooms(dump, server);
    yield* readEmoji(dump, server);
    await readUploads(dump);
    yield* new Messages(dump).records();
  },
};

async function beginningOf(archive: Archive, name: string): Promise<Buffer> {
  for await (const chunk of await archive.open(name)) return chunk as Buffer;
  return Buffer.alloc(0);
}
