import type { Archive } from "../archive.js";
import { cleanName } from "../clean-text.js";
import { bsonDocuments } from "./bson-documents.js";
import { GridFiles } from "./grid-files.js";
import { People } from "./people.js";
import type { NamedFile } from "./schema.js";

/** The entry with the messages of a dump. */
export const messagesEntry = /^(?:.*\/)?rocketchat_message\.bson(?:\.gz)?$/;

/** The collections of a dump, and what has been read that messages name. */
export class Dump {
  readonly people = new People();
  readonly rooms = new Map<string, "channel" | "direct" | "visitor">();
  /** Names of channels by their ids. */
  readonly roomNames = new Map<string, string>();
  /** Ids by names and aliases. */
  readonly emoji = new Map<string, string>();
  /** Sizes by ids; null where nothing says it. */
  readonly uploads = new Map<string, number | null>();
  readonly files: GridFiles;
  readonly #archive: Archive;
  /** Of the database, with `/`. */
  readonly #folder: string;

  constructor(archive: Archive) {
    const found = archive.entries.find(({ name }) => messagesEntry.test(name))?.name ?? "";
    this.#archive = archive;
    this.#folder = found.slice(0, found.lastIndexOf("/") + 1);
    this.files = new GridFiles(archive);
  }

  /** A file of a message; one without its bytes has no entry. */
  file({ _id: id, name }: NamedFile) {
    const shownName = cleanName(name ?? "") || "file";
    return this.uploads.has(id)
      ? this.files.file(id, shownName, this.uploads.get(id) ?? null)
      : { entry: null, name: shownName, size: 0 };
  }

  /** The entry of a collection. */
  #entry(collection: string): string | undefined {
    const names = [`${this.#folder}${collection}.bson`, `${this.#folder}${collection}.bson.gz`];
    return names.find((name) => this.#archive.find(name) !== undefined);
  }

  /** Puts the files of a collection of chunks aside. */
  async collect(collection: string, isWanted: (id: string) => boolean): Promise<void> {
    const entry = this.#entry(collection);
    if (entry !== undefined) await this.files.collect(entry, isWanted);
  }

  /** The documents of a collection; none where the dump has no such collection. */
  async *documents(collection: string): AsyncGenerator<{ value: unknown; example: string }> {
    const entry = this.#entry(collection);
    if (entry === undefined) return;
    for await (const { place, value } of bsonDocuments(this.#archive, entry)) {
      yield { value, example: `${entry}, record ${place}` };
    }
  }
}
