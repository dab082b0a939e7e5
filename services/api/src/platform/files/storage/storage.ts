import type { Readable } from "node:stream";

/** Part of a file, both ends included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A stored file as {@link FileStorage.list} finds it. */
export interface StoredFile {
  readonly key: string;
  /** When it was written; for one that is still being written, no later than now. */
  readonly modifiedAt: Date;
}

/**
 * Where the bytes of attachments, emoji and pictures are. A file is known by its key, `<folder>/…/<name>`, is never changed, and
 * counts only once a row of the database names it; {@link FileStorage.list} exists to find those that none does.
 */
export interface FileStorage {
  /**
   * Stores a file in constant memory; when it resolves, the bytes survive a crash. When it rejects, any remains are an
   * orphaned file, which a job deletes.
   *
   * @throws ServiceError `unavailable` when the storage fails or is full; or the error of `content`
   */
  put(key: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  /**
   * Opens a file, or a part that lies within it. The caller reads the stream to its end or destroys it.
   *
   * @returns null when there is no such file
   */
  get(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Removes a file; a missing one is no error. */
  delete(key: string): Promise<void>;
  /** Every file of the folder, in no order. */
  list(folder: string): AsyncIterable<StoredFile>;
  close(): void;
}
