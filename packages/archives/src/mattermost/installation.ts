import type { Archive, Entry } from "../archive.js";
import { cleanName } from "../clean-text.js";
import type { FormFile } from "../form-parts.js";
import { OwnEmoji } from "./own-emoji.js";
import { People } from "./people.js";

/** The parts of an archive that have been read, and that posts name. */
export class Installation {
  /** The names of its teams. */
  readonly teams = new Set<string>();
  readonly people = new People();
  /** The names of channels, by their external ids. */
  readonly channels = new Map<string, string>();
  readonly emoji = new OwnEmoji();
  readonly #archive: Archive;

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  /** The entry that a path of the lists names. */
  entry(path: string | null | undefined): Entry | undefined {
    return path ? (this.#archive.find(`data/${path}`) ?? this.#archive.find(path)) : undefined;
  }

  /** A file of a post; one that is not in the archive has no entry. */
  file(path: string): FormFile {
    const entry = this.entry(path);
    const name = cleanName(path.slice(path.lastIndexOf("/") + 1)) || "file";
    return { entry: entry?.name ?? null, name, size: entry?.size ?? 0 };
  }
}
