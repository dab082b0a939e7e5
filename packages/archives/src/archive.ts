import type { Readable } from "node:stream";
import type { ArchiveRecord, Source } from "./form.js";

/** A sentence for the administrator: the archive as a whole cannot be read. Names the file and the record, from 1. */
export class ArchiveError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ArchiveError";
  }
}

export interface Entry {
  /** With `/`, in NFC, without a folder around everything. */
  name: string;
  /** Bytes, unpacked. */
  size: number;
}

/** An opened zip, tar.gz, folder or single file, within the limits of section 32.1. Read it as often as you like. */
export interface Archive {
  /** The file's or folder's own name, without its extensions. */
  name: string;
  /** In the archive's order; without `__MACOSX/`, `.DS_Store` and `._…`. */
  entries: readonly Entry[];
  /** The entry of this name, written in NFC or NFD. */
  find(name: string): Entry | undefined;
  /** @throws ArchiveError when there is no such entry, or later when it has other bytes than it may */
  open(name: string): Promise<Readable>;
  /**
   * Adds a file that a reader puts together from entries: `open` of this name has these bytes, until `close`. It is none of
   * `entries`.
   */
  provide(name: string, open: () => Readable): void;
  /** A folder of its own for what a reader puts aside; `close` removes it. */
  temporaryFolder(): Promise<string>;
  /** Removes what was unpacked. */
  close(): Promise<void>;
}

/** One service's reader. */
export interface Reader {
  source: Source;
  /** Whether the entries' names and first bytes are this service's. */
  recognises(archive: Archive): Promise<boolean>;
  /**
   * Provides the files that are put together of entries, in an archive that was opened anew; `read` does so, too. Readers
   * without it have every file as an entry.
   *
   * @throws ArchiveError at a wrong syntax
   */
  provideFiles?(archive: Archive): Promise<void>;
  /** @throws ArchiveError at a wrong syntax */
  read(archive: Archive): AsyncGenerator<ArchiveRecord>;
}
