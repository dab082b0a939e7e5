import type { Archive } from "../archive.js";
import { cleanName } from "../clean-text.js";
import type { FormFile } from "../form-parts.js";

/** Finds the files that exports name beside themselves, also from Windows, and in a folder of all media. */
export class DiscordMedia {
  readonly #archive: Archive;
  #byLastName: Map<string, string | null> | null = null;

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  /**
   * @param from the entry that names the file
   * @param url as the exporter wrote it: a path beside `from`, or an address of a file that it did not download
   */
  find(from: string, url: string): { name: string; size: number } | undefined {
    if (/^https?:/i.test(url)) return undefined;
    const folder = from.slice(0, from.lastIndexOf("/") + 1);
    const path = url.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "");
    const paths = [path, decoded(path)];
    for (const candidate of paths) {
      const found = this.#archive.find(folder + candidate) ?? this.#archive.find(candidate);
      if (found !== undefined) return found;
    }
    // Names of media have a hash, so that they are of one file.
    const name = paths.map((each) => this.#lastNames().get(lastName(each).normalize("NFC"))).find(Boolean);
    return name ? this.#archive.find(name) : undefined;
  }

  file(from: string, url: string, name: string): FormFile {
    const found = this.find(from, url);
    return { entry: found?.name ?? null, name: cleanName(name) || "file", size: found?.size ?? 0 };
  }

  #lastNames(): Map<string, string | null> {
    if (this.#byLastName === null) {
      this.#byLastName = new Map();
      for (const { name } of this.#archive.entries) {
        const last = lastName(name);
        this.#byLastName.set(last, this.#byLastName.has(last) ? null : name);
      }
    }
    return this.#byLastName;
  }
}

const lastName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
